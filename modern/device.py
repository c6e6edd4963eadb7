"""The primitives on a GPU, for CuPy arrays: a call is one kernel, and a few numbers come back."""

import struct
from collections.abc import Callable, Sequence
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.around import SelectionAround
from modern.choosing import Choosing
from modern.copies import room_for_some
from modern.keys import FEW
from modern.launch import guarded, room
from modern.reductions import Reductions
from modern.serial import OneThread
from modern.sorting import ordered
from shadersort.primitives import Keys, Ranks

__all__ = ["CuPyPrimitives"]

RANKED = struct.Struct("=QQQQQQ")
THREADS = 1024

LOADS = 4, 2, 1
"""Loads in flight of each thread: as many as have two tiles in shared memory."""

EACH = 1 << 14
"""Keys that keep a block busy."""

STATIC = 17 << 10
"""Bytes of shared memory for counters and what blocks share beside them."""


class CuPyPrimitives(Reductions, SelectionAround, Choosing, OneThread):
    """Primitives over a CuPy array, which is not changed.

    Strided arrays are copied first, once.
    """

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places."""
        self.traffic.read += count
        start = np.uint64((seed << 32) % 2**64)
        arguments = (*self._all, start, np.uint32(count))
        return self._launcher.gathered(self._launcher.kernel("sample"), arguments, count)

    def sort(self) -> "CuPyPrimitives":
        """Return the keys in order, by CuPy."""
        return self._of(self._sorted(cupy.sort if self._numbers else ordered), self._numbers)

    def _sorted(self, sort: Callable[[Any], Any]) -> Any:
        moves = self.size * self.dtype.itemsize  # a radix sort moves every key once a byte
        self.traffic.add(moves, moves)
        with guarded(2 * self.size, self.dtype):
            return sort(self.keys)

    def ranked(
        self, ranks: Sequence[int] | Ranks, *, by_width: bool = False
    ) -> tuple[Keys, Ranks, Ranks]:
        """Return the keys of some ranks, how many come before each, and how many equal it.

        One rank is found by dividing the codes; for several the keys are sorted.
        """
        if len(ranks) == 1:
            return self._ranked_one(int(ranks[0]), by_width)
        count = len(ranks)
        found = self._looked_up(self._sorted(cupy.sort), ranks)
        if found[-1]:  # a NaN with a sign, which CuPy puts first
            found = self._looked_up(self._sorted(ordered), ranks)
        self.traffic.read += count
        keys, below, equal = found[:count], found[count : 2 * count], found[2 * count : 3 * count]
        return keys.astype(self._launcher.raw).view(self.dtype), below, equal

    def _looked_up(self, keys: Any, ranks: Sequence[int] | Ranks) -> Ranks:
        """Return what kernels/ranked.cu finds in keys that are in order."""
        table = self._launcher.lent(np.asarray(ranks, np.uint64))
        arguments = (keys, np.uint64(self.size), table, np.uint32(len(ranks)))
        kernel = self._launcher.kernel("ranked")
        return self._launcher.listed(kernel, arguments, len(ranks), 3 * len(ranks) + 1)

    def _ranked_one(self, rank: int, by_width: bool) -> tuple[Keys, Ranks, Ranks]:
        place = room_for_some(self.size) if self.size > FEW else 0
        tiles = 2 * 16 * THREADS
        unroll = next(n for n in LOADS if self._launcher.most_shared >= n * tiles + STATIC)
        kernel = self._launcher.kernel(
            "ranked_one", THREADS=THREADS, UNROLL=unroll, BY_WIDTH=int(by_width)
        )
        chosen = room(place, self.dtype)
        bits, below, equal, *readings, copied = self._launcher.together(
            kernel,
            (*self._all, np.uint64(rank), chosen, np.uint64(place)),
            RANKED,
            threads=THREADS,
            blocks=-(-self.size // EACH),
            shared=unroll * tiles if place else 0,
        )
        self.traffic.add(readings[0] * self.size + readings[1] * copied, copied)
        key = np.array([bits], np.uint64).astype(self._launcher.raw).view(self.dtype)
        return key, np.array([below]), np.array([equal])

    def given(self, found: npt.ArrayLike) -> Any:
        """Return numbers, an answer say, as an array on the device."""
        return self._launcher.given(np.asarray(found))

    def take(self, indices: Sequence[int] | npt.NDArray[np.int64]) -> Keys:
        """Return the keys at some places."""
        self.traffic.read += len(indices)
        return self._launcher.fetched(self.keys[cupy.asarray(np.asarray(indices, np.int64))])
