"""`HierarchicalHeavyHitters`: prefixes that come often apart from their longer heavy prefixes."""

from collections.abc import Sequence
from typing import Any, Self, SupportsFloat, SupportsIndex

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.lossy_counting import LossyCounts, buckets_of_windows
from shadersort.streams.named_items import items_named
from shadersort.streams.number_items import NumberItems
from shadersort.streams.prefix_answers import PrefixesAnswered
from shadersort.streams.prefix_streams import PrefixStream
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.word_items import WordItems


class HierarchicalHeavyHitters(PrefixStream, PrefixesAnswered):
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

    _highlights = PrefixesAnswered._highlights

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

    def _absorb_equal(self, value: Keys, windows: int) -> None:
        self._settle()
        with self._timed("merge"):
            prefixes = self._items.by_level(value, np.ones(1, np.int64))
            self._levels = tuple(
                held.with_equal_windows(items, windows, self._buckets)
                for held, (items, _) in zip(self._levels, prefixes, strict=True)
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
