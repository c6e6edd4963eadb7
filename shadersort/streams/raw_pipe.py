"""`RawPipe`: numbers that come through a pipe one after the other, read straight into memory."""

import math
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np

from shadersort.errors import BadOption, ForeignFile, TruncatedFile
from shadersort.keys.files import npy_header
from shadersort.keys.reading.binary import check_number
from shadersort.keys.types import Keys

WIDE = 1 << 20
"""Bytes of a pipe: a process without rights may ask for so many, and they come twice as fast."""


class RawPipe:
    """An open binary file, or a pipe, of raw numbers or with a `.npy` file in it.

    Parameters
    ----------
    file
        What has the methods `read` and `readinto`; it must wait for its bytes.
    dtype
        The type of raw numbers; None for a `.npy` file, which says its own.
    offset
        Bytes to skip before raw numbers.

    Raises
    ------
    ForeignFile, TruncatedFile, UnsupportedKeys, BadOption
        There are no such numbers, or not all of them; or the file does not wait.

    Examples
    --------
    >>> import io
    >>> pipe = RawPipe(io.BytesIO(np.arange(5.0).tobytes()), np.dtype(np.float64), 16)
    >>> pipe.read_into(np.empty(2)), pipe.read_into(np.empty(2))
    (array([2., 3.]), array([4.]))
    """

    def __init__(self, file: Any, dtype: np.dtype[Any] | None, offset: int = 0) -> None:
        name = getattr(file, "name", None)
        self._file, self._name = file, name if isinstance(name, str) else "the pipe"
        widen(file)
        self._left: int | None = None
        if dtype is None:
            if offset:
                raise BadOption("offset= is for raw numbers: pass their dtype=, too")
            shape, dtype = npy_header(file, self._name, "numbers; raw numbers need a dtype=")
            self._left = math.prod(shape) * dtype.itemsize
        check_number(dtype, self._name)
        self.dtype = dtype
        if offset and self._fill(memoryview(bytearray(offset))) < offset:
            raise TruncatedFile(f"{self._name} ends within the {offset:,} bytes to be skipped")

    def read_into(self, room: Keys) -> Keys:
        """Fill an array of this type; return its filled part, which is empty at the end."""
        most = room.nbytes if self._left is None else min(room.nbytes, self._left)
        got = self._fill(room.view(np.uint8).data[:most])
        if self._left is not None:
            self._left -= got
        cut_off = got % self.dtype.itemsize if self._left is None else got < most
        if cut_off:
            raise TruncatedFile(f"{self._name} is cut off: it ends within its numbers")
        if self._left == got == 0 and self._file.read(1):
            raise ForeignFile(f"{self._name} holds more than its numbers")
        return room[: got // self.dtype.itemsize]

    def reading(self) -> Callable[[Keys], int]:
        """Return a function that fills arrays until one is not full, and then none any more."""
        ended = False

        def read(room: Keys) -> int:
            nonlocal ended
            if ended:
                return 0
            got = len(self.read_into(room))
            ended = got < len(room)
            if ended and got:
                self.read_into(room[:0])  # raises an error if there is more than the numbers
            return got

        return read

    def _fill(self, rest: memoryview) -> int:
        """Fill memory until it is full or the file ends; return how many bytes there are."""
        whole = len(rest)
        while len(rest):
            got = self._file.readinto(rest)
            if got is None:
                raise BadOption(f"{self._name} does not wait for its bytes: make it blocking")
            if not got:
                break
            rest = rest[got:]
        return whole - len(rest)


def widen(file: Any) -> None:
    """Let a pipe hold more bytes, where the system can do that."""
    with suppress(ImportError, AttributeError, OSError, ValueError):  # only Linux's pipes are wider
        control: Any = import_module("fcntl")
        control.fcntl(file.fileno(), control.F_SETPIPE_SZ, WIDE)
