"""The primitives over pieces: each call asks every piece, and adds up what they answer.

So a method takes the same steps as on one array, and only its few numbers travel (Beliakov 2011,
section VII). A copy of some keys is a step that every later question takes first; keys that are
known to be few come together in the host's memory instead.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import methodcaller
from typing import Any

import numpy as np

from shadersort.errors import TooManyKeys
from shadersort.keys.accepted import selectable
from shadersort.keys.types import Integers, Keys
from shadersort.selection.pieces.asking import (
    PieceHolder,
    Step,
    Steps,
    len_of,
    on_host,
    working_type,
)
from shadersort.selection.pieces.cutting import Sampling
from shadersort.selection.primitives import Buckets, NumPyPrimitives, Primitives, sampling
from shadersort.selection.primitives.protocol import check_count
from shadersort.selection.primitives.values import (
    Around,
    Counts,
    Extent,
    Objective,
    Traffic,
    Tuning,
)

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

Add = Callable[[Sequence[Any]], Any]
"""Takes answers; returns what they are together, which can be added to others again."""


def add_counts(answers: Sequence[Counts]) -> Counts:
    """Return the counts at a pivot in all pieces.

    Examples
    --------
    >>> add_counts([Counts(1, 2, 3), Counts(10, 0, 0)])
    Counts(below=11, equal=2, above=3)
    """
    return Counts(*(sum(getattr(at, name) for at in answers) for name in Counts.__slots__))


def add_lists(answers: Sequence[Sequence[Counts]]) -> list[Counts]:
    """Return the counts at several pivots in all pieces."""
    return [add_counts(each) for each in zip(*answers, strict=True)]


def add_objectives(answers: Sequence[Objective]) -> Objective:
    """Return the counts at a pivot and the sums of distances to it in all pieces."""
    counts = add_counts([at.counts for at in answers])
    return Objective(counts, sum(at.below for at in answers), sum(at.above for at in answers))


def join_extents(answers: Sequence[Extent]) -> Extent:
    """Return the extent of the keys of all pieces."""
    return reduce(_join_extents, answers)


def _join_extents(one: Extent, other: Extent) -> Extent:
    finite = [each for each in (one, other) if each.finite] or [one]
    names = ("total", "finite", "minus_infinite", "plus_infinite", "nans")
    return Extent(
        low=min(each.low for each in finite),
        high=max(each.high for each in finite),
        **{name: getattr(one, name) + getattr(other, name) for name in names},
    )


def add_arrays(answers: Sequence[Integers]) -> Integers:
    """Return the sum of histograms."""
    return np.asarray(np.sum(answers, axis=0, dtype=np.int64))


def _count_buckets(keys: Primitives, buckets: Buckets) -> tuple[Integers, int]:
    """Return how many keys are in each bucket, and how many are NaN."""
    return keys.histogram_and_nans(buckets)


def _add_pairs(answers: Sequence[tuple[Integers, int]]) -> tuple[Integers, int]:
    """Return the sum of histograms, and that of the numbers beside them."""
    return add_arrays([each for each, _ in answers]), sum(nans for _, nans in answers)


def least(answers: Sequence[Any]) -> Any:
    """Return the least answer of the pieces that have one; None if none has.

    Examples
    --------
    >>> least([3, None, 1]), greatest([3, None, 1]), least([None])
    (1, 3, None)
    """
    return min((each for each in answers if each is not None), default=None)


def greatest(answers: Sequence[Any]) -> Any:
    """Return the largest answer of the pieces that have one; None if none has."""
    return max((each for each in answers if each is not None), default=None)


def _asks(call: str, add: Add) -> Any:
    """Return a method that asks all pieces for a call, and adds up their answers."""

    def ask(self: "Pieces", *args: Any, **options: Any) -> Any:
        return self.ask(add, methodcaller(call, *args, **options))

    ask.__doc__, ask.__name__ = f"Ask all pieces for `{call}`; add up their answers.", call
    return ask


def _copies(call: str) -> Any:
    """Return a method that copies some keys by a call."""

    def copy(self: "Pieces", *args: Any, count: int | None = None, **options: Any) -> Any:
        return self.copy(methodcaller(call, *args, **options), count)

    copy.__doc__, copy.__name__ = f"Copy some keys by `{call}`.", call
    return copy


class Pieces(Primitives):
    """Primitives over pieces; the keys are those of the first piece, then those of the second, ….

    Parameters
    ----------
    pieces
        What holds the pieces.
    filters
        Steps that copy some keys, one after the other.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import ArrayPieces
    >>> keys = Pieces(ArrayPieces([np.array([5, 1]), np.array([4]), np.array([2, 3, 9])]))
    >>> keys.counts(np.int64(4)), keys.between(np.int64(2), None).size
    (Counts(below=3, equal=1, above=2), 4)
    """

    counts = _asks("counts", add_counts)
    counts_at = _asks("counts_at", add_lists)
    extent = _asks("extent", join_extents)
    objective = _asks("objective", add_objectives)
    log_objective = _asks("log_objective", add_objectives)
    at_or_above = _asks("at_or_above", least)
    at_or_below = _asks("at_or_below", greatest)
    digit_histogram = _asks("digit_histogram", add_arrays)
    digit_histograms = _asks("digit_histograms", add_arrays)
    between = _copies("between")
    with_prefixes = _copies("with_prefixes")
    of_buckets = _copies("of_buckets")

    def __init__(
        self,
        pieces: PieceHolder,
        filters: tuple[Step, ...] = (),
        size: int | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        self.pieces, self.filters, self.name = pieces, filters, pieces.name
        self.dtype, self.stand_in = working_type(pieces.dtype)
        self.size = sum(pieces.sizes) if size is None else size
        self.traffic = Traffic() if traffic is None else traffic
        self.tuning = Tuning(
            copies=True, few=pieces.room, digit=DIGIT, counters=pieces.counters, far=True
        )
        self._counted: tuple[Buckets, Integers] | None = None
        self.missing: int | None = None  # how many keys are NaN, once that is known

    def ask(self, add: Add, *steps: Step) -> Any:
        """Ask all pieces to take some steps after the filters; add up their answers."""
        self.traffic.add(self.size)
        return self.pieces.ask(Steps((*self.filters, *steps), add))

    def copy(self, step: Step, count: int | None) -> Primitives:
        """Copy some keys: to the host if they are known to be few, otherwise by a filter."""
        if count is not None and count <= self.pieces.room:
            found = self._gather(step)
            check_count(found.size, count)
            return found
        size = self.ask(sum, step, len_of)
        check_count(size, count)
        return Pieces(self.pieces, (*self.filters, step), size, self.traffic)

    def _gather(self, *steps: Step) -> NumPyPrimitives:
        """Return the keys that some more steps leave, on the host."""
        keys = self.ask(np.concatenate, *steps, on_host)
        self.traffic.written += keys.size
        return NumPyPrimitives(keys, self.traffic)

    def around(self, buckets: Buckets, ranks: Integers, most: int) -> Around:
        """Do as for other keys; if the keys of all wanted buckets are too many, copy none."""
        ends = np.cumsum(histogram := self.bucket_histogram(buckets))
        wanted = np.unique(np.searchsorted(ends, ranks, side="right"))
        copied = wanted[~buckets.single[wanted // buckets.per_interval]]
        few = int(histogram[copied].sum()) <= self.pieces.room
        return super().around(buckets, ranks, most if few else 0)

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket; the last histogram is remembered."""
        if self._counted is None or self._counted[0] is not buckets:
            found, self.missing = self.ask(_add_pairs, partial(_count_buckets, buckets=buckets))
            self._counted = buckets, found
        return self._counted[1]

    def count_numbers(self) -> int:
        """Return how many keys are not NaN: known, if a histogram has counted them."""
        return super().count_numbers() if self.missing is None else self.size - self.missing

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places of all pieces."""
        if self.pieces.scattered and not self.filters:
            return self.take(sampling.places(self.size, count, seed))
        self.traffic.add(self.size)
        found = self.pieces.ask(Sampling((), 4 * count, seed, filters=self.filters))
        keys = np.concatenate(found.kept)
        return np.asarray(keys[sampling.places(keys.size, count, seed)])

    def take(self, indices: Sequence[int] | Integers) -> Keys:
        """Return the keys at some places; where that takes a round, of few keys."""
        if self.filters or not self.pieces.scattered:
            return self._gather().take(indices)
        places = np.asarray(indices, np.int64)
        self.traffic.read += places.size
        ascending, of_place = np.unique(places % self.size, return_inverse=True)
        return np.asarray(selectable(self.pieces.take(ascending))[0][of_place])

    def sort(self) -> NumPyPrimitives:
        """Collect all keys, and return them in order."""
        if self.size > self.pieces.room:
            raise TooManyKeys(
                f"{self.size} keys would be collected from {len(self.pieces.sizes)} pieces, and "
                f"{self.pieces.room} at most can be: use another method, such as 'bucket'"
            )
        return self._gather().sort()

    def searched(self, keys: Keys) -> tuple[Integers, Integers]:
        """Return how many keys are below each given key and how many equal it."""
        counts = self.counts_at(keys)
        return np.array([at.below for at in counts]), np.array([at.equal for at in counts])
