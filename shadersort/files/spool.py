"""Keys in a temporary file."""

import tempfile
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np

from shadersort.errors import ForeignFile
from shadersort.files.arrays import read_all
from shadersort.files.outputs import ROOM, reported, write_all
from shadersort.files.source import Indexed
from shadersort.keys.types import Keys

PIECE = 1 << 18
"""Keys converted at a time."""


class Spool(Indexed):
    """Keys in a temporary file without a name: nothing is left of it, however a process ends.

    Several threads may use it; they take turns.
    """

    def __init__(self, folder: Path, stored: np.dtype[Any], name: str = "the spool") -> None:
        with reported(folder, ROOM):
            self._file: Any = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115
        self._folder, self._lock = folder, Lock()
        self.name, self.stored, self.shape = name, stored, (0,)

    def add(self, keys: Keys) -> int:
        """Append keys; return the place of the first one."""
        with self._lock:
            return self._write(self.size, keys)

    def read(self, first: int, last: int) -> Keys:
        """Return the keys from one place up to another."""
        keys = np.empty(last - first, self.stored)
        with self._lock:
            self._file.seek(first * keys.itemsize)
            read_all(self._file, keys, self.name)
        return keys.astype(self.dtype, copy=False)

    def widen(self) -> None:
        """Convert int64 to float64; raise ForeignFile if that would change a number."""
        for first in range(0, self.size, PIECE):
            floats = self.read(first, min(first + PIECE, self.size)).astype(np.float64)
            if not (np.abs(floats) < 1 << 53).all():
                raise ForeignFile(
                    "the input has both decimals and integers beyond 2**53, which float64 does not "
                    "hold: pass dtype='float64' if all of its integers are exact doubles"
                )
            self._write(first, floats)
        self.stored = np.dtype(np.float64)

    def _write(self, first: int, keys: Keys) -> int:
        self._file.seek(first * self.stored.itemsize)
        write_all(self._file, keys, self._folder)
        self.shape = (max(self.size, first + len(keys)),)
        return first

    def close(self) -> None:
        """Give back the disk's space. Closing twice does nothing."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
