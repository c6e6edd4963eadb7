"""Questions whose answers are keys: keys between pivots, and keys from random places."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Integers, Key
from shadersort.selection.pieces.asking import Step, as_host


class Parted(NamedTuple):
    """What some keys have at pairs of pivots.

    Attributes
    ----------
    counts
        A row for each pair: how many keys are below, equal to and above the low pivot, and the
        same for the high one.
    nans
        How many keys are NaN.
    kept
        For each pair, arrays of the keys strictly between; None if there are too many.
    """

    counts: Integers
    nans: int
    kept: list[list[Any]] | None


@dataclass(frozen=True)
class Parting:
    """The question for counts at pairs of pivots, and for the keys between.

    Attributes
    ----------
    pairs
        Low and high pivots.
    room
        How many keys may be kept, of all pieces together.
    fetch
        Returns the array of a copy of some keys.
    filters
        Steps that copy some keys first.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import on_host
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> parting = Parting([(np.int64(2), np.int64(7))], room=10, fetch=on_host)
    >>> parting(NumPyPrimitives([1, 2, 2, 5, 6, 7, 9]), 0, 0)
    Parted(counts=array([[1, 2, 4, 5, 1, 1]]), nans=0, kept=[[array([5, 6])]])
    """

    pairs: Sequence[tuple[Key, Key]]
    room: int
    fetch: Step
    filters: tuple[Step, ...] = ()
    title = "counting"

    def __call__(self, keys: Any, piece: int, start: int) -> Parted:
        """Return what some keys of a piece have."""
        for step in self.filters:
            keys = step(keys)
        found = keys.parted_each(self.pairs)
        counts = np.array([(*low, *high) for low, high, _ in found], np.int64)
        kept = [[self.fetch(copy)] for _, _, copy in found]
        return self._bounded(counts, keys.size - keys.count_numbers(), kept)

    def join(self, answers: Sequence[Parted]) -> Parted:
        """Add up the counts, and put the keys together while there is room for them."""
        counts, nans, kept = zip(*answers, strict=True)
        if any(each is None for each in kept):
            return Parted(np.sum(counts, axis=0), sum(nans), None)
        lists = [[array for some in each for array in some] for each in zip(*kept, strict=True)]
        return self._bounded(np.sum(counts, axis=0), sum(nans), lists)

    def _bounded(self, counts: Integers, nans: int, kept: list[list[Any]]) -> Parted:
        size = sum(each.size for some in kept for each in some)
        return Parted(counts, nans, kept if size <= self.room else None)


@dataclass(frozen=True)
class Sampling:
    """The question for keys from random places: every 2**halvings-th, as many as there is room for.

    Attributes
    ----------
    room
        How many keys are taken at most; half of that at least, if there are so many.
    seed
        Chooses the first place.
    filters
        Steps that copy some keys first.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> Sampling(room=10, seed=0)(NumPyPrimitives(np.arange(30)), 0, 0)
    (2, [array([ 3,  7, 11, 15, 19, 23, 27])])
    """

    room: int
    seed: int
    filters: tuple[Step, ...] = ()
    title = "sampling"

    def __call__(self, keys: Any, piece: int, start: int) -> tuple[int, list[Any]]:
        """Return some keys, and how often half of them were left out."""
        for step in self.filters:
            keys = step(keys)
        return self._thin([keys.keys], 0, 0, (piece, start))

    def join(self, answers: Sequence[tuple[int, list[Any]]]) -> tuple[int, list[Any]]:
        """Put some keys together: of all pieces the same share."""
        halvings = max(each for each, _ in answers)
        kept = [
            array
            for place, (done, arrays) in enumerate(answers)
            for array in self._thin(arrays, done, halvings, (place, len(answers)))[1]
        ]
        return self._thin(kept, halvings, halvings, (len(kept),))

    def _thin(
        self, kept: list[Any], done: int, halvings: int, where: tuple[int, ...]
    ) -> tuple[int, list[Any]]:
        """Leave out keys until half was left out so often, and there is room for the others."""
        while sum(-(-each.size >> (halvings - done)) for each in kept) > self.room:
            halvings += 1
        step = 1 << (halvings - done)
        starts = np.random.default_rng((self.seed, *where)).integers(0, step, len(kept))
        return halvings, [
            as_host(each[at::step]) for each, at in zip(kept, starts.tolist(), strict=True)
        ]
