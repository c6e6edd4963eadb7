"""PNG files, without a library of pictures."""

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["encode"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return a picture of shape (height, width, 3), the top row first, as the bytes of a PNG file.

    Examples
    --------
    >>> encode(np.zeros((1, 1, 3), np.uint8))[1:4]
    b'PNG'
    """
    height, width, _ = pixels.shape
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    unfiltered: npt.NDArray[Any] = np.zeros((height, 1 + width * 3), np.uint8)
    unfiltered[:, 1:] = pixels.reshape(height, -1)  # before each row, the number of its filter: 0
    data = zlib.compress(unfiltered.tobytes())
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + checksum
