"""What the answers of parts are together: counts and sums add up, extents join."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias, TypeVar

import numpy as np

from shadersort.keys.types import Integers
from shadersort.selection.primitives.values import Counts, Extent, Objective

T = TypeVar("T")

Join: TypeAlias = Callable[[Sequence[Any]], T]
"""Takes answers; returns what they are together, which can be joined with others again."""


def total(histograms: Sequence[Integers]) -> Integers:
    """Return the sum of histograms."""
    return np.asarray(np.sum(histograms, axis=0, dtype=np.int64))


def sum_of_counts(counts: Sequence[Counts]) -> Counts:
    """Return the counts at a pivot in all parts.

    Examples
    --------
    >>> sum_of_counts([Counts(1, 2, 3), Counts(10, 0, 0)])
    Counts(below=11, equal=2, above=3)
    """
    return Counts(
        below=sum(at.below for at in counts),
        equal=sum(at.equal for at in counts),
        above=sum(at.above for at in counts),
    )


def sums_of_counts(found: Sequence[Sequence[Counts]]) -> list[Counts]:
    """Return the counts at each of several pivots in all parts."""
    return [sum_of_counts(each) for each in zip(*found, strict=True)]


def totals(found: Sequence[tuple[Integers, int]]) -> tuple[Integers, int]:
    """Return the sum of histograms, and that of the numbers beside them."""
    return total([counts for counts, _ in found]), sum(number for _, number in found)


def sum_of_objectives(found: Sequence[Objective]) -> Objective:
    """Return the counts at a pivot and the sums of distances to it in all parts."""
    return Objective(
        sum_of_counts([at.counts for at in found]),
        sum(at.below for at in found),
        sum(at.above for at in found),
    )


def joined(one: Extent, other: Extent) -> Extent:
    """Return the extent of the keys of two parts."""
    with_keys = [each for each in (one, other) if each.finite] or [one]
    return Extent(
        low=min(each.low for each in with_keys),
        high=max(each.high for each in with_keys),
        total=one.total + other.total,
        finite=one.finite + other.finite,
        minus_infinite=one.minus_infinite + other.minus_infinite,
        plus_infinite=one.plus_infinite + other.plus_infinite,
        nans=one.nans + other.nans,
    )


def joined_extents(extents: Sequence[Extent]) -> Extent:
    """Return the extent of the keys of all parts."""
    return reduce(joined, extents)


def least(found: Sequence[Any]) -> Any:
    """Return the least answer of the parts that have one; None if none has.

    Examples
    --------
    >>> least([3, None, 1]), greatest([3, None, 1]), least([None])
    (1, 3, None)
    """
    return min(given(found), default=None)


def greatest(found: Sequence[Any]) -> Any:
    """Return the largest answer of the parts that have one; None if none has."""
    return max(given(found), default=None)


def given(found: Sequence[T | None]) -> list[T]:
    """Return the answers of the parts that have one."""
    return [each for each in found if each is not None]


def sum_of_bits(keys: Any) -> int:
    """Return a sum, modulo 2**64, of all words of 64 bits of a flat array: it shows a change.

    Examples
    --------
    >>> sum_of_bits(np.array([1, 0, 2, 0, 7], np.uint32))
    10
    """
    octets = keys.view(np.uint8)
    whole = octets.size // 8 * 8
    sums = (octets[:whole].view(np.uint64).sum(), octets[whole:].sum())
    return sum(map(int, sums)) % 2**64
