"""`HierarchicalHeavyHitters`: prefixes that come often apart from their longer heavy prefixes."""

from collections.abc import Sequence
from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.estimates import SHOWN, checked_support
from shadersort.streams.item_counts import looked_up
from shadersort.streams.locked import locked
from shadersort.streams.lossy_counting import LossyCounts, buckets_of_windows
from shadersort.streams.named_items import items_named
from shadersort.streams.number_items import NumberItems
from shadersort.streams.prefix_streams import PrefixStream
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.word_items import WordItems

COLUMNS = ("estimate", "lower", "upper", "unexplained", "unexplained_lower", "unexplained_upper")

SHOWN_SUPPORT = 0.1
"""A notebook shows prefixes that make up this share of the stream."""


class HierarchicalHeavyHitters(PrefixStream):
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
    for all levels. Text is counted by numbers of 64 bits, 56 of which are a fixed hash: n different
    items or prefixes have a number twice with a probability of about n² / 2^57, and are then
    counted as one. The words of what is held are kept, and at most some 100,000 others.

    Parameters
    ----------
    epsilon, sorter
        As for every `WindowedSummary`.
    hierarchy
        Of numbers, "ipv4": addresses as numbers (see `ipv4_numbers`); "bits": unsigned integers;
        "decimal": unsigned integers by their decimal digits; "port": ports and their IANA ranges.
        Of text, "ip": IPv4 and IPv6 addresses and their networks; "endpoint": such addresses with a
        port, "10.0.0.1:443" or "[2001:db8::1]:443"; "path": paths and URLs, and what they begin
        with: "/a/b?x" lies below "/a/b", "/a/" and "/".
    digits
        How many bits or decimal digits an item of "bits" or "decimal" has; by default the most, 64
        or 19.
    step
        How many digits are removed from level to level: by default 8 bits, 16 bits of an IPv6
        address (8 of an IPv4 address in any case), or 1 decimal digit.
    depth
        How many components prefixes of "path" have at most, by default 8; a longer path lies
        directly below its first ones.

    Examples
    --------
    >>> import numpy as np
    >>> summary = HierarchicalHeavyHitters(0.01, "decimal", digits=3)
    >>> summary = summary.update([123] * 60 + [120, 121, 122, 124] * 10)
    >>> for row in summary.heavy_prefixes(0.3):
    ...     print(summary.spelt(row), row["estimate"], row["unexplained"])
    123 60 60
    12* 100 40
    >>> paths = HierarchicalHeavyHitters(0.01, "path").update(["/shop/a", "/shop/b", "/"] * 40)
    >>> paths.heavy_prefixes(0.5)[["prefix", "unexplained"]].tolist()
    [('/shop/', 80)]
    >>> paths.estimate("/")
    120
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        hierarchy: str = "ipv4",
        *,
        digits: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        depth: SupportsIndex | None = None,
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon, items_named(hierarchy, digits, step, depth), sorter)
        self._bucket, self._buckets = buckets_of_windows(self.epsilon, self._items.sharing)
        none = LossyCounts.empty(self._bucket, self._items.dtype)
        self._levels: Sequence[LossyCounts] = (none,) * self._items.levels

    @property
    def window(self) -> int:
        """How many values are sorted together."""
        return self._bucket * self._buckets

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text: '10.1.0.0/16', or '12*', or '/shop/'."""
        return self._items.spelt(row)

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
            Numbers that all have one length, or text if items are text: "10.0.0.0/8", "/shop/".
        length
            The length of prefixes that are numbers.
        """
        self._check_seen()
        levels, keys = self._items.asked(prefixes, length)
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
                self._items.raised(level - 1, *explained)
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
        >>> summary = HierarchicalHeavyHitters(0.01, "decimal", digits=2).update([17] * 60 + [80])
        >>> [summary.spelt(row) for row in summary.frequent_prefixes(0.5)]
        ['17', '1*', '**']
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
        prefixes, names = self._items.column(items), COLUMNS[: len(columns)]
        fields = [("length", np.int64), ("prefix", prefixes.dtype)]
        table = np.empty(len(items), fields + [(name, np.int64) for name in names])
        table["length"], table["prefix"] = self._items.length(level), prefixes
        for name, column in zip(names, columns, strict=True):
            table[name] = column
        return table

    def _waiting_by_level(self) -> list[tuple[Keys, Integers]]:
        """Return the prefixes of the waiting values on each level in order, and their counts."""
        self._settle()
        return list(self._items.by_level(*item_counts(self._waiting())))

    def _held(self) -> Keys:
        """Return the items and prefixes of all levels, and the waiting items, each once."""
        held = [level.items for level in self._levels]
        return np.unique(np.concatenate([self._waiting(), *held]))

    def _absorb(self, windows: Any) -> None:
        if isinstance(self._items, NumberItems):
            shape = self._items.hierarchy
            self._levels = self.sorter.prefix_counts(
                self._levels, windows, shape, self._buckets, self._timed
            )
            return
        with self._timed("sort"):
            found = self.sorter.item_counts(windows)
        self._settle()
        for items, counts in found.by_window():
            with self._timed("merge"):
                pairs = zip(self._levels, self._items.by_level(items, counts), strict=True)
            self._levels = tuple(
                held.with_window(*each, self._buckets, self._timed) for held, each in pairs
            )

    def _merge_state(self, other: Self) -> None:
        self._items = self._items.joined(other._items)  # type: ignore[arg-type]
        pairs = zip(self._levels, other._levels, strict=True)
        self._levels = tuple(mine.merged(theirs, self._timed) for mine, theirs in pairs)

    def _entries(self) -> int:
        return sum(len(level.items) for level in self._levels)

    def _parameters(self) -> dict[str, Any]:
        return {"epsilon": self._epsilon, **self._items.parameters}

    def _arrays(self) -> dict[str, Keys]:
        named = {
            f"{name} {level}": array
            for level, held in enumerate(self._levels)
            for name, array in held.arrays().items()
        }
        if isinstance(self._items, WordItems):
            named |= self._items.arrays(self._held())
        return {**super()._arrays(), **named}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        full, rest = divmod(self._n - self._filled, self.window)
        if rest:
            raise CorruptSummary("other values wait than the stream and its hierarchy say")
        self._items, levels = self._items.restored(arrays), []
        self._items.check_items(self._waiting())
        for level, held in enumerate(self._levels):
            names = {name: arrays[f"{name} {level}"] for name in held.arrays()}
            levels.append(held.restored(names, full * self._buckets, self._buckets))
            self._items.check(level, levels[-1].items)
        self._levels = tuple(levels)
