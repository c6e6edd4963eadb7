"""Keys by their rank on a GPU: one by dividing codes, in one launch; one or several by a sort.

One rank among many may be looked for between two keys of a sample. Then three kernels run in a row:
the device finds two keys of a sample, copies what lies between, and finds the rank in the copy,
before anything is known here.
"""

import struct
from collections.abc import Callable, Sequence
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.launching.launch import guarded, room
from modern.primitives.bucket_multi_select import SelectionAround
from modern.primitives.copies import copying, room_for_some
from modern.primitives.gpu_keys import FEW, SAMPLES
from modern.primitives.ordering import ordered
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import Bracketed, By, Counts

__all__ = ["Ranking"]

RANKED = struct.Struct("=QQQQQQ")
COUNTED, ENDS = 6, 16
"""Where in the results others are left: what parted.cu counts, and two keys of a sample."""

PROBES, SOME = 32, 1 << 14
"""Keys that a search reads at once, if there are some searches only: more have enough to read."""

THREADS = 1024

LOADS = 4, 2, 1
"""Loads in flight of each thread: as many as have two tiles in shared memory."""

EACH = 1 << 14
"""Keys that keep a block busy."""

STATIC = 17 << 10
"""Bytes of shared memory for counters and what blocks share beside them."""


class Ranking(SelectionAround):
    """The primitives that find keys by their rank."""

    def ranked(
        self, ranks: Sequence[int] | Integers, *, by: By = "digits"
    ) -> tuple[Keys, Integers, Integers]:
        """Return the keys of some ranks, how many come before each, and how many equal it.

        One rank is found by dividing the codes, unless it is by a sort; for several the keys are
        sorted.
        """
        if len(ranks) == 1 and by != "sort":
            return self._ranked_one(int(ranks[0]), by == "width")
        count = len(ranks)
        found = self._looked_up(self._sorted(cupy.sort), ranks)
        if found[-1]:  # a NaN with a sign, which CuPy puts first
            found = self._looked_up(self._sorted(ordered), ranks)
        self.traffic.read += count
        keys, below, equal = found[:count], found[count : 2 * count], found[2 * count : 3 * count]
        return keys.astype(self._launcher.raw).view(self.dtype), below, equal

    def _sorted(self, sort: Callable[[Any], Any]) -> Any:
        moves = self.size * self.dtype.itemsize  # a radix sort moves every key once a byte
        self.traffic.add(moves, moves)
        with guarded(2 * self.size, self.dtype):
            return sort(self.keys)

    def _looked_up(self, keys: Any, ranks: Sequence[int] | Integers) -> Integers:
        """Return what kernels/ranked.cu finds in keys that are in order."""
        table = self._launcher.lent(np.asarray(ranks, np.uint64))
        arguments = (keys, np.uint64(self.size), table, np.uint32(len(ranks)))
        probes = PROBES if len(ranks) <= SOME else 1
        kernel = self._launcher.kernel("ranked", PROBES=probes)
        return self._launcher.listed(kernel, arguments, probes * len(ranks), 3 * len(ranks) + 1)

    def _ranked_one(self, rank: int, by_width: bool) -> tuple[Keys, Integers, Integers]:
        place = room_for_some(self.size) if self.size > FEW else 0
        tiles = 2 * 16 * THREADS
        unroll = next(n for n in LOADS if self._launcher.most_shared >= n * tiles + STATIC)
        chosen = room(place, self.dtype)
        bits, below, equal, *readings, copied = self._launcher.together(
            self._launcher.kernel(
                "ranked_one", THREADS=THREADS, UNROLL=unroll, BY_WIDTH=int(by_width), HANDED_ON=0
            ),
            (*self._all, np.uint64(rank), chosen, np.uint64(place)),
            RANKED,
            threads=THREADS,
            blocks=-(-self.size // EACH),
            shared=unroll * tiles if place else 0,
        )
        self.traffic.add(readings[0] * self.size + readings[1] * copied, copied)
        return self._keys([bits]), np.array([below]), np.array([equal])

    def _keys(self, bits: Sequence[int] | npt.NDArray[np.uint64]) -> Keys:
        return np.asarray(bits, np.uint64).astype(self._launcher.raw).view(self.dtype)

    def bracketed(self, rank: int, samples: int, seed: int, lower: int, upper: int) -> Bracketed:
        """Look for the key of a rank between two keys of a sample.

        It is done step by step for samples of another size, and for a NaN, which is no pivot. If
        there was too little room for what lies between, that is copied again, into enough.
        """
        if samples != SAMPLES:
            return super().bracketed(rank, samples, seed, lower, upper)
        launcher, place = self._launcher, room_for_some(self.size)
        pivots, counted = launcher.scratch(2, 4)
        drawn = np.uint64((seed << 32) % 2**64), np.uint32(lower), np.uint32(upper)
        launcher.run(
            launcher.kernel("sample_ends", THREADS=THREADS, SAMPLES=SAMPLES),
            (*self._all, *drawn, pivots, launcher.result(ENDS)),
            threads=THREADS,
            blocks=1,
        )
        chosen = room(place, self.dtype)
        shape, launch = copying(launcher.most_shared)
        launcher.run(
            launcher.kernel("parted", **shape, HANDED_ON=1),
            (*self._all, pivots, chosen, np.uint64(place), *launcher.counters, counted),
            **launch,
        )
        bits, below, equal, readings, _, _ = launcher.together(
            launcher.kernel("ranked_one", THREADS=THREADS, UNROLL=2, BY_WIDTH=0, HANDED_ON=1),
            (chosen, np.uint64(place), np.uint64(rank), chosen, np.uint64(0), counted),
            RANKED,
            threads=THREADS,
            blocks=-(-place // EACH),
        )
        counts = launcher.left(COUNTED, 4).tolist()
        inside, before = counts[0], counts[1] + counts[2]
        low, high = self._keys(launcher.left(ENDS, 2).view(np.uint64))
        self.traffic.read += samples
        self.traffic.add(self.size, min(inside, place))
        if high != high:
            return super().bracketed(rank, samples, seed, lower, upper)
        ends, at_ends = (low, high), self._at_ends(low, high, *counts)
        if not before <= rank < before + inside:
            return Bracketed(ends, at_ends, inside)
        if inside > place:
            del chosen
            keys, (below,), (equal,) = self.between(low, high, count=inside).ranked([rank - before])
        else:
            self.traffic.add(readings * inside)
            keys = self._keys([bits])
        below += before
        at_key = Counts(int(below), int(equal), self.size - int(below) - int(equal))
        return Bracketed(ends, at_ends, inside, keys[0], at_key)
