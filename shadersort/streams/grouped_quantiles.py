"""`GroupedQuantiles`: a `QuantileSummary` for each key of a column, all of them as one."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Generic, Self, SupportsFloat, TypeVar

import numpy as np
import numpy.typing as npt

from shadersort.errors import (
    CorruptSummary,
    SummariesDiffer,
    UnsupportedKeys,
    ValuesMismatch,
)
from shadersort.keys.types import Integers, Keys
from shadersort.names import NaNPolicy
from shadersort.shown import first_rows
from shadersort.streams.checked_options import (
    check_nans,
    check_one_type,
    checked_nan,
    checked_sorter,
)
from shadersort.streams.given_weights import checked_weights
from shadersort.streams.gk_budget import list_budget
from shadersort.streams.group_answers import GroupAnswers, GroupsAnswered
from shadersort.streams.group_labels import (
    Labels,
    label_arrays,
    numbered,
    place_of,
    restored_labels,
    united_labels,
)
from shadersort.streams.group_lists import RANKED, GroupLists, joined
from shadersort.streams.locked import locked
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays, Summary
from shadersort.streams.values import number_type, plain_zeros

One = TypeVar("One")
"""The summary of a group: a `QuantileSummary`."""

WAITING = 1 << 12
"""At least so many rows wait before they are sorted; at most as many as there are entries."""
TOGETHER = 1 << 22
"""Rows that are sorted at once, or as many as there are entries."""


class GroupedQuantiles(GroupsAnswered, Summary, Mapping[Any, One], Generic[One]):
    """Estimates quantiles and ranks in each group of a stream of rows: a key and a value.

    `QuantileSummary.grouped(keys, values)` makes it. Every rank in a group of n values is right to
    within εn, always, and a group of at most 8/ε values is answered exactly. A group holds at most
    8/ε entries or about (2/ε)·log₂(εn), as a `QuantileSummary`, and mostly some 1/ε after
    each shortening; besides, up to as many rows wait as all groups have entries (4,096 if these are
    fewer). All groups are sorted, merged and shortened together, so the time depends on the number
    of rows, and hardly on that of the groups.

    It is a mapping: it has the keys in order, and `groups[key]` returns the `QuantileSummary` of a
    group as it is now, an independent copy. Questions to the mapping are answered for all groups at
    once, as an array whose first axis is that of `labels`: this takes milliseconds for many groups,
    and fits `pandas.Series(groups.median(), groups.labels)` or a column of any other data frame.

    Parameters
    ----------
    epsilon
        The error bound of each group, between 0 and 1.
    dtype, nan, sorter
        As for `QuantileSummary`; the type is that of the values of all groups.

    Examples
    --------
    >>> groups = GroupedQuantiles(0.01).update([7, 3, 7, 7], [2.0, 9.0, 1.0, 4.0])
    >>> groups.labels, groups.sizes, groups.median()
    (array([3, 7]), array([1, 3]), array([9., 2.]))
    >>> groups.update([3], [5.0])[3].quantile([0, 1])
    array([5., 9.])
    >>> groups
    <GroupedQuantiles(epsilon=0.01, nan='omit'): 5 values of 2 groups in 5 entries of float64>
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        nan: NaNPolicy = "omit",
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon)
        self._nan, self.sorter = checked_nan(nan), checked_sorter(sorter)
        self._asked_dtype = self._dtype = None if dtype is None else number_type(dtype)
        self._lists = GroupLists.empty(self._dtype)
        self._rows: tuple[GroupLists, ...] = ()
        self._filled = 0
        self._answers: GroupAnswers | None = None

    @locked
    def update(self, keys: Any, values: Any, weights: Any = None) -> Self:
        """Take in rows: a key and a value each; return this summary.

        If anything fails, the summary stays as it was before. A key whose values are all NaN is no
        group yet.

        Parameters
        ----------
        keys
            Integers or text, the same in all updates: an array, a list or a column of any library.
        values
            Numbers of one type, one for each key.
        weights
            Integers, at least 0, one for each value: a value of weight w counts as w equal values.

        Raises
        ------
        ValuesMismatch
            There are more keys than values, or fewer.
        UnsupportedKeys, KeysNotFlat
            Keys or values are of another type than in earlier updates, or of none that is known.
        BadWeights
            Weights are negative, no integers, or not as many as the values.
        NaNRefused
            A value is NaN, and the summary was made with nan="raise".
        """
        with self._or_as_before():
            numbers = self.sorter.on_host(self.sorter.accepted(values, self._dtype))
            if hasattr(keys, "__cuda_array_interface__"):  # they are numbered on the host
                keys = self.sorter.on_host(self.sorter.accepted(keys, None))
            labels, places = numbered(keys)
            if len(places) != len(numbers):
                raise ValuesMismatch(
                    f"there are {len(places)} keys and {len(numbers)} values: give a key for each "
                    "value"
                )
            given = np.broadcast_to(1, len(numbers)) if weights is None else weights
            self._take(labels, places, numbers, checked_weights(given, len(numbers)))
        return self

    def _take(self, labels: Labels, places: Integers, numbers: Keys, weights: Integers) -> None:
        """Let rows wait, and add them to the lists once they are many."""
        nan = np.isnan(numbers)
        nans = int(weights[nan].sum())
        check_nans(nans, self._nan)
        self._see(int(weights[~nan].sum()), nans)
        if not len(numbers):
            return
        self._adopt(numbers.dtype)
        self._check_alike_keys(labels, UnsupportedKeys)
        kept = np.flatnonzero(~nan & (weights > 0))
        while len(kept):
            some, kept = np.split(kept, [max(TOGETHER, len(self._lists))])
            columns = places[some], plain_zeros(numbers[some]), weights[some]
            rows = GroupLists.of_rows(labels, *columns)
            self._rows, self._filled = (*self._rows, rows), self._filled + len(rows)
            self._answers = None
            if self._filled >= max(WAITING, len(self._lists)):
                self._sort_rows()

    def _adopt(self, dtype: np.dtype[Any]) -> None:
        """Let the first values decide the type."""
        if self._dtype is None:
            self._dtype, self._lists = dtype, GroupLists.empty(dtype)

    def _check_alike_keys(self, labels: Labels, error: type[Exception]) -> None:
        """Raise an error if keys are integers and those of the groups text, or the reverse."""
        for known in (self._lists.labels, *(rows.labels for rows in self._rows[:1])):
            if len(known) and len(labels) and known.dtype != labels.dtype:
                kinds = [
                    "text" if each.dtype.kind == "O" else "integers" for each in (known, labels)
                ]
                raise error("the keys of the groups are {}, and not {}".format(*kinds))

    def _united(self) -> GroupLists:
        """Return the lists with the rows that wait."""
        if not self._filled:
            return self._lists
        with self._timed("sort"):
            rows = joined(self._rows).expanded().in_order(self.sorter.order)
            return self._lists.united(rows)

    def _sort_rows(self) -> None:
        """Add the rows that wait to the lists, and shorten these."""
        lists = self._united()
        with self._timed("compress"):
            self._lists = lists.shortened(list_budget(self._epsilon))
        self._rows, self._filled = (), 0

    def _known(self) -> GroupAnswers:
        """Return what answers for all groups, cached; raise EmptySummary if there are none."""
        self._check_seen()
        if self._answers is None:
            self._answers = GroupAnswers(self._united())
        return self._answers

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None until there are values or a type was given."""
        return self._dtype

    @locked
    def __len__(self) -> int:
        """Return how many groups there are."""
        return len(self._known().sizes) if self._n else 0

    def __iter__(self) -> Iterator[Any]:
        """Yield the keys in order."""
        return iter(self.labels.tolist())

    @locked
    def __getitem__(self, key: Hashable) -> One:
        """Return the summary of a group as it is now, an independent copy; raise KeyError."""
        if not self._n:
            raise KeyError(key)
        lists = self._known().lists
        entries = lists.list_of(place_of(key, lists.labels))
        options = {"dtype": self._asked_dtype, "nan": self._nan, "sorter": self.sorter}
        kind: Any = Summary._kinds["QuantileSummary"]  # its module imports this one
        summary: One = kind._of_list(entries, self._epsilon, **options)
        return summary

    @locked
    def _merge(self, other: Self) -> None:
        check_one_type(self._dtype, other._dtype)
        self._check_alike_keys(other.labels, SummariesDiffer)
        with self._or_as_before():
            self._answers = None
            self._see(other._n, other._nans)
            if other._dtype is not None:
                self._adopt(other._dtype)
            self._rows, self._filled = (*self._rows, *other._rows), self._filled + other._filled
            with self._timed("merge"):
                both = self._lists.united(other._lists)
                self._lists = both.shortened(list_budget(self._epsilon))
            if self._filled >= max(WAITING, len(self._lists)):
                self._sort_rows()

    def _settle(self) -> None:
        """Do nothing: all entries are on the host."""

    def _told(self) -> str:
        nans = f", {self._nans:,} NaNs left out" if self._nans else ""
        typed = f" of {self._dtype}" if self._dtype and not self._asked_dtype else ""
        entries = len(self._lists) + self._filled
        return f"{self._n:,} values of {len(self):,} groups in {entries:,} entries{nans}{typed}"

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the medians of the first groups, for a notebook."""
        pairs = zip(self, self.median().tolist(), strict=True)
        rows = first_rows([(f"median of {key}", value) for key, value in pairs], "groups")
        return [(str(name), value) for name, value in rows]

    def _parameters(self) -> dict[str, Any]:
        dtype = self._asked_dtype.name if self._asked_dtype else None
        return {"epsilon": self._epsilon, "dtype": dtype, "nan": self._nan}

    def _options(self) -> dict[str, Any]:
        return {"sorter": self.sorter}

    def _arrays(self) -> dict[str, Keys]:
        if self._dtype is None:
            return {}
        lists = self._lists
        rows = joined(self._rows or [GroupLists.empty(self._dtype)])
        labels, (of_lists, of_rows) = united_labels([lists.labels, rows.labels])
        counts = np.zeros(len(labels), np.int64)
        counts[of_lists] = lists.counts
        return {
            **label_arrays(labels),
            "counts": counts,
            **{name: getattr(lists, name) for name in RANKED},
            "waiting": rows.values,
            "groups": of_rows[rows.groups],
            "weights": rows.lower,
        }

    def _restore(self, arrays: Arrays) -> None:
        if "values" not in arrays:
            if self._n:
                raise CorruptSummary("it has seen values, and holds none")
            return
        self._adopt(arrays["values"].dtype)
        labels, counts = restored_labels(arrays), arrays["counts"]
        groups = np.repeat(np.arange(len(labels)), counts)
        self._lists = GroupLists(labels, groups, *(arrays[name] for name in RANKED)).used()
        self._lists.checked(counts[counts > 0], list_budget(self._epsilon))
        rows = [arrays[name] for name in ("groups", "waiting", "weights")]
        self._restore_rows(labels, *rows)
        if int(self._lists.lower.sum() + rows[2].sum()) != self._n:
            raise CorruptSummary("its groups do not hold as many values as it has seen")

    def _restore_rows(
        self, labels: Labels, groups: Integers, values: Keys, weights: Integers
    ) -> None:
        """Restore the rows that wait, or raise CorruptSummary."""
        if {arrays.dtype for arrays in (groups, weights)} != {np.dtype(np.int64)}:
            raise CorruptSummary("the groups or the weights of rows are no 64-bit integers")
        if not len(groups) == len(values) == len(weights) or values.dtype != self._dtype:
            raise CorruptSummary("the rows that wait have no value, group and weight each")
        if weights.min(initial=1) < 1 or groups.min(initial=0) < 0 or np.isnan(values).any():
            raise CorruptSummary("a row that waits is none that would wait")
        if len(groups):
            self._rows = (GroupLists.of_rows(labels, groups, values, weights),)
            self._filled = len(groups)
