"""Answers about prefixes: how often they come, and which come often apart from longer ones."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.estimates import (
    SHOWN,
    Estimates,
    as_asked,
    checked_support,
    table_of,
)
from shadersort.streams.frequencies.item_counts import different, looked_up
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


class PrefixesAnswered:
    """Answers questions about prefixes from the counts of each level of a hierarchy."""

    n: Any  # how many values the answers are about
    epsilon: Any
    _hierarchy: Hierarchy
    _known: Callable[[], Sequence[Estimates]]  # returns the estimates on each level, cached

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text: '10.1.0.0/16', or '0101****'."""
        return self._hierarchy.spelt(row["prefix"], int(row["length"]))

    def estimate(self, prefixes: Any, length: SupportsIndex | None = None) -> Any:
        """Return how often a prefix, or each of several, comes, never too many: as `bounds`."""
        return self.bounds(prefixes, length)[0]

    @locked
    def bounds(self, prefixes: Any, length: SupportsIndex | None = None) -> tuple[Any, Any]:
        """Return bounds of how often a prefix, or each of several, comes.

        Prefixes are numbers that all have one length, or text if items are text: "10.0.0.0/8".
        """
        estimates = self._known()
        levels, keys = self._hierarchy.parse_prefixes(prefixes, length)
        lower, upper = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
        for level, known in enumerate(estimates):
            here = levels == level
            lower[here], upper[here] = known.of(keys[here])
        return as_asked(prefixes, lower, upper)

    @locked
    def heavy_prefixes(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the prefixes whose unexplained values make up a share, from epsilon to 1.

        The answer is a structured array; longer prefixes come first, then more frequent ones. A row
        has the length, the prefix as a number or as text, the estimate of how often it comes with
        its bounds, and `unexplained` with its bounds: how often it comes without its longer heavy
        prefixes.
        """
        often, tables = checked_support(support, self.epsilon) * self.n, []
        below: tuple[Keys, ...] = ()  # how often the nearest heavy prefixes below others come
        for level, known in enumerate(self._known()):
            none = known.items[:0], known.lower[:0], known.upper[:0]
            below = self._hierarchy.raised(level - 1, *below) if level else none
            items = different(np.concatenate([known.items, below[0]]))
            low, high = (looked_up(items, below[0], each) for each in below[1:])
            lower, upper = known.of(items)
            lower = np.maximum(lower, low)  # a prefix comes at least as often as those below it
            heavy = upper - low >= often
            rest = lower - low, np.maximum(lower - high, 0), upper - low
            tables.append(self._table(level, items, heavy, lower, lower, upper, *rest))
            low, high = np.where(heavy, lower, low), np.where(heavy, upper, high)
            below = items[high > 0], low[high > 0], high[high > 0]
        return np.concatenate(tables)

    @locked
    def frequent_prefixes(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the prefixes that make up a share of the stream, as the paper of 2005 prints it.

        Every prefix that comes more than support · n times is in the table, and none that comes
        less than (support − epsilon) · n times: also a prefix that is frequent only because of a
        longer one, which `heavy_prefixes` leaves out. The order is that of `heavy_prefixes`, and
        the columns end with `upper`.
        """
        often = checked_support(support, self.epsilon) * self.n
        tables = []
        for level, known in enumerate(self._known()):
            bounds = known.lower, known.lower, known.upper
            tables.append(self._table(level, known.items, known.upper >= often, *bounds))
        return np.concatenate(tables)

    def _table(self, level: int, items: Keys, which: Mask, *columns: Integers) -> npt.NDArray[Any]:
        """Return a table of some prefixes of a level; the first column has their estimates."""
        prefixes = self._hierarchy.column(level, items[which])
        lengths = np.full(len(prefixes), self._hierarchy.lengths[level])
        numbers = zip(COLUMNS, (each[which] for each in columns), strict=False)
        return table_of(length=lengths, prefix=prefixes, **dict(numbers))

    @locked
    def __iter__(self) -> Iterator[CountedPrefix]:
        """Yield the prefixes that are held, longer ones first, with bounds of how often they come.

        Prefixes of one length are in the order of their numbers.
        """
        rows: list[CountedPrefix] = []
        for level, known in enumerate(self._known()):
            length = self._hierarchy.lengths[level]
            prefixes = self._hierarchy.column(level, known.items)
            columns = (each.tolist() for each in (prefixes, known.lower, known.upper))
            rows += [
                CountedPrefix(each, length, *both) for each, *both in zip(*columns, strict=True)
            ]
        return iter(rows)

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the longest heavy prefixes, for a notebook."""
        rows = self.heavy_prefixes(max(self.epsilon, SHOWN_SUPPORT))[:SHOWN]
        return [(self.spelt(row), int(row["estimate"])) for row in rows]
