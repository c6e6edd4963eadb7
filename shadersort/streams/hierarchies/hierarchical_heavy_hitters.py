"""`HierarchicalHeavyHitters`: prefixes that come often apart from their longer heavy prefixes."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary, UnsupportedKeys
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.counting_summary import CountingSummary
from shadersort.streams.frequencies.estimates import SHOWN, checked_support, match_items, table_of
from shadersort.streams.frequencies.item_counts import look_up, unique_keys
from shadersort.streams.hierarchies.prefixes import Addresses, Hierarchy, named_hierarchy
from shadersort.streams.locked import locked
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays

COLUMNS = ("estimate", "lower", "upper", "unexplained", "unexplained_lower", "unexplained_upper")
SHOWN_SUPPORT = 0.1  # a notebook shows prefixes that make up this share of the stream


class CountedPrefix(NamedTuple):
    """A prefix that a summary holds, its length, and bounds of how often it comes."""

    prefix: Any
    length: int
    lower: int
    upper: int


class HierarchicalHeavyHitters(CountingSummary):
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

    Each level holds the counts of a `FrequencySummary` and needs its space.

    Parameters
    ----------
    epsilon, sorter
        As for every `WindowedSummary`; addresses of "ip" are always sorted by NumPy.
    hierarchy
        "ipv4": addresses as numbers (see `ipv4_numbers`); "bits": unsigned integers by their
        leading bits; "ip": IPv4 and IPv6 addresses as text, or packed as an array of type V16.
        An IPv4 address is counted as ::ffff:a.b.c.d, so the length of its prefixes is 96 more.
    digits
        How many bits an item of "bits" has, by default 64.
    step
        How many bits are removed from level to level: by default 8, or 16 of an IPv6 address (8 of
        an IPv4 address in any case).

    Examples
    --------
    >>> import numpy as np
    >>> summary = HierarchicalHeavyHitters(0.01, "bits", digits=8, step=4)
    >>> summary = summary.update([0x53] * 60 + [0x50, 0x51, 0x52, 0x54] * 10)
    >>> for row in summary.heavy_prefixes(0.3):
    ...     print(summary.spelt(row), row["estimate"], row["unexplained"])
    01010011 60 60
    0101**** 100 40
    >>> both = HierarchicalHeavyHitters(0.01, "ip").update(["10.0.0.1", "10.0.9.1", "::1"] * 40)
    >>> both.heavy_prefixes(0.5)[["prefix", "unexplained"]].tolist()
    [('10.0.0.0/16', 80)]
    >>> both.estimate("10.0.0.0/8")
    80
    """

    _hierarchy: Hierarchy
    _array_name = "{} {}"

    def __init__(
        self,
        epsilon: SupportsFloat,
        hierarchy: str = "ipv4",
        *,
        digits: SupportsIndex | None = None,
        step: SupportsIndex | None = None,
        sorter: Sorter | None = None,
    ) -> None:
        shape = named_hierarchy(hierarchy, digits, step)
        super().__init__(epsilon, shape, sorter=None if isinstance(shape, Addresses) else sorter)
        self._adopt(shape.dtype)
        self._asked_dtype = shape.dtype

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of the prefixes."""
        return self._hierarchy

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text: '10.1.0.0/16', or '0101****'."""
        return self._hierarchy.spelt(row["prefix"], int(row["length"]))

    def estimate(self, prefixes: Any, length: SupportsIndex | None = None) -> Any:
        """Return how often a prefix, or each of several, comes, never too many: as `bounds`."""
        return self.bounds(prefixes, length)[0]

    @locked
    def bounds(self, prefixes: Any, length: SupportsIndex | None = None) -> tuple[Any, Any]:
        """Return how often a prefix, or each of several, comes: at least, and at most.

        Prefixes are numbers that all have one length, or text if items are text: "10.0.0.0/8".
        """
        estimates = self._cached_answers()
        levels, keys = self._hierarchy.parse_prefixes(prefixes, length)
        bounds = np.empty((2, len(keys)), np.int64)
        for level, known in enumerate(estimates):
            bounds[:, levels == level] = known.look_up(keys[levels == level])
        return match_items(prefixes, *bounds)

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
        for level, known in enumerate(self._cached_answers()):
            none = known.items[:0], known.lower[:0], known.upper[:0]
            below = self._hierarchy.sum_prefixes(level - 1, *below) if level else none
            items = unique_keys(np.concatenate([known.items, below[0]]))
            low, high = (look_up(items, below[0], each) for each in below[1:])
            lower, upper = known.look_up(items)
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
        for level, known in enumerate(self._cached_answers()):
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
        for level, known in enumerate(self._cached_answers()):
            length = self._hierarchy.lengths[level]
            prefixes = self._hierarchy.column(level, known.items)
            prefixes, *bounds = (each.tolist() for each in (prefixes, known.lower, known.upper))
            rows += map(CountedPrefix, prefixes, repeat(length), *bounds)
        return iter(rows)

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the longest heavy prefixes, for a notebook."""
        rows = self.heavy_prefixes(max(self.epsilon, SHOWN_SUPPORT))[:SHOWN]
        return [(self.spelt(row), int(row["estimate"])) for row in rows]

    def _append(self, values: Any) -> bool:
        return False  # every item is checked

    def _accept(self, values: Any) -> Any:
        shape = self._hierarchy
        keys = shape.read(values) if isinstance(shape, Addresses) else super()._accept(values)
        if not shape.fits(0, keys):
            raise UnsupportedKeys(f"some of these values have more than {shape.digits} bits")
        return keys

    def _parameters(self) -> dict[str, Any]:
        return {"epsilon": self._epsilon, **self._hierarchy.parameters}

    def _restore(self, arrays: Arrays) -> None:
        super()._restore(arrays)
        items = [held.items for held in self._levels]
        if not all(map(self._hierarchy.fits, [0, *range(len(items))], [self._waiting(), *items])):
            raise CorruptSummary("a prefix has more bits than those of its level")
