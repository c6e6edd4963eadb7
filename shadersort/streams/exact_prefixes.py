"""Exact counts of the prefixes that a summary has reported, by a second read of its stream."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys
from shadersort.streams.hierarchical_heavy_hitters import HierarchicalHeavyHitters
from shadersort.streams.item_counts import looked_up, positions_of
from shadersort.streams.sorters.numpy_sorter import item_counts

TOGETHER = 1 << 17
"""Items that are sorted together."""


class ExactPrefixes:
    """How often reported prefixes come, and how often without the longer ones that are reported.

    Examples
    --------
    >>> summary = HierarchicalHeavyHitters(0.1, "decimal", digits=2).update([17, 12, 17, 17])
    >>> exact = ExactPrefixes(summary, summary.heavy_prefixes(0.2)).update(np.uint32([17, 12, 17]))
    >>> exact.update(np.uint32([17])).table()[["prefix", "estimate", "unexplained"]].tolist()
    [(17, 3, 3), (12, 1, 1)]
    """

    def __init__(self, summary: HierarchicalHeavyHitters, table: npt.NDArray[Any]) -> None:
        self._summary, self._table = summary, table.copy()
        summary._settle()
        self._levels: Integers
        self._keys: Keys
        self._levels, self._keys = summary._items.reported(table)
        self._counts = np.zeros(len(table), np.int64)
        self._parents = self._nearest()
        self._waiting: list[Keys] = []
        self.n = 0

    def update(self, keys: Keys) -> Self:
        """Count items: keys as the summary has taken them."""
        self._waiting.append(np.asarray(keys).view(np.ndarray))
        self.n += len(keys)
        if sum(map(len, self._waiting)) >= TOGETHER:
            self._count()
        return self

    def _count(self) -> None:
        """Count the items that wait."""
        if not self._waiting:
            return
        items, counts = item_counts(np.concatenate(self._waiting))
        self._waiting = []
        self._summary._settle()
        for level, (keys, times) in enumerate(self._summary._items.by_level(items, counts)):
            here = np.flatnonzero(self._levels == level)
            self._counts[here] += looked_up(self._keys[here], keys, times)

    def _nearest(self) -> Integers:
        """Return the row of the next reported prefix above each one; −1 if there is none."""
        found = np.full(len(self._table), -1)
        for row, (level, key) in enumerate(zip(self._levels.tolist(), self._keys, strict=True)):
            above = np.array([key])
            for each in range(level, int(self._summary._items.levels) - 1):
                (above,) = self._summary._items.raised(each, above)
                here = np.flatnonzero(self._levels == each + 1)
                order = here[np.argsort(self._keys[here])]
                at, there = positions_of(self._keys[order], above)
                if there[0]:
                    found[row] = order[at[0]]
                    break
        return found

    def table(self) -> npt.NDArray[Any]:
        """Return the reported prefixes with exact counts; longer ones first, then frequent ones."""
        self._count()
        rest = self._counts.copy()
        below = self._parents >= 0
        np.subtract.at(rest, self._parents[below], self._counts[below])
        for name in ("estimate", "lower", "upper"):
            self._table[name] = self._counts
            self._table["unexplained" + ("" if name == "estimate" else f"_{name}")] = rest
        return self._table[np.lexsort((-self._counts, -self._table["length"]))]
