"""The groups of a Dask data frame: their names are found in the round that draws a sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modern.on_dask.group_tasks import Codes, Known, all_known
from shadersort.errors import UnsupportedKeys
from shadersort.keys.accepted import selectable
from shadersort.keys.codes import encode
from shadersort.keys.types import Integers
from shadersort.selection.dask_tasks import Rounds


@dataclass(frozen=True)
class Columns:
    """The columns whose words name groups, that of the keys, and the type of the keys."""

    by: tuple[Any, ...]
    keys: Any
    dtype: np.dtype[Any]

    def read(self, frame: Any) -> tuple[Any, Codes]:
        """Return what names the group of each key, and the codes of keys; leave NaNs out."""
        frame = frame[frame[self.keys].notna()]
        array = frame[self.keys].to_numpy()
        if array.dtype != self.dtype:
            raise UnsupportedKeys(
                f"a partition has keys of {array.dtype}, and the frame says {self.dtype}: pass "
                "partitions of one type, frame.astype(...)"
            )
        codes = encode(selectable(np.ascontiguousarray(array))[0])
        return self.labels(frame), codes.astype(np.uint64)

    def labels(self, frame: Any) -> Any:
        """Return what names the group of each row, as an index of pandas."""
        some = frame.set_index(list(self.by)).index
        return some.astype(some.categories.dtype) if some.dtype == "category" else some


@dataclass(frozen=True)
class Grouped:
    """Reads a partition, whose groups an index of pandas names."""

    columns: Columns

    def read(self, frame: Any, groups: Any) -> tuple[Integers, Codes]:
        """Return the group of each key, and its code."""
        labels, codes = self.columns.read(frame)
        ids = groups.get_indexer(labels)
        return ids[ids >= 0], codes[ids >= 0]


@dataclass(frozen=True)
class _Named:
    """Finds the groups of a partition, counts their keys, and draws some."""

    columns: Columns
    seed: int

    def __call__(self, frame: Any) -> tuple[Any, Known]:
        every = self.columns.labels(frame)
        groups = every[~_nameless(every)].unique()
        ids, codes = Grouped(self.columns).read(frame, groups)
        return groups, Known.of(ids, codes, len(groups), self.seed)


def _nameless(labels: Any) -> Any:
    """Return which rows have no group, as a part of its name is missing."""
    if labels.nlevels == 1:
        return labels.isna()
    return np.any([code < 0 for code in labels.codes], axis=0)


def _all_named(some: Sequence[tuple[Any, Known]]) -> tuple[Any, Known]:
    """Return the groups of several partitions in order, and what is known of them."""
    some = [each for each in some if len(each[0])] or list(some[:1])  # others would have no type
    groups = some[0][0].append([each for each, _ in some[1:]]).unique().sort_values()
    moved = [known.moved(groups.get_indexer(each), len(groups)) for each, known in some]
    return groups, all_known(moved)


def known_groups(rounds: Rounds, columns: Columns) -> tuple[Any, Known]:
    """Return the names of groups, how many keys each has, and a sample, by one round."""
    places = range(len(rounds.keys))
    questions = [_Named(columns, place) for place in places]
    found: tuple[Any, Known] = rounds.joined("sample", places, questions, _all_named)
    return found
