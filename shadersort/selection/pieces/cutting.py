"""Cutting: every piece counts at pairs of pivots, and keeps its keys between the two of a pair.

The keys that all pieces keep are bounded: where they are more than there is room for, half of them
are left out at random, again and again. What is left is a sample for the next round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.asking import Step, on_host
from shadersort.selection.primitives import Primitives

Pairs = Sequence[tuple[Key, Key]]
"""Pairs of pivots (low, high), low ≤ high, ascending: no key lies between two of several pairs."""


@dataclass(frozen=True)
class Cut:
    """What some keys have.

    Attributes
    ----------
    counts
        A row for each pair: how many keys are below the low pivot, equal to it, strictly between,
        and equal to the high pivot (0 if that is the low one).
    nans
        How many keys are NaN.
    kept
        Arrays of keys between the pivots of a pair, in no order.
    halvings
        How often half of these was left out; 0 means that they are all.
    """

    counts: Integers
    nans: int
    kept: list[Any]
    halvings: int = 0


@dataclass(frozen=True)
class Cutting:
    """A question: counts at pairs of pivots, and the keys between.

    Attributes
    ----------
    room
        How many keys may be kept.
    seed
        Chooses keys to be left out, if they are more.
    halvings
        How often half of them is left out before: where they are likely to be many more.
    fetched
        Whether keys that a GPU keeps are copied to the host.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> cutting = Cutting([(np.int64(2), np.int64(7))], room=10)
    >>> cut = cutting(NumPyPrimitives([1, 2, 2, 5, 6, 7, 9]), 0, 0)
    >>> cut.counts, cut.kept
    (array([[1, 2, 2, 1]]), [array([5, 6])])
    """

    pairs: Pairs
    room: int
    seed: int = 0
    halvings: int = 0
    fetched: bool = False
    title = "counting"

    def __call__(self, keys: Any, piece: int, start: int) -> Cut:
        """Return what some keys of a piece have."""
        if not isinstance(keys.keys, np.ndarray):
            found = self._on_device(keys)
            return self._thin(found, piece, start) if self.fetched else found
        return self._thin(self._on_host(keys.keys), piece, start)

    def join(self, cuts: Sequence[Cut]) -> Cut:
        """Add up the counts of pieces, and put together what they keep."""
        halvings = max(each.halvings for each in cuts)
        kept = [
            keys
            for place, each in enumerate(cuts)
            for keys in self._halve(each.kept, halvings - each.halvings, (place, len(cuts)))
        ]
        counts = np.sum([each.counts for each in cuts], axis=0)
        found = Cut(counts, sum(each.nans for each in cuts), kept, halvings)
        return found if halvings == 0 and not self._is_full(kept) else self._thin(found, halvings)

    def _on_host(self, keys: Keys) -> Cut:
        """Compare keys with all pivots."""
        nans = int(np.count_nonzero(keys != keys)) if keys.dtype.kind == "f" else 0
        counts, kept = np.zeros((len(self.pairs), 4), np.int64), []
        for row, (low, high) in zip(counts, self.pairs, strict=True):
            between = keys >= low
            row[0] = keys.size - nans - np.count_nonzero(between)
            between &= keys <= high
            found = keys[between]
            row[1] = np.count_nonzero(found == low)
            row[3] = np.count_nonzero(found == high) if low < high else 0
            if row[1] or row[3]:
                found = found[(found != low) & (found != high)]
            row[2] = found.size
            kept.append(found)
        return Cut(counts, nans, kept)

    def _on_device(self, keys: Primitives) -> Cut:
        """Do the same with the calls of any primitives, whose copies stay where they are."""
        counts, kept, nans = [], [], 0
        for low, high in self.pairs:
            at_low, at_high, inside, nans = keys.parted_and_nans(low, high)
            equal = 0 if low == high else at_high.equal
            counts.append((at_low.below, at_low.equal, inside.size, equal))
            some: Any = inside
            kept.append(on_host(some) if self.fetched else some.keys)
        return Cut(np.array(counts, np.int64), nans, kept)

    def _is_full(self, kept: Sequence[Any]) -> bool:
        return isinstance(kept[0], np.ndarray) and sum(each.size for each in kept) > self.room

    def _thin(self, cut: Cut, *where: int) -> Cut:
        """Leave out keys until there is room for the others."""
        halvings = max(cut.halvings, self.halvings)
        kept = self._halve(cut.kept, halvings - cut.halvings, where)
        while self._is_full(kept):
            kept, halvings = self._halve(kept, 1, (*where, halvings)), halvings + 1
        return Cut(cut.counts, cut.nans, kept, halvings)

    def _halve(self, kept: list[Any], times: int, where: tuple[int, ...]) -> list[Any]:
        """Leave out half of some keys, several times: keep each 2**times-th one of an array."""
        if not times:
            return kept
        step = 1 << times
        starts = np.random.default_rng((self.seed, *where)).integers(0, step, len(kept))
        return [each[start::step].copy() for each, start in zip(kept, starts.tolist(), strict=True)]


@dataclass(frozen=True)
class Sampling(Cutting):
    """A question: keys from random places, after some filters; at least half of the room."""

    filters: tuple[Step, ...] = ()
    title = "sampling"

    def __call__(self, keys: Any, piece: int, start: int) -> Cut:
        """Return some of the keys that the filters leave."""
        for step in self.filters:
            keys = step(keys)
        found = Cut(np.zeros((0, 4), np.int64), 0, [on_host(keys)])
        return self._thin(found, piece, start)
