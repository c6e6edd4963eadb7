"""Answers about prefixes: how often they come, and which come often apart from longer ones."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys
from shadersort.streams.frequencies.estimates import SHOWN, checked_support
from shadersort.streams.frequencies.item_counts import looked_up
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.hierarchies.prefixes import Hierarchy
from shadersort.streams.locked import locked

COLUMNS = ("estimate", "lower", "upper", "unexplained", "unexplained_lower", "unexplained_upper")

SHOWN_SUPPORT = 0.1
"""A notebook shows prefixes that make up this share of the stream."""


class CountedPrefix(NamedTuple):
    """A prefix that a summary holds, its length, and bounds of how often it comes."""

    prefix: Any
    length: int
    lower: int
    upper: int


class PrefixesAnswered(ABC):
    """Answers questions about prefixes from the counts of each level of a hierarchy."""

    _hierarchy: Hierarchy
    _levels: Sequence[LossyCounts]
    _check_seen: Any

    @property
    @abstractmethod
    def n(self) -> int:
        """How many values the answers are about."""

    @property
    @abstractmethod
    def epsilon(self) -> float:
        """The error bound."""

    @abstractmethod
    def _waiting_by_level(self) -> list[tuple[Keys, Integers]]:
        """Return the prefixes of the waiting values on each level in order, and their counts."""

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text: '10.1.0.0/16', or '0101****'."""
        return self._hierarchy.spelt(row["prefix"], int(row["length"]))

    def estimate(self, prefixes: Any, length: SupportsIndex | None = None) -> Any:
        """Return how often a prefix, or each of several, comes: never too many.

        As for `bounds`.
        """
        return self.bounds(prefixes, length)[0]

    @locked
    def bounds(self, prefixes: Any, length: SupportsIndex | None = None) -> tuple[Any, Any]:
        """Return bounds of how often a prefix, or each of several, comes.

        Parameters
        ----------
        prefixes
            Numbers that all have one length, or text if items are text: "10.0.0.0/8".
        length
            The length of prefixes that are numbers.
        """
        self._check_seen()
        levels, keys = self._hierarchy.parse_prefixes(prefixes, length)
        waiting = self._waiting_by_level()
        lower, upper = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
        for level in np.unique(levels).tolist():
            here = levels == level
            known = self._levels[level].known(*waiting[level])
            lower[here], upper[here] = known.of(keys[here])
        one = isinstance(prefixes, str | bytes) or np.ndim(prefixes) == 0
        return (int(lower[0]), int(upper[0])) if one else (lower, upper)

    @locked
    def heavy_prefixes(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the prefixes whose unexplained values make up a share of the stream.

        Parameters
        ----------
        support
            A share from epsilon to 1.

        Returns
        -------
        A structured array; longer prefixes first, then more frequent ones. A row has the length,
        the prefix as a number or as text, the estimate of how often it comes with its bounds, and
        `unexplained` with its bounds: how often it comes without its longer heavy prefixes.
        """
        often = checked_support(support, self.epsilon) * self.n
        self._check_seen()
        tables = []
        explained: tuple[Keys, ...] = ()
        for level, waiting in enumerate(self._waiting_by_level()):
            explained = (
                self._hierarchy.raised(level - 1, *explained)
                if level
                else (waiting[0][:0], waiting[1][:0], waiting[1][:0])
            )
            table, explained = self._heavy_of(level, waiting, explained, often)
            tables.append(table)
        return np.concatenate(tables)

    @locked
    def frequent_prefixes(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the prefixes that make up a share of the stream, as the paper of 2005 prints it.

        Every prefix that comes more than support · n times is in the table, and none that comes
        less than (support − epsilon) · n times: also a prefix that is frequent only because of a
        longer one, which `heavy_prefixes` leaves out.

        Returns
        -------
        A structured array in the order of `heavy_prefixes`, with the columns up to `upper`.

        Examples
        --------
        >>> from shadersort.streams import HierarchicalHeavyHitters
        >>> summary = HierarchicalHeavyHitters(0.01, "bits", digits=2, step=1)
        >>> summary = summary.update([3] * 60 + [0])
        >>> [summary.spelt(row) for row in summary.frequent_prefixes(0.5)]
        ['11', '1*', '**']
        """
        often = checked_support(support, self.epsilon) * self.n
        self._check_seen()
        levels = enumerate(self._waiting_by_level())
        return np.concatenate([self._often_at(level, each, often) for level, each in levels])

    def _often_at(
        self, level: int, waiting: tuple[Keys, Integers], often: float
    ) -> npt.NDArray[Any]:
        """Return the prefixes of a level that may come so often, the most frequent first."""
        known = self._levels[level].known(*waiting)
        heavy = known.upper >= often
        columns = [each[heavy] for each in (known.lower, known.lower, known.upper)]
        table = self._table(level, known.items[heavy], columns)
        return table[np.argsort(-table["estimate"], kind="stable")]

    @locked
    def __iter__(self) -> Iterator[CountedPrefix]:
        """Yield the prefixes that are held, longer ones first, with bounds of how often they come.

        Prefixes of one length are in the order of their numbers.
        """
        self._check_seen()
        rows: list[CountedPrefix] = []
        for level, waiting in enumerate(self._waiting_by_level()):
            known, length = self._levels[level].known(*waiting), int(self._hierarchy.lengths[level])
            columns = self._hierarchy.column(level, known.items), known.lower, known.upper
            each = zip(*(column.tolist() for column in columns), strict=True)
            rows += [CountedPrefix(prefix, length, low, high) for prefix, low, high in each]
        return iter(rows)

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the longest heavy prefixes, for a notebook."""
        rows = self.heavy_prefixes(max(self.epsilon, SHOWN_SUPPORT))[:SHOWN]
        return [(self.spelt(row), int(row["estimate"])) for row in rows]

    def _heavy_of(
        self, level: int, waiting: tuple[Keys, Integers], explained: tuple[Keys, ...], often: float
    ) -> tuple[npt.NDArray[Any], tuple[Keys, ...]]:
        """Return the heavy prefixes of a level, and the explained counts of every prefix.

        `explained` holds prefixes in order, and how often their nearest heavy descendants come, at
        least and at most.
        """
        known = self._levels[level].known(*waiting)
        items = np.union1d(known.items, explained[0])
        low, high = (looked_up(items, explained[0], each) for each in explained[1:])
        lower, upper = known.of(items)
        lower = np.maximum(lower, low)  # a prefix comes at least as often as its descendants
        heavy = upper - low >= often
        rest = lower - low, np.maximum(lower - high, 0), upper - low
        table = self._table(level, items[heavy], [e[heavy] for e in (lower, lower, upper, *rest)])
        low, high = np.where(heavy, lower, low), np.where(heavy, upper, high)
        some = high > 0
        return table[np.argsort(-table["estimate"], kind="stable")], (
            items[some],
            low[some],
            high[some],
        )

    def _table(self, level: int, items: Keys, columns: list[Integers]) -> npt.NDArray[Any]:
        prefixes, names = self._hierarchy.column(level, items), COLUMNS[: len(columns)]
        fields = [("length", np.int64), ("prefix", prefixes.dtype)]
        table = np.empty(len(items), fields + [(name, np.int64) for name in names])
        table["length"], table["prefix"] = self._hierarchy.lengths[level], prefixes
        for name, column in zip(names, columns, strict=True):
            table[name] = column
        return table
