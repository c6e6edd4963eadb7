"""Codes: unsigned integers in the order of the keys.

A code has as many bits as its key. Adding one leads to the next key, so integer arithmetic on codes
can name the middle of any bracket, the next float, and the digits that radix selection reads.
"""

import struct
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Key, Keys

__all__ = ["code", "decode", "encode", "key"]

Codes = npt.NDArray[Any]

PACKED = {2: ("=H", "=e"), 4: ("=I", "=f"), 8: ("=Q", "=d")}
"""How the struct module calls an unsigned integer and a float of so many bytes."""


def encode(keys: Keys) -> Codes:
    """Return the codes of keys: −0.0 has that of 0.0, and every NaN has the largest, all ones.

    A float's bits grow with its magnitude. So a positive number has its bits with the sign bit set,
    and a negative one as much less than zero has as its opposite has more.

    Examples
    --------
    >>> [hex(int(value)) for value in encode(np.float32([-1, -0.0, 0.0, 1, np.nan]))]
    ['0x40800000', '0x80000000', '0x80000000', '0xbf800000', '0xffffffff']
    """
    bits = keys.view(f"u{keys.itemsize}")
    if keys.dtype.kind == "u":
        return bits
    sign = _sign(bits.dtype)
    if keys.dtype.kind == "i":
        return np.asarray(bits ^ sign)
    codes = np.where(bits & sign != 0, -bits, bits | sign)
    codes[np.isnan(keys)] = np.iinfo(bits.dtype).max
    return codes


def decode(codes: Codes, dtype: np.dtype[Any]) -> Keys:
    """Return the keys of codes.

    Examples
    --------
    >>> decode(encode(np.float32([-1, 2.5])), np.dtype(np.float32))
    array([-1. ,  2.5], dtype=float32)
    """
    sign = _sign(codes.dtype)
    if dtype.kind == "u":
        bits = codes
    elif dtype.kind == "i":
        bits = codes ^ sign
    else:
        bits = np.where(codes & sign != 0, codes ^ sign, -codes)
    return np.asarray(bits).view(dtype)


def code(key: Key) -> int:
    """Return the code of one key; what `encode` does, quickly.

    Examples
    --------
    >>> code(np.int8(-128)), code(np.int8(0))
    (0, 128)
    """
    kind, bits = key.dtype.kind, int.from_bytes(key.tobytes(), sys.byteorder)
    if kind == "u":
        return bits
    sign: int = 1 << (8 * key.dtype.itemsize - 1)
    if kind == "i":
        return bits ^ sign
    if key != key:
        return 2 * sign - 1
    return 2 * sign - bits if bits & sign else bits | sign


def key(code: int, dtype: np.dtype[Any]) -> Key:
    """Return the key of one code; what `decode` does, quickly.

    Examples
    --------
    >>> key(code(np.float64(1)) + 1, np.dtype(np.float64)) == np.nextafter(1, 2)
    np.True_
    """
    sign = 1 << (8 * dtype.itemsize - 1)
    if dtype.kind == "u":
        return dtype.type(code)
    if dtype.kind == "i":
        return dtype.type(code - sign)
    bits = code ^ sign if code & sign else (2 * sign - code) % (2 * sign)
    unsigned, floating = PACKED[dtype.itemsize]
    return dtype.type(struct.unpack(floating, struct.pack(unsigned, bits))[0])


def _sign(unsigned: np.dtype[Any]) -> Any:
    """Return the highest bit."""
    return unsigned.type(1 << (8 * unsigned.itemsize - 1))
