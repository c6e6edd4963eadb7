"""Quickselect (Hoare 1961): count at a pivot, and continue with the side that has the rank.

The pivot is the median of three keys drawn at random, so no order of the keys is bad for long. With
many ranks, every side with a rank is divided again: the multiple quickselect of Alsuwaiyel, to
which Blanchard et al. 2015, section 3.2, compare their method.
"""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.in_order import in_order
from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts, Primitives
from shadersort.selection.selection import Selection


def quickselect(selection: Selection, *, few: int | None = None, seed: int = 0) -> Key:
    """Divide the keys at pivots until few are left with the rank.

    Parameters
    ----------
    few
        The division ends, after one pivot at least, when this many keys are left or fewer; None
        for the device's default.
    seed
        Seed of the draws of pivots.
    """
    return _quickselect_many(selection, few=few, seed=seed)[0]


def _quickselect_many(selection: Selection, *, few: int | None = None, seed: int = 0) -> Keys:
    """Divide the keys at pivots until few are left with each rank.

    The parameters are those of `quickselect`.
    """
    few = selection.keys.tuning.few if few is None else few
    work = _Work(selection, seed)
    work.divide(_Part(selection.keys, 0, 0, selection.ranks.size))
    while work.parts:
        part = work.parts.pop()
        if part.keys.size <= max(few, 1):
            work.finish(part)
        else:
            work.divide(part)
    return work.answers


@dataclass(frozen=True, slots=True)
class _Part:
    """Keys that hold ranks number `first` to `until` − 1; `before` other keys are below them."""

    keys: Primitives
    before: int
    first: int
    until: int


class _Work:
    """The parts that are still to be divided, and the answers found so far."""

    def __init__(self, selection: Selection, seed: int) -> None:
        self.selection, self.seed = selection, seed
        self.ks = selection.ranks
        self.answers = np.empty(self.ks.size, selection.keys.dtype)
        self.found = 0
        self.parts: list[_Part] = []

    def finish(self, part: _Part) -> None:
        """Answer all ranks of a small part."""
        ks = self.ks[part.first : part.until]
        found = self.selection.finish(part.keys, ks, ks - part.before)
        self.answers[part.first : part.until] = found
        self.found += ks.size

    def divide(self, part: _Part) -> None:
        """Divide some keys at a pivot, and keep the sides that have ranks."""
        self.seed += 1
        pivot = in_order(part.keys.sample(3, self.seed))[1]
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

METHOD = Method("quickselect", quickselect, needs=NEEDS, many=_quickselect_many, needs_many=NEEDS)
