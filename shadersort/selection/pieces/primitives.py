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
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.pieces.asking import (
    PieceHolder,
    Step,
    Steps,
    len_of,
    on_host,
    to_list,
    working_type,
)
from shadersort.selection.pieces.parting import Parting, Sampling
from shadersort.selection.primitives import Buckets, Primitives, sampling
from shadersort.selection.primitives.protocol import check_count
from shadersort.selection.primitives.values import (
    Counts,
    Extent,
    Objective,
    Ranked,
    Traffic,
    Tuning,
)

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""

SAMPLES, MANY = 1 << 14, 1 << 30
"""Keys in a sample, which takes no round. Of many keys, or where it takes one, four times as many:
a narrow bracket saves more than their sort takes."""

Add = Callable[[Sequence[Any]], Any]
"""Takes answers; returns what they are together, which can be added to others again."""


def add_counts(answers: Sequence[Counts]) -> Counts:
    """Return the counts at a pivot in all pieces.

    Examples
    --------
    >>> add_counts([Counts(1, 2, 3), Counts(10, 0, 0)])
    Counts(below=11, equal=2, above=3)
    """
    return Counts(*map(sum, zip(*answers, strict=True)))


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


def count_buckets(keys: Primitives, buckets: Buckets) -> tuple[Integers, int]:
    """Return how many keys are in each bucket, and how many are NaN."""
    return keys.bucket_histogram(buckets), keys.size - keys.count_numbers()


def add_pairs(answers: Sequence[tuple[Integers, int]]) -> tuple[Integers, int]:
    """Return the sum of histograms, and that of the numbers beside them."""
    return add_arrays([each for each, _ in answers]), sum(nans for _, nans in answers)


def chain_lists(answers: Sequence[list[Any]]) -> list[Any]:
    """Return the items of all lists."""
    return [each for some in answers for each in some]


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
    counts_at = _asks("counts_at", add_arrays)
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
        self.scattered = pieces.scattered and not filters
        self.tuning = Tuning(
            copies=True,
            few=pieces.few,
            digit=DIGIT,
            counters=pieces.counters,
            samples=SAMPLES if self.scattered and self.size < MANY else 4 * SAMPLES,
            far=True,
            room=pieces.room,
        )
        self._nans: int | None = None  # how many keys are NaN, once that is known
        self._sampled: dict[tuple[int, int], Keys] = {}

    def ask(self, add: Add, *steps: Step) -> Any:
        """Ask all pieces to take some steps after the filters; add up their answers."""
        self.traffic.add(self.size)
        return self.pieces.ask(Steps((*self.filters, *steps), add))

    def copy(self, step: Step, count: int | None) -> Primitives:
        """Copy some keys: together if they are known to be few, otherwise by a filter."""
        if count is not None and count <= self.pieces.few:
            found = self._gather(self.ask(chain_lists, step, self.pieces.fetch, to_list))
        else:
            size = self.ask(sum, step, len_of)
            found = Pieces(self.pieces, (*self.filters, step), size, self.traffic)
        check_count(found.size, count)
        return found

    def _gather(self, kept: Sequence[Any]) -> Primitives:
        """Return primitives over kept keys together."""
        found = self.pieces.gather(kept, self.traffic)
        self.traffic.written += found.size
        return found

    def parted_each(
        self, pairs: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, Primitives]]:
        """Count at several pairs of pivots, and copy the keys between, in one read.

        The same read counts the NaNs.
        """
        self.traffic.add(self.size)
        question = Parting(pairs, 2 * self.pieces.room, self.pieces.fetch, self.filters)
        counts, self._nans, kept = self.pieces.ask(question)
        found = []
        for place, (pair, row) in enumerate(zip(pairs, counts.tolist(), strict=True)):
            if kept is not None:
                inside = self._gather(kept[place])
            else:
                filters = (*self.filters, methodcaller("between", *pair))
                size = max(row[3] - row[0] - row[1], 0)
                inside = Pieces(self.pieces, filters, size, self.traffic)
            found.append((Counts(*row[:3]), Counts(*row[3:]), inside))
        return found

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, and copy the keys between."""
        return self.parted_each([(low, high)])[0]

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket, and the NaNs."""
        found, self._nans = self.ask(add_pairs, partial(count_buckets, buckets=buckets))
        return found

    def count_numbers(self) -> int:
        """Return how many keys are not NaN: no read, if one has counted them already."""
        return super().count_numbers() if self._nans is None else self.size - self._nans

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places of all pieces; a sample is remembered."""
        if (count, seed) not in self._sampled:
            places = sampling.places(self.size, count, seed)
            if self.scattered:
                found = self.take(np.sort(places))
            else:
                self.traffic.add(self.size)
                _, kept = self.pieces.ask(Sampling(2 * count, seed, self.filters))
                found = on_host(self.pieces.gather(kept, self.traffic))
                found = found[sampling.places(found.size, count, seed)]
            self._sampled[count, seed] = found
        return self._sampled[count, seed]

    def take(self, indices: Sequence[int] | Integers) -> Keys:
        """Return the keys at some places; where that takes a round, of few keys."""
        places = np.asarray(indices, np.int64) % self.size
        if not self.scattered:
            return self._all().take(places)
        self.traffic.read += places.size
        ascending, of_place = np.unique(places, return_inverse=True)
        return np.asarray(selectable(self.pieces.take(ascending))[0][of_place])

    def sort(self) -> Primitives:
        """Collect all keys, and return them in order."""
        return self._all().sort()

    def ranked(self, ranks: Sequence[int] | Integers) -> Ranked:
        """Collect all keys, and look up some ranks."""
        return self._all().ranked(ranks)

    def _all(self) -> Primitives:
        """Return all keys together, if they are few."""
        if self.size > self.pieces.few:
            raise TooManyKeys(
                f"{self.size} keys would be collected from {len(self.pieces.sizes)} pieces, and "
                f"{self.pieces.few} at most can be: use another method, such as 'bucket'"
            )
        return self._gather(self.ask(chain_lists, self.pieces.fetch, to_list))
