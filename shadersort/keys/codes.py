"""Integers in the order of the keys: ordinals, which lose no bit, and codes, which compare keys.

==========  =========================================================  =========================
            what it is for                                             zeros and NaNs
==========  =========================================================  =========================
ordinals    sorting: one integer for each bit pattern, and back again  −0.0 before 0.0; NaNs with
                                                                       a sign first, others last
codes       selection: unsigned, one integer for each value            −0.0 as 0.0; every NaN the
                                                                       largest code
==========  =========================================================  =========================

An ordinal or a code has as many bits as its key. Adding one to a code leads to the next key, so
integer arithmetic on codes names the middle of any bracket, the next float, and the digits that
radix selection reads.
"""

import struct
import sys
from typing import Any

import numpy as np

from shadersort.keys.types import Key, Keys, Mask

PACKED = {2: ("=H", "=e"), 4: ("=I", "=f"), 8: ("=Q", "=d")}
"""How the struct module calls an unsigned integer and a float of this many bytes."""


def ordinals(keys: Keys, *, in_place: bool = False) -> Keys:
    """Return integers in the order of the keys: signed for floats; integers are their own ordinals.

    The bits of positive floats grow with their magnitude, as those of integers do. Negative floats
    have all bits but the sign inverted, so order is preserved. With `in_place` the floats' own
    memory holds the result.

    Examples
    --------
    >>> ordinals(np.float16([-1, -0.0, 0.0, 1]))
    array([-15361,     -1,      0,  15360], dtype=int16)
    """
    if keys.dtype.kind != "f":
        return keys
    numbers = keys.view(f"i{keys.itemsize}")
    return _negatives_flipped(numbers, numbers if in_place else None)


def from_ordinals(numbers: Keys, dtype: np.dtype[Any], *, in_place: bool = False) -> Keys:
    """Return the keys of a type that have these ordinals.

    Examples
    --------
    >>> from_ordinals(np.int16([-15361, -1, 0, 15360]), np.dtype(np.float16))
    array([-1., -0.,  0.,  1.], dtype=float16)
    """
    if dtype.kind != "f":
        return numbers
    return _negatives_flipped(numbers, numbers if in_place else None).view(dtype)


def _negatives_flipped(numbers: Keys, out: Keys | None) -> Keys:
    """Invert all bits but the sign of negative integers; a second time restores them."""
    magnitude = 8 * numbers.itemsize - 1  # its bits; np.iinfo takes as long as a shift of few keys
    flips = np.asarray(numbers >> magnitude)
    flips &= (1 << magnitude) - 1
    return np.bitwise_xor(numbers, flips, out=flips if out is None else out)


def unsigned(numbers: Keys) -> Keys:
    """Return unsigned integers in the order of integers of the same size.

    Examples
    --------
    >>> unsigned(np.int8([-128, 0, 127]))
    array([  0, 128, 255], dtype=uint8)
    """
    bits = numbers.view(f"u{numbers.itemsize}")
    return bits if numbers.dtype.kind == "u" else np.asarray(bits ^ _sign(bits.dtype))


def encode(keys: Keys) -> Keys:
    """Return the codes of keys: −0.0 has that of 0.0, and every NaN has the largest, all ones.

    Examples
    --------
    >>> [hex(int(value)) for value in encode(np.float32([-1, -0.0, 0.0, 1, np.nan]))]
    ['0x40800000', '0x80000000', '0x80000000', '0xbf800000', '0xffffffff']
    """
    if keys.dtype.kind != "f":
        return unsigned(keys)
    numbers, magnitude = keys.view(f"i{keys.itemsize}"), 8 * keys.itemsize - 1
    flipped = np.asarray(numbers >> magnitude)
    flipped |= -1 << magnitude  # all bits of a key with a sign, the sign alone of others
    flipped ^= numbers
    flipped += numbers < 0  # −0.0 comes just before 0.0: the two zeros become one
    codes = flipped.view(f"u{keys.itemsize}")
    codes[nans(keys)] = (1 << 8 * codes.itemsize) - 1
    return codes


def nans(keys: Keys) -> Mask:
    """Return which keys are NaN; of half floats by their bits, as NumPy compares them slowly.

    Examples
    --------
    >>> nans(np.float16([1, np.nan, -np.inf]))
    array([False,  True, False])
    """
    if keys.dtype.char != "e":
        return np.isnan(keys)
    infinity = np.array(np.inf, keys.dtype).view(np.uint16)
    return np.asarray((keys.view(np.uint16) & np.uint16(0x7FFF)) > infinity)


def magnitudes(keys: Any) -> Any:
    """Return |x| of an array: signed integers as unsigned ones, so that |min| fits.

    Examples
    --------
    >>> magnitudes(np.int8([-128, 5]))
    array([128,   5], dtype=uint8)
    """
    if keys.dtype.kind == "u":
        return keys
    unsigned = f"u{keys.dtype.itemsize}"
    if keys.dtype.kind == "i":
        return abs(keys).view(unsigned)
    bits = keys.view(unsigned)
    return (bits & bits.dtype.type((1 << (8 * keys.dtype.itemsize - 1)) - 1)).view(keys.dtype)


def decode(codes: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the keys of codes.

    Examples
    --------
    >>> decode(encode(np.float32([-1, 2.5])), np.dtype(np.float32))
    array([-1. ,  2.5], dtype=float32)
    """
    if dtype.kind == "u":
        return codes
    numbers = (codes ^ _sign(codes.dtype)).view(f"i{codes.itemsize}")
    if dtype.kind == "f":
        numbers -= numbers < 0
    return from_ordinals(numbers, dtype).view(dtype)


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
    integer, floating = PACKED[dtype.itemsize]
    return dtype.type(struct.unpack(floating, struct.pack(integer, bits))[0])


def _sign(dtype: np.dtype[Any]) -> Any:
    """Return the highest bit of an unsigned integer."""
    return dtype.type(1 << (8 * dtype.itemsize - 1))
