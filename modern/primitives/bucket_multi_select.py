"""The keys of some ranks, in copies of their buckets: three kernels in a row, and one wait.

The device itself finds the buckets of the ranks. It copies each to a part of its own, and selects
in all parts at the same time, before anything is known here.
"""

from typing import Any

import numpy as np

from modern.launching.launch import room
from modern.primitives.copies import Copies, copying, flagged, room_for_some
from modern.primitives.histograms import shape_of
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Around, Buckets

__all__ = ["SelectionAround"]

CROWDED = 4
"""Buckets with a rank may have so many times the keys that they have on average."""

PARTS = 1 << 10
"""So many buckets are copied apart at most."""

MOST = 1 << 32
"""So many keys are copied at most: blocks number their places in 32 bits."""

THREADS = 1024


class SelectionAround(Copies):
    """The primitive that counts in buckets and selects in them."""

    def around(self, buckets: Buckets, ranks: Integers, most: int) -> Around:
        """Count in open buckets, and find the keys of some ranks, in copies of their buckets.

        If there was too little room, or ranks are very many, it is done step by step.
        """
        self._check(buckets)
        crowded = CROWDED * ranks.size * self.size // buckets.count
        place = min(self.size, max(room_for_some(self.size), crowded))
        if ranks.size > PARTS or place > MOST or not buckets.open:
            return super().around(buckets, ranks, most)
        found = self._in_parts(buckets, ranks, most, place)
        copies = int(found[0])
        self.traffic.add(self.size)
        self.traffic.add(self.size, min(copies, place))
        if copies > place:
            return super().around(buckets, ranks, most)
        self.traffic.add(copies)
        bucket, before, inside, part, bits, below, equal = found[1:].reshape(7, ranks.size)
        keys = bits.astype(self._launcher.raw).view(self.dtype)
        return Around(bucket, before, inside, part != 0, keys, below, equal, copies)

    def _in_parts(self, buckets: Buckets, ranks: Integers, most: int, place: int) -> Integers:
        """Run the kernels, with room for so many keys, and return what they leave."""
        launcher, asked, bits = self._launcher, ranks.size, flagged(buckets.count)
        macros, division = self._division(buckets)
        lent, count = launcher.lent(ranks.astype(np.uint64)), np.uint32(asked)
        starts, parts, flags, passed, table = launcher.scratch(
            2 * buckets.count + 2, PARTS + bits // 32, bits // 64, bits // 64, 5 * asked
        )
        launcher.run(
            launcher.kernel("around", **macros),
            (
                *(*self._all, division, np.uint32(buckets.count), lent, count, np.uint64(most)),
                *(starts, parts, flags, passed, table, *launcher.counters, launcher.result(0)),
            ),
            **shape_of(buckets),
        )
        chosen: Any = room(place, self.dtype)
        shape, launch = copying(launcher.most_shared)
        launcher.run(
            launcher.kernel("apart", **shape, COUNT=bits, PARTS=PARTS, **macros),
            (*self._all, division, flags, passed, chosen, np.uint64(place), parts),
            **launch,
        )
        launcher.run_blocks(
            launcher.kernel("ranked_parts", THREADS=THREADS),
            (chosen, np.uint64(place), parts, table, count, launcher.result(1 + 4 * asked)),
            asked,
            threads=THREADS,
        )
        return launcher.results(1 + 7 * asked)
