"""Quickselect (Hoare 1961): count at a pivot, and go on with the side that has the rank.

The pivot is the median of three keys drawn at random, so no order of the keys is bad for long. With
many ranks every side that has one of them is gone on with: the multiple quickselect of Alsuwaiyel,
which Blanchard et al. 2015, section 3.2, compare with.
"""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.selection import Selection

__all__ = ["METHOD", "quickselect", "quickselect_many"]


def quickselect(selection: Selection, *, few: int | None = None, seed: int = 0) -> Key:
    """Part the keys at pivots until few are left with the rank.

    Parameters
    ----------
    selection
        Keys and rank.
    few
        So few keys are sorted; with 1 or less they are parted to the end. None for what suits the
        device.
    seed
        Of the draws of pivots.
    """
    return quickselect_many(selection, few=few, seed=seed)[0]


def quickselect_many(selection: Selection, *, few: int | None = None, seed: int = 0) -> Keys:
    """Part the keys at pivots until few are left with each rank.

    Parameters are those of `quickselect`.
    """
    few = selection.keys.tuning.few if few is None else few
    work = _Work(selection, max(few, 1), seed)
    while work.parts:
        part = work.parts.pop()
        if part.keys.size <= work.few:
            work.sort(part)
        else:
            work.divide(part)
    return work.answers


@dataclass(frozen=True, slots=True)
class _Part:
    """Keys that hold the ranks `first` to `until` − 1 , after `before` keys that are not here."""

    keys: Primitives
    before: int
    first: int
    until: int


class _Work:
    """The parts that are left, and the answers found so far."""

    def __init__(self, selection: Selection, few: int, seed: int) -> None:
        self.selection, self.few, self.seed = selection, few, seed
        self.ks = selection.ranks
        self.answers = np.empty(self.ks.size, selection.keys.dtype)
        self.found = 0
        self.parts = [_Part(selection.keys, 0, 0, self.ks.size)]

    def sort(self, part: _Part) -> None:
        """Answer all ranks of a part."""
        ks = self.ks[part.first : part.until]
        found = self.selection.ranked(part.keys, ks, ks - part.before)
        self.answers[part.first : part.until] = found
        self.found += ks.size

    def divide(self, part: _Part) -> None:
        """Part some keys at a pivot, and keep the sides that have ranks."""
        self.seed += 1
        pivot = np.sort(part.keys.sample(3, self.seed))[1]
        counts = part.keys.counts(pivot)
        equal = part.before + counts.below
        above = equal + counts.equal
        first, until = (
            np.searchsorted(self.ks, [equal, above]).clip(part.first, part.until).tolist()
        )
        self.answers[first:until] = pivot
        self.found += until - first
        sides = (first > part.first) * counts.below + (part.until > until) * counts.above
        self.selection.record(
            "pivot",
            pivot=pivot,
            counts=Counts(equal, counts.equal, self.selection.n - above),
            candidates=sum(other.keys.size for other in self.parts) + sides + self.found,
        )
        if first > part.first:
            side = part.keys.between(None, pivot, count=counts.below)
            self._keep(side, part.before, part.first, first)
        if part.until > until:
            side = part.keys.between(pivot, None, count=counts.above)
            self._keep(side, above, until, part.until)

    def _keep(self, side: Primitives, before: int, first: int, until: int) -> None:
        self.parts.append(_Part(side, before, first, until))
        self.selection.record("compact")


NEEDS = ("sample", "counts", "between", "sort", "take")

METHOD = Method("quickselect", quickselect, needs=NEEDS, many=quickselect_many, needs_many=NEEDS)
