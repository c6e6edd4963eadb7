"""`SortedBatch`: values in order, of which a list of entries asks two questions.

Where does each gap of the list begin in the batch, and which values have some places? So a batch
may lie on a GPU, and its values may have weights: one of weight 3 stands for three equal values.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys

MANY = 1 << 9
"""From this many entries on, it takes less time to find those that need no search."""


@dataclass(frozen=True, slots=True, eq=False)
class SortedBatch:
    """Values in order in a NumPy array, without NaNs; a subclass may have them elsewhere."""

    ordered: Any
    size: int  # how many values there are, each as often as its weight
    ends: Any = None  # the sums of the weights up to each value; None: all are 1
    xp: Any = np  # the library of the lists that may ask

    @classmethod
    def weighted(cls, values: Keys, weights: Integers) -> "SortedBatch":
        """Return values in any order, each as often as its weight; no weight is 0."""
        order = np.argsort(values, kind="stable")
        ends = np.cumsum(weights[order], dtype=np.int64)
        return cls(values[order], int(ends[-1:].sum()), ends)

    def starts(self, values: Any, repeats: Any) -> Any:
        """Return the place in the batch at which each gap of a list begins, and the batch's size.

        `values` are those of its entries, `repeats` the places of those that equal the one before.
        Values that equal an entry come after it; those that equal several come before the last.
        If a stream rises, few of many entries lie among new values: only these are searched for.
        """
        ordered, starts = self.ordered, np.zeros(len(values) + 2, np.int64)
        inner = starts[1:-1]
        if len(values) < MANY or not len(ordered):
            inner[:] = ordered.searchsorted(values)
        else:
            first, last = values.searchsorted(ordered[0]), values.searchsorted(ordered[-1], "right")
            inner[first:last] = ordered.searchsorted(values[first:last])
            inner[last:] = len(ordered)
        if len(repeats):
            inner[repeats] = ordered.searchsorted(values[repeats], "right")
        if self.ends is not None:
            inner[:] = np.append(0, self.ends)[inner]
        starts[-1] = self.size
        return starts

    def at(self, places: Any) -> Any:
        """Return the values at some places, from zero, with 0.0 for −0.0."""
        if self.ends is not None:
            places = np.searchsorted(self.ends, places, side="right")
        return self.ordered[places] + self.ordered.dtype.type(0)

    def insert_into(self, entries: Any, limit: int) -> Any:
        """Return a list whose arrays are of another library with this batch added."""
        return entries.on_host().with_batch(self, limit)

    def values(self) -> Keys:
        """Return all values on the host."""
        kept: Keys = self.ordered if self.ends is None else self.at(np.arange(self.size))
        return kept
