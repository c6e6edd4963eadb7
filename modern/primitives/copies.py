"""Copies of some keys on a GPU: one read of all, one write of those.

The order of the keys is not kept. With a known size the copy has exactly that much room, and
nobody waits for it. Otherwise there is room for 1 in 16 keys at first, and if that is too little
the kernel runs again with as much as it takes.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Self

import numpy as np

from modern.launching.launch import room
from modern.primitives.histograms import Histograms
from shadersort.keys.codes import code
from shadersort.keys.types import Key
from shadersort.selection.primitives import Buckets, Counts, Primitives

__all__ = ["Copies", "copying", "flagged", "room_for_some"]

SHARE = 16
LEAST_ROOM = 1 << 20

WIDE, NARROW = 4, 2
"""Loads in flight of each thread, if two tiles of so many fit into shared memory, or not."""

THREADS = 512
BLOCKS = 2
"""For each multiprocessor, with 64 registers a thread."""

STATIC = 24 << 10
"""Bytes of shared memory that a kernel has beside its tiles, with buckets of 16 intervals."""


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
        kept, counts = self._copied(
            "parted", (self._bits(low), self._bits(high)), None, True, HANDED_ON=0
        )
        return *self._at_ends(low, high, *counts), kept

    def _at_ends(
        self, low: Key, high: Key, inside: int, below: int, equal: int, equal_high: int
    ) -> tuple[Counts, Counts]:
        """Return the counts at two pivots from what kernels/parted.cu counts."""
        at_low = Counts(below, equal, self.size - below - equal)
        if low == high:
            return at_low, at_low
        below_high = below + equal + inside
        return at_low, Counts(below_high, equal_high, self.size - below_high - equal_high)

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
        shape, launch = copying(self._launcher.most_shared)
        kernel = self._launcher.kernel(name, **shape, **macros)
        place = room_for_some(self.size) if count is None else count
        while True:
            chosen = room(place, self.dtype)
            arguments = (*self._all, *choice, chosen, np.uint64(place))
            found = self._launcher.copied(kernel, arguments, count, **launch)
            self.traffic.add(self.size, min(found[0], place))
            if found[0] <= place:
                return self._of(chosen[: found[0]], numbers), found
            place = found[0]


@cache
def copying(most_shared: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the macros of a copy, and how it is launched: with memory for two tiles of keys.

    Examples
    --------
    >>> copying(64 << 10)
    ({'THREADS': 512, 'UNROLL': 2}, {'threads': 512, 'blocks': 2, 'shared': 32768})
    """
    tiles = 2 * THREADS * 16
    unroll = WIDE if most_shared >= WIDE * tiles + STATIC else NARROW
    launch = {"threads": THREADS, "blocks": BLOCKS, "shared": unroll * tiles}
    return {"THREADS": THREADS, "UNROLL": unroll}, launch


def room_for_some(size: int) -> int:
    """Return for how many of so many keys there is room, where nobody knows how many are copied.

    Examples
    --------
    >>> room_for_some(1000), room_for_some(1 << 28)
    (1000, 16777216)
    """
    return min(size, max(LEAST_ROOM, size // SHARE))


def flagged(count: int) -> int:
    """Return how many bits there are for so many buckets: one of a few sizes.

    Examples
    --------
    >>> flagged(1000), flagged(8190), flagged(30000)
    (8192, 8192, 32768)
    """
    return max(1 << (count - 1).bit_length(), 1 << 13)
