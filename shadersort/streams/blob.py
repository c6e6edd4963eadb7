"""Summaries as bytes: a head with the kind and the parameters, plain arrays, and a digest.

The format is our own because `pickle` runs code when it is read, and `np.savez` has no digest and
not the same bytes everywhere.

    magic    8 bytes, "SSUMMARY"
    version  2 bytes, little-endian, as every number here
    length   4 bytes, of the head
    head     JSON: the kind, its parameters, and the type and length of each array
    arrays   one after the other, as they lie in memory on a little-endian machine
    digest   16 bytes, BLAKE2b of all that comes before

The digest is checked first, so a lost or changed byte is noticed. Then the summary checks that the
arrays can be its state, and that it would write the same bytes: no other array, parameter or type.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary

MAGIC = b"SSUMMARY"
VERSION = 1
DIGEST = 16
FIXED = len(MAGIC) + 2 + 4  # bytes before the head
STORED = frozenset(
    ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "|S16"]
)
"""The types of arrays as they are written in the head."""


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """The content of the bytes of a summary."""

    kind: str  # the name of its class
    parameters: Mapping[str, Any]  # the arguments of its constructor, as JSON knows them
    arrays: Mapping[str, npt.NDArray[Any]]  # its state: flat arrays of numbers by their names


def pack(blob: Blob) -> bytes:
    """Return a summary as bytes; equal summaries give equal bytes, on every machine."""
    little = {
        name: array.astype(array.dtype.newbyteorder("<"), copy=False)
        for name, array in blob.arrays.items()
    }
    shapes = [[name, array.dtype.str, len(array)] for name, array in little.items()]
    head = {"kind": blob.kind, "parameters": dict(blob.parameters), "arrays": shapes}
    text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode("ascii")
    start = MAGIC + VERSION.to_bytes(2, "little") + len(text).to_bytes(4, "little")
    body = b"".join([start, text, *(array.tobytes() for array in little.values())])
    return body + blake2b(body, digest_size=DIGEST).digest()


def unpack(data: bytes) -> Blob:
    """Return the content of bytes; raise CorruptSummary if they are no summary, or too new."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise CorruptSummary(f"a summary is read from bytes, not from {type(data).__name__}")
    data = bytes(data)
    if len(data) < FIXED + DIGEST or not data.startswith(MAGIC):
        raise CorruptSummary("these bytes are no summary: they do not begin like one")
    version = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 2], "little")
    if version != VERSION:
        raise CorruptSummary(f"this summary has version {version}; {VERSION} can be read")
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if blake2b(body, digest_size=DIGEST).digest() != digest:
        raise CorruptSummary("the summary is damaged: its digest is not that of its bytes")
    try:
        position = FIXED + int.from_bytes(body[FIXED - 4 : FIXED], "little")
        head = json.loads(body[FIXED:position])
        arrays = {}
        for name, stored, length in head["arrays"]:
            if stored not in STORED or not 0 <= length <= len(body):
                raise CorruptSummary(f"the array {name!r} is of {stored!r} and {length} long")
            dtype = np.dtype(stored)
            array = np.frombuffer(body, dtype, length, position)
            arrays[name] = array.astype(dtype.newbyteorder("="))
            position += array.nbytes
        kind, parameters = head["kind"], head["parameters"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CorruptSummary(f"the summary cannot be read: {error}") from error
    if position != len(body) or not (isinstance(kind, str) and isinstance(parameters, dict)):
        raise CorruptSummary("the summary has another length than its head says, or no head")
    return Blob(kind, parameters, arrays)
