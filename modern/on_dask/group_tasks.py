"""Questions to a partition of a Dask data frame: about the keys of each group of its rows.

Keys are asked about by their codes, unsigned integers in the order of the keys, all of 64 bits
here. Rows without a key, or without a group, are left out, as pandas does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import UnsupportedKeys
from shadersort.keys.accepted import selectable
from shadersort.keys.codes import encode
from shadersort.keys.types import Integers

Codes = npt.NDArray[np.uint64]

SAMPLED = 1 << 17
"""About so many keys are sampled from all groups together."""

MOST_OF_ONE = 1 << 10
"""At most so many keys are sampled from one group."""


@dataclass(frozen=True)
class Columns:
    """What is asked for: the columns whose words name groups, and that of the keys."""

    by: tuple[Any, ...]
    keys: Any
    dtype: np.dtype[Any]

    def read(self, frame: Any) -> tuple[Any, Codes]:
        """Return the rows of a partition that have a key, and the codes of these keys."""
        frame = frame[frame[self.keys].notna()]
        array = frame[self.keys].to_numpy()
        if array.dtype != self.dtype:
            raise UnsupportedKeys(
                f"a partition has keys of {array.dtype}, and the frame says {self.dtype}: pass "
                "partitions of one type, frame.astype(...)"
            )
        return frame, encode(selectable(np.ascontiguousarray(array))[0]).astype(np.uint64)

    def labels(self, frame: Any) -> Any:
        """Return what names the group of each row, as an index of pandas."""
        some = frame.set_index(list(self.by)).index
        return some.astype(some.categories.dtype) if some.dtype == "category" else some


@dataclass(frozen=True)
class Known:
    """What a first round says: which groups there are, how many keys each has, and a sample.

    Attributes
    ----------
    groups
        What names groups, in order: an index of pandas.
    counts
        How many keys each group has.
    ids, codes, draws
        Of sampled keys the place of the group, the code, and a random number: those with the
        smallest numbers are kept.
    """

    groups: Any
    counts: Integers
    ids: Integers
    codes: Codes
    draws: npt.NDArray[np.float64]

    def kept(self) -> "Known":
        """Return the same with few sampled keys of each group."""
        few = min(max(SAMPLED // max(len(self.groups), 1), 4), MOST_OF_ONE)
        order = np.lexsort((self.draws, self.ids))
        ids = self.ids[order]
        place = np.arange(ids.size) - np.searchsorted(ids, ids)
        some = order[place < few]
        return Known(self.groups, self.counts, self.ids[some], self.codes[some], self.draws[some])


@dataclass(frozen=True)
class Sampled:
    """Counts the keys of each group, and draws some."""

    columns: Columns
    seed: int

    def __call__(self, frame: Any) -> Known:
        """Return what is known of a partition."""
        every = self.columns.labels(frame)
        groups = every[~_nameless(every)].unique()
        some, codes = self.columns.read(frame)
        ids = groups.get_indexer(self.columns.labels(some))
        ids, codes = ids[ids >= 0], codes[ids >= 0]
        counts = np.bincount(ids, minlength=len(groups))
        return Known(groups, counts, ids, codes, _draws(self.seed, ids.size)).kept()


def _nameless(labels: Any) -> Any:
    """Return which rows have no group, as a part of its name is missing."""
    if labels.nlevels == 1:
        return labels.isna()
    return np.any([code < 0 for code in labels.codes], axis=0)


def _draws(seed: int, count: int) -> npt.NDArray[np.float64]:
    return np.random.default_rng(seed).random(count)


def all_known(some: Sequence[Known]) -> Known:
    """Return what is known of several partitions together."""
    some = [each for each in some if len(each.groups)] or list(some[:1])
    groups = some[0].groups.append([each.groups for each in some[1:]]).unique().sort_values()
    counts, ids = np.zeros(len(groups), np.int64), []
    for each in some:
        places = groups.get_indexer(each.groups)
        counts[places] += each.counts
        ids.append(places[each.ids])
    codes, draws = (
        np.concatenate([getattr(each, name) for each in some]) for name in ("codes", "draws")
    )
    return Known(groups, counts, np.concatenate(ids), codes, draws).kept()


@dataclass(frozen=True)
class CountsBelow:
    """Counts keys below pivots, in the group of each; pivots ascend by group and code."""

    columns: Columns
    groups: Any
    ids: Integers
    pivots: Codes

    def __call__(self, frame: Any) -> Integers:
        """Return how many keys of its group are below each pivot."""
        frame, codes = self.columns.read(frame)
        ids = self.groups.get_indexer(self.columns.labels(frame))
        ids, codes = ids[ids >= 0], codes[ids >= 0]
        is_key = np.repeat([False, True], [self.ids.size, ids.size])
        both = np.concatenate([self.ids, ids])
        order = np.lexsort((is_key, np.concatenate([self.pivots, codes]), both))
        passed = np.cumsum(is_key[order])[~is_key[order]]  # keys before each pivot, of all groups
        before = np.cumsum(np.bincount(ids, minlength=len(self.groups) + 1))
        return np.asarray(passed - np.append(0, before)[self.ids])


@dataclass(frozen=True)
class Inside:
    """Copies the keys in intervals of codes, ends included, which ascend and do not overlap."""

    columns: Columns
    groups: Any
    ids: Integers
    low: Codes
    high: Codes

    def __call__(self, frame: Any) -> tuple[Integers, Codes]:
        """Return the interval of each key that is in one, and the code of this key."""
        frame, codes = self.columns.read(frame)
        ids = self.groups.get_indexer(self.columns.labels(frame))
        is_key = np.repeat([False, True], [self.ids.size, ids.size])
        both = np.concatenate([self.low, codes])
        order = np.lexsort((is_key, both, np.concatenate([self.ids, ids])))
        last = np.cumsum(~is_key[order]) - 1  # the last interval that starts before each key
        places = np.empty(ids.size, np.int64)
        places[order[is_key[order]] - self.ids.size] = last[is_key[order]]
        inside = (places >= 0) & (ids == self.ids[places]) & (codes <= self.high[places])
        return places[inside], codes[inside]


def all_inside(some: Sequence[tuple[Integers, Codes]]) -> tuple[Integers, Codes]:
    """Return the copied keys of several partitions."""
    return np.concatenate([each for each, _ in some]), np.concatenate([each for _, each in some])
