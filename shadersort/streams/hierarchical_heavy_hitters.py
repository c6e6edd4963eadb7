"""`HierarchicalHeavyHitters`: prefixes that come often apart from their longer heavy prefixes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, UnsupportedKeys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.estimates import SHOWN, checked_support
from shadersort.streams.item_counts import looked_up
from shadersort.streams.locked import locked
from shadersort.streams.lossy_counting import LossyCounts, buckets_of_windows
from shadersort.streams.prefixes import Hierarchy, named_hierarchy
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import as_values, is_text
from shadersort.streams.windowed import WindowedSummary

COLUMNS = ("estimate", "lower", "upper", "unexplained", "unexplained_lower", "unexplained_upper")

SHOWN_SUPPORT = 0.1
"""A notebook shows prefixes that make up this share of the stream."""


class HierarchicalHeavyHitters(WindowedSummary):
    """Finds the prefixes that make up a share of a stream, apart from their longer heavy prefixes.

    If one address sends half of all packets, its network sends at least half as well; that tells
    nothing new. A prefix is heavy if its items come often *without* the items that have a longer
    heavy prefix. The remaining items are called unexplained.

    **Guarantee** for n values in any order, parts merged or not, and any support:

    - *coverage*: a prefix that is not reported has at most support · n unexplained values, if the
      reported prefixes are taken as heavy;
    - *accuracy*: a reported prefix comes at least (support − epsilon) · n times. If k reported
      prefixes are the next ones below it, it comes (support − (k + 1) · epsilon) · n times without
      them. Its estimate is never too large, and too small by at most epsilon · n;
    - counts and unexplained counts lie within the bounds that are reported with them.

    Each level holds the counts of a `FrequencySummary` and needs its space; a window is sorted once
    for all levels.

    Parameters
    ----------
    epsilon, sorter
        As for every `WindowedSummary`.
    hierarchy
        "ipv4": addresses as numbers (see `ipv4_numbers`); "bits": unsigned integers; "decimal":
        unsigned integers by their decimal digits.
    digits
        How many bits or decimal digits an item has; by default the most, 64 or 19.
    step
        How many digits are removed from level to level: by default 8 bits, or 1 decimal digit.

    Examples
    --------
    >>> import numpy as np
    >>> summary = HierarchicalHeavyHitters(0.01, "decimal", digits=3)
    >>> summary = summary.update([123] * 60 + [120, 121, 122, 124] * 10)
    >>> for row in summary.heavy_prefixes(0.3):
    ...     print(summary.spelt(row), row["estimate"], row["unexplained"])
    123 60 60
    12* 100 40
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        hierarchy: str = "ipv4",
        *,
        digits: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        sorter: Sorter | None = None,
    ) -> None:
        self._hierarchy = named_hierarchy(hierarchy, digits, step)
        super().__init__(epsilon, dtype=self._hierarchy.dtype, sorter=sorter)
        levels = len(self._hierarchy.lengths)
        self._bucket, self._buckets = buckets_of_windows(self.epsilon, levels)
        self._levels = (LossyCounts.empty(self._bucket, self._hierarchy.dtype),) * levels

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of the prefixes."""
        return self._hierarchy

    @property
    def window(self) -> int:
        """How many values are sorted together."""
        return self._bucket * self._buckets

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text: '10.1.0.0/16', or '12*'."""
        return self._hierarchy.spelt(row["prefix"], int(row["length"]))

    def estimate(self, prefixes: Any, length: SupportsIndex) -> Any:
        """Return how often a prefix of a length, or each of several, comes: never too many."""
        return self.bounds(prefixes, length)[0]

    @locked
    def bounds(self, prefixes: Any, length: SupportsIndex) -> tuple[Any, Any]:
        """Return bounds of how often a prefix of a length, or each of several, comes."""
        self._check_seen()
        if length not in self._hierarchy.lengths:
            raise BadOption(f"prefixes have {self._hierarchy.lengths} digits, not {length}")
        level = self._hierarchy.lengths.index(int(length))
        with self._told_of_items(prefixes):
            values = as_values(prefixes, self._dtype)
        lower, upper = self._levels[level].known(*self._waiting_at(level)).of(values)
        return (int(lower[0]), int(upper[0])) if np.ndim(prefixes) == 0 else (lower, upper)

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
        the prefix as a number, the estimate of how often it comes with its bounds, and
        `unexplained` with its bounds: how often it comes without its longer heavy prefixes.
        """
        often = checked_support(support, self.epsilon) * self.n
        self._check_seen()
        waiting = self._waiting_at(0)
        explained: tuple[Keys, ...] = (waiting[0][:0], waiting[1][:0], waiting[1][:0])
        tables = []
        for level in range(len(self._levels)):
            if level:
                waiting = self._hierarchy.raised(level - 1, *waiting)  # type: ignore[assignment]
                explained = self._hierarchy.raised(level - 1, *explained)
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
        >>> summary = HierarchicalHeavyHitters(0.01, "decimal", digits=2).update([17] * 60 + [80])
        >>> [summary.spelt(row) for row in summary.frequent_prefixes(0.5)]
        ['17', '1*', '**']
        """
        often = checked_support(support, self.epsilon) * self.n
        self._check_seen()
        return np.concatenate([self._often_at(level, often) for level in range(len(self._levels))])

    def _often_at(self, level: int, often: float) -> npt.NDArray[Any]:
        """Return the prefixes of a level that may come so often, the most frequent first."""
        known = self._levels[level].known(*self._waiting_at(level))
        found = self._table(level, known.items, (known.lower, known.lower, known.upper))
        found = found[found["upper"] >= often]
        return found[np.argsort(-found["estimate"], kind="stable")]

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
        table = self._table(level, items, (lower, lower, upper, *rest))[heavy]
        low, high = np.where(heavy, lower, low), np.where(heavy, upper, high)
        some = high > 0
        return table[np.argsort(-table["estimate"], kind="stable")], (
            items[some],
            low[some],
            high[some],
        )

    def _table(self, level: int, items: Keys, columns: tuple[Integers, ...]) -> npt.NDArray[Any]:
        fields, names = [("length", np.int64), ("prefix", items.dtype)], COLUMNS[: len(columns)]
        table = np.empty(len(items), fields + [(name, np.int64) for name in names])
        table["length"], table["prefix"] = self._hierarchy.lengths[level], items
        for name, column in zip(names, columns, strict=True):
            table[name] = column
        return table

    def _waiting_at(self, level: int) -> tuple[Keys, Integers]:
        """Return the prefixes of the waiting values in order, and their counts."""
        items, counts = item_counts(self._waiting())
        for each in range(level):
            items, counts = self._hierarchy.raised(each, items, counts)
        return items, counts

    def _accepted(self, values: Any) -> Any:
        with self._told_of_items(values):
            return super()._accepted(values)

    @contextmanager
    def _told_of_items(self, values: Any) -> Iterator[None]:
        """Let an error of values that are no items say what items are."""
        try:
            yield
        except UnsupportedKeys as error:
            if is_text(values):
                raise UnsupportedKeys(
                    f"these values are text: {self._hierarchy.of_text}"
                ) from error
            raise UnsupportedKeys(
                f"items are integers from 0 to {self._hierarchy.limit - 1}, and these values are "
                f"not: {error}"
            ) from error

    def _take(self, keys: Any) -> None:
        if len(keys) and int(keys.max()) >= self._hierarchy.limit:
            raise UnsupportedKeys(f"some of these values have more than {self._digits_told()}")
        super()._take(keys)

    def _digits_told(self) -> str:
        return f"{self._hierarchy.digits} {'bits' if self._hierarchy.base == 2 else 'digits'}"

    def _absorb(self, windows: Any) -> None:
        with self._timed("sort"):
            found = self.sorter.item_counts(windows)
        for items, counts in found.by_window():
            self._levels = tuple(self._with_window(items, counts))

    def _with_window(self, items: Keys, counts: Integers) -> list[LossyCounts]:
        """Return the counts of all levels with a window added."""
        levels = []
        for level, held in enumerate(self._levels):
            if level:
                with self._timed("merge"):
                    items, counts = self._hierarchy.raised(level - 1, items, counts)
            levels.append(held.with_window(items, counts, self._buckets, self._timed))
        return levels

    def _merge_state(self, other: Self) -> None:
        pairs = zip(self._levels, other._levels, strict=True)
        self._levels = tuple(mine.merged(theirs, self._timed) for mine, theirs in pairs)

    def _entries(self) -> int:
        return sum(len(level.items) for level in self._levels)

    def _parameters(self) -> dict[str, Any]:
        shape = self._hierarchy
        told = {"hierarchy": shape.name, "digits": shape.digits, "step": shape.step}
        return {"epsilon": self._epsilon, **told}

    def _arrays(self) -> dict[str, Keys]:
        named = {
            f"{name} {level}": array
            for level, held in enumerate(self._levels)
            for name, array in held.arrays().items()
        }
        return {**super()._arrays(), **named}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        full, rest = divmod(self._n - self._filled, self.window)
        waiting = self._waiting()
        if rest or (len(waiting) and int(waiting.max()) >= self._hierarchy.limit):
            raise CorruptSummary("other values wait than the stream and its hierarchy say")
        shape, levels = self._hierarchy, []
        for level, (held, length) in enumerate(zip(self._levels, shape.lengths, strict=True)):
            names = {name: arrays[f"{name} {level}"] for name in held.arrays()}
            levels.append(held.restored(names, full * self._buckets, self._buckets))
            if len(levels[-1].items) and int(levels[-1].items[-1]) >= shape.base**length:
                raise CorruptSummary("a prefix has more digits than its level")
        self._levels = tuple(levels)
