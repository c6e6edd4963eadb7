"""Copies of some keys on a GPU: one read of all, one write of those.

The order of the keys is not kept. With a known size the copy has exactly that much room, and
nobody waits for it. Otherwise there is room for 1 in 16 keys at first, and if that is too little
the kernel runs again with as much as it takes.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from modern.histograms import Histograms, shape_of
from modern.launch import room
from shadersort.primitives import Around, Buckets, Counts, Key, Primitives, Ranks
from shadersort.primitives.codes import code, decode

__all__ = ["Copies"]

SHARE = 16
LEAST_ROOM = 1 << 20

UNROLL = 4
THREADS = 512
BLOCKS = 2
"""For each multiprocessor, with 64 registers a thread."""

CROWDED = 4
"""Buckets with a rank may have so many times the keys that they have on average."""

PARTS = 1 << 10
"""So many buckets are copied apart at most."""

COPYING = {"THREADS": THREADS, "UNROLL": UNROLL}
COPIED = {"threads": THREADS, "blocks": BLOCKS, "shared": 2 * THREADS * UNROLL * 16}
"""The shape of a launch: shared memory for two tiles of keys."""


class Copies(Histograms):
    """The primitives that copy."""

    def between(
        self,
        low: Key | None,
        high: Key | None,
        *,
        closed: bool = False,
        count: int | None = None,
    ) -> Self:
        """Copy the keys between two."""
        first = 0 if low is None else code(low) + (not closed)
        last = self._last_code if high is None else code(high) - (not closed)
        if self.dtype.kind != "f" or last < self._last_code or first > last:
            return self._from_to(first, last, 0, count)
        return self._from_to(first, last, 2 if first > self._ends[1] + 1 else 1, count)

    def _from_to(self, first: int, last: int, nans: int, count: int | None) -> Self:
        """Copy numbers with codes from first to last, and NaNs: with them for 1, alone for 2."""
        if self.dtype.kind == "f":
            first, last = max(first, self._ends[0] - 1), min(last, self._ends[1] + 1)  # infinities
        if first > last and nans != 2:
            self.traffic.add(0)
            return self._of(self.keys[:0], True)
        zero = self._raw(0)
        bits = (zero, zero) if nans == 2 else tuple(map(self._bits_of_code, (first, last)))
        kept, _ = self._copied("between", bits, count, nans == 0, NANS=nans)
        return kept

    def _bits_of_code(self, value: int) -> Any:
        return self._bits(self._key(value))

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, and copy the keys between."""
        if high != high:
            return super().parted(low, high)
        kept, (inside, below, equal, equal_high) = self._copied(
            "parted", (self._bits(low), self._bits(high)), None, True
        )
        if low == high:
            return (Counts(below, equal, self.size - below - equal),) * 2 + (kept,)
        below_high = below + equal + inside
        return (
            Counts(below, equal, self.size - below - equal),
            Counts(below_high, equal_high, self.size - below_high - equal_high),
            kept,
        )

    def with_prefixes(
        self, prefixes: Sequence[int], shift: int, *, count: int | None = None
    ) -> Self:
        """Copy the keys whose codes begin with one of some prefixes."""
        table = self._launcher.given(np.array(prefixes, self._launcher.raw))
        sizes = np.uint32(len(prefixes)), np.uint32(shift)
        kept, _ = self._copied("with_prefixes", (table, *sizes), count, False)
        return kept

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> Self:
        """Copy the keys of some buckets."""
        if len(chosen) > 1 or buckets.open:
            return self._flagged(buckets, self._flags(buckets.count, chosen), count)
        macros, division = self._division(buckets)
        which = division, np.uint32(chosen[0] if chosen else buckets.count)
        kept, _ = self._copied("of_bucket", which, count, True, **macros)
        return kept

    def _flagged(self, buckets: Buckets, flags: Any, count: int | None) -> Self:
        """Copy the keys of the buckets that have a flag."""
        macros, division = self._division(buckets)
        macros = {**macros, "COUNT": flagged(buckets.count)}
        numbers = not buckets.open
        kept, _ = self._copied("of_buckets", (division, flags), count, numbers, **macros)
        return kept

    def around(self, buckets: Buckets, ranks: Ranks, most: int) -> Around:
        """Count in open buckets, and find the keys of some ranks, in copies of their buckets.

        The device finds those buckets itself. It copies each to a part of its own, and selects in
        all parts at the same time, before anything is known here. If there was too little room, or
        ranks are very many, it is done step by step.
        """
        self._check(buckets)
        asked = ranks.size
        if asked > PARTS or self.size >= 1 << 36 or not buckets.open:
            return super().around(buckets, ranks, most)
        macros, division = self._division(buckets)
        crowded = CROWDED * asked * self.size // buckets.count
        place = min(self.size, max(LEAST_ROOM, self.size // SHARE, crowded))
        chosen = room(place, self.dtype)
        bits = flagged(buckets.count)
        starts, parts = room(2 * buckets.count + 2, np.uint64), room(PARTS + bits // 32, np.uint64)
        flags, passed = room(bits // 32, np.uint32), room(bits // 32, np.uint32)
        table = room(4 * asked, np.uint64)
        lent, result = self._launcher.lent(ranks.astype(np.uint64)), self._launcher.result
        count = np.uint32(asked)
        self._launcher.run(
            self._launcher.kernel("around", **macros),
            (
                *(*self._all, division, np.uint32(buckets.count), lent, count, np.uint64(most)),
                *(starts, parts, flags, passed, table, *self._launcher.counters, result(0)),
            ),
            **shape_of(buckets),
        )
        self._launcher.run(
            self._launcher.kernel("apart", **COPYING, COUNT=bits, PARTS=PARTS, **macros),
            (*self._all, division, flags, passed, chosen, np.uint64(place), parts),
            **COPIED,
        )
        self._launcher.run_blocks(
            self._launcher.kernel("ranked_parts", THREADS=1024),
            (chosen, np.uint64(place), parts, table, lent, count, result(1 + 4 * asked)),
            asked,
            threads=1024,
        )
        found = self._launcher.results_after_wait(1 + 7 * asked)
        copies = int(found[0])
        if copies > place:
            return super().around(buckets, ranks, most)
        self.traffic.add(self.size)
        self.traffic.add(self.size, copies)
        self.traffic.add(copies)
        bucket, before, inside, copied, codes, below, equal = found[1:].reshape(7, asked)
        keys = decode(codes.astype(self._launcher.raw), self.dtype)
        return Around(bucket, before, inside, copied != 0, keys, below, equal, copies)

    def _flags(self, count: int, chosen: Sequence[int]) -> Any:
        """Return a bit for each bucket, in words on the device."""
        flags = np.zeros(flagged(count), np.bool_)
        flags[np.asarray(chosen, np.int64)] = True
        return self._launcher.given(np.packbits(flags, bitorder="little").view(np.uint32))

    def _copied(
        self,
        name: str,
        choice: tuple[Any, ...],
        count: int | None,
        numbers: bool,
        **macros: int,
    ) -> tuple[Self, tuple[int, int, int, int]]:
        """Run a copy; again, if there was too little room."""
        kernel = self._launcher.kernel(name, **COPYING, **macros)
        place = min(self.size, max(LEAST_ROOM, self.size // SHARE)) if count is None else count
        while True:
            chosen = room(place, self.dtype)
            arguments = (*self._all, *choice, chosen, np.uint64(place))
            found = self._launcher.copied(kernel, arguments, count, **COPIED)
            self.traffic.add(self.size, min(found[0], place))
            if found[0] <= place:
                return self._of(chosen[: found[0]], numbers), found
            place = found[0]


def flagged(count: int) -> int:
    """Return how many bits there are for so many buckets: one of a few sizes.

    Examples
    --------
    >>> flagged(1000), flagged(8190), flagged(30000)
    (8192, 8192, 32768)
    """
    return max(1 << (count - 1).bit_length(), 1 << 13)
