"""Answers of pieces, and what they are together: counts and sums add up, keys come together."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives import Buckets, Primitives
from shadersort.selection.primitives.values import Counts, Extent, Objective
from shadersort.selection.top_keys import order_codes


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
    finite = [each for each in answers if each.finite] or answers[:1]
    names = ("total", "finite", "minus_infinite", "plus_infinite", "nans")
    return Extent(
        low=min(each.low for each in finite),
        high=max(each.high for each in finite),
        **{name: sum(getattr(each, name) for each in answers) for name in names},
    )


def add_arrays(answers: Sequence[Integers]) -> Integers:
    """Return the sum of histograms."""
    return np.asarray(np.sum(answers, axis=0, dtype=np.int64))


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


def count_buckets(keys: Primitives, *_: int, buckets: Buckets) -> tuple[Integers, int]:
    """Return how many keys are in each bucket, and how many are NaN."""
    return keys.bucket_histogram(buckets), keys.size - keys.count_numbers()


def add_buckets(answers: Sequence[tuple[Integers, int]]) -> tuple[Integers, int]:
    """Return the sum of histograms, and that of the NaNs."""
    return add_arrays([each for each, _ in answers]), sum(nans for _, nans in answers)


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


def part(keys: Any, *_: int, pairs: Sequence[tuple[Key, Key]], fetch: Any) -> Parted:
    """Return what some keys of a piece have at pairs of pivots.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import copy_keys
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives([1, 2, 2, 5, 6, 7, 9])
    >>> part(keys, pairs=[(np.int64(2), np.int64(7))], fetch=copy_keys)
    Parted(counts=array([[1, 2, 4, 5, 1, 1]]), nans=0, kept=[[array([5, 6])]])
    """
    found = keys.parted_each(pairs)
    counts = np.array([(*low, *high) for low, high, _ in found], np.int64)
    kept = [[fetch(inside)] for _, _, inside in found]
    return Parted(counts, keys.size - keys.count_numbers(), kept)


def join_parted(answers: Sequence[Parted], room: int) -> Parted:
    """Add up counts, and put keys together while there is room for them."""
    counts, nans, kept = zip(*answers, strict=True)
    lists = None if None in kept else [chain_lists(each) for each in zip(*kept, strict=True)]
    if lists is not None and sum(each.size for some in lists for each in some) > room:
        lists = None
    return Parted(np.sum(counts, axis=0), sum(nans), lists)


Sample = tuple[int, list[Any]]
"""How often half of the keys was left out, and arrays of the others."""


def sample(keys: Any, piece: int, start: int, *, room: int, seed: int, fetch: Any) -> Sample:
    """Return keys from random places of a piece: at most as many as there is room for.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import copy_keys
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives(np.arange(30))
    >>> halvings, (kept,) = sample(keys, 0, 0, room=10, seed=0, fetch=copy_keys)
    >>> halvings, kept.size
    (2, 8)
    """
    return join_samples([(0, [fetch(keys)])], room=room, seed=(seed, piece, start))


def join_samples(answers: Sequence[Sample], *, room: int, seed: Any) -> Sample:
    """Put keys together, the same share of each piece."""
    arrays = [(array, done) for done, kept in answers for array in kept]
    halvings = max(done for done, _ in answers)
    while sum(-(-array.size >> halvings - done) for array, done in arrays) > room:
        halvings += 1
    random = np.random.default_rng(seed)
    return halvings, [
        array if done == halvings else array[random.integers(0, array.size, size)]
        for array, done in arrays
        if (size := -(-array.size >> halvings - done))
    ]


def first(
    keys: Any, piece: int, start: int, *, by: int, count: int, first_of: Any, starts: Any
) -> tuple[Keys, Integers]:
    """Return the first keys of a piece in an order, and their places among all keys.

    `first_of` answers for one piece, and `starts` says where pieces are: see `PieceHolder`.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import first_of_array
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives([3, 9, 3])
    >>> first(keys, 0, 0, by=0, count=2, first_of=first_of_array, starts=[10])
    (array([9, 3]), array([11, 10]))
    """
    values, places = first_of(keys, by, min(count, keys.size))
    places = places + start
    return values, starts(piece, places) if callable(starts) else places + starts[piece]


def join_first(
    answers: Sequence[tuple[Keys, Integers]], *, by: int, count: int
) -> tuple[Keys, Integers]:
    """Return the first keys of several answers: of equal keys, those at the lowest places."""
    values, places = (np.concatenate(each) for each in zip(*answers, strict=True))
    order = np.lexsort((places, order_codes(values, by)))[:count]
    return values[order], places[order]
