"""Questions to a chunk of an array, or to a partition of a data frame, about groups of its keys.

Keys are asked about by their codes, unsigned integers in the order of the keys, all of 64 bits
here. A *source* reads a chunk: it says of which group each key is. It leaves NaNs out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers

Codes = npt.NDArray[np.uint64]

SAMPLED = 1 << 17
"""About so many keys are sampled from all groups together."""

MOST_OF_ONE = 1 << 10
"""At most so many keys are sampled from one group."""


class Source(Protocol):
    """Reads a chunk of an array, or a partition of a data frame."""

    def read(self, chunk: Any, groups: Any) -> tuple[Integers, Codes]:
        """Return the group of each key, and its code; all chunks share what names groups."""


@dataclass(frozen=True)
class Known:
    """What a first round says: how many keys each group has, and a sample.

    Attributes
    ----------
    counts
        How many keys each group has.
    ids, codes, draws
        Of sampled keys the place of the group, the code, and a random number: those with the
        smallest numbers are kept.
    sum
        Of all keys, as `sum_of` returns it.
    """

    counts: Integers
    ids: Integers
    codes: Codes
    draws: npt.NDArray[np.float64]
    sum: int

    @classmethod
    def of(cls, ids: Integers, codes: Codes, count: int, seed: int) -> "Known":
        """Return what is known of keys in a number of groups."""
        draws = np.random.default_rng(seed).random(ids.size)
        counts = np.bincount(ids, minlength=count)
        return cls(counts, ids, codes, draws, sum_of(codes)).kept()

    def kept(self) -> "Known":
        """Return the same with few sampled keys of each group."""
        few = min(max(SAMPLED // max(self.counts.size, 1), 4), MOST_OF_ONE)
        order = np.lexsort((self.draws, self.ids))
        ids = self.ids[order]
        some = order[np.arange(ids.size) - np.searchsorted(ids, ids) < few]
        return replace(self, ids=self.ids[some], codes=self.codes[some], draws=self.draws[some])

    def moved(self, places: Integers, count: int) -> "Known":
        """Return the same among more groups, given the place of each group there."""
        counts = np.zeros(count, np.int64)
        counts[places] = self.counts
        return replace(self, counts=counts, ids=places[self.ids])


def all_known(some: Sequence[Known]) -> Known:
    """Return what is known of several chunks together, whose groups have the same places."""
    ids, codes, draws = (
        np.concatenate([getattr(each, name) for each in some]) for name in ("ids", "codes", "draws")
    )
    counts = np.sum([each.counts for each in some], axis=0)
    total = sum(each.sum for each in some) % 2**64
    return Known(np.asarray(counts, np.int64), ids, codes, draws, total).kept()


def sum_of(codes: Codes) -> int:
    """Return a sum, modulo 2**64, of all keys: it shows a change."""
    return int(codes.sum()) % 2**64


@dataclass(frozen=True)
class Sampled:
    """Counts the keys of each group, and draws some."""

    source: Source
    seed: int

    def __call__(self, chunk: Any, groups: Any, count: int) -> Known:
        """Return what is known of a chunk, given what names groups, and their number."""
        return Known.of(*self.source.read(chunk, groups), count, self.seed)


@dataclass(frozen=True)
class CountsBelow:
    """Counts keys below pivots, in the group of each; pivots ascend by group and code."""

    source: Source

    def __call__(
        self, chunk: Any, groups: Any, count: int, at: Integers, pivots: Codes
    ) -> tuple[Integers, int]:
        """Return how many keys of its group are below each pivot, and the sum of all keys.

        `at` are the groups of the pivots.
        """
        ids, codes = self.source.read(chunk, groups)
        is_key = np.repeat([False, True], [at.size, ids.size])
        both = np.concatenate([pivots, codes])
        order = np.lexsort((is_key, both, np.concatenate([at, ids])))
        passed = np.cumsum(is_key[order])[~is_key[order]]  # keys before each pivot, of all groups
        before = np.cumsum(np.bincount(ids, minlength=count))
        return passed - np.append(0, before)[at], sum_of(codes)


@dataclass(frozen=True)
class Inside:
    """Copies the keys in intervals of codes, ends included, which ascend and do not overlap."""

    source: Source

    def __call__(
        self, chunk: Any, groups: Any, at: Integers, low: Codes, high: Codes
    ) -> tuple[Integers, Codes, int]:
        """Return the interval of each key that is in one, its code, and the sum of all keys.

        `at` are the groups of the intervals.
        """
        ids, codes = self.source.read(chunk, groups)
        is_key = np.repeat([False, True], [at.size, ids.size])
        both = np.concatenate([low, codes])
        order = np.lexsort((is_key, both, np.concatenate([at, ids])))
        last = np.cumsum(~is_key[order]) - 1  # the last interval that starts before each key
        places = np.empty(ids.size, np.int64)
        places[order[is_key[order]] - at.size] = last[is_key[order]]
        inside = (places >= 0) & (ids == at[places]) & (codes <= high[places])
        return places[inside], codes[inside], sum_of(codes)


def all_inside(some: Sequence[tuple[Integers, Codes, int]]) -> tuple[Integers, Codes, int]:
    """Return the copied keys of several chunks, and the sum of all their keys."""
    places, codes, sums = zip(*some, strict=True)
    return np.concatenate(places), np.concatenate(codes), sum(sums)
