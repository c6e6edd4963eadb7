"""`SortedBatch`: values in order, of which a list of entries asks two questions.

A list needs to know how many values of a batch come before each of its entries, and which values
have some places. These are the only questions, so a batch may lie on a GPU, and its values may have
weights: a value of weight 3 stands for three equal values.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.values import plain_zeros

MANY = 1 << 9
"""From this many points on, it takes less time to find those that need no search."""


class Batch(Protocol):
    """Values in order, on the host or elsewhere."""

    @property
    def xp(self) -> Any:
        """The module of the arrays in questions and answers: NumPy, or one with its functions."""

    def __len__(self) -> int:
        """Return how many values there are, each as often as its weight."""

    def below(self, points: Any) -> Any:
        """Return how many values are less than each point; the points are in order."""

    def through(self, points: Any) -> Any:
        """Return how many values are at most each point."""

    def at(self, places: Any) -> Any:
        """Return the values at some places, from zero, with 0.0 for −0.0."""

    def working(self) -> AbstractContextManager[object]:
        """Return a context in which a list takes in this batch."""

    def beside(self, entries: Any, limit: int) -> "tuple[Batch, Any]":
        """Return this batch and a list of entries, where the two can work together.

        `limit` is that of the gaps: it tells how many entries the batch may add.
        """

    def values(self) -> Keys:
        """Return all values on the host."""


@dataclass(frozen=True, slots=True, eq=False)
class SortedBatch:
    """Values in order in a NumPy array, without NaNs.

    Examples
    --------
    >>> batch = SortedBatch.weighted(np.array([5, 3]), np.array([2, 4]))
    >>> len(batch), batch.below(np.array([4, 6])), batch.at(np.array([3, 4]))
    (6, array([4, 6]), array([3, 5]))
    """

    ordered: Keys
    ends: Integers | None = None  # the sums of the weights up to each value; None: all are 1
    xp = np

    @classmethod
    def weighted(cls, values: Keys, weights: Integers) -> "SortedBatch":
        """Return values in any order, each as often as its weight; no weight is 0."""
        order = np.argsort(values, kind="stable")
        return cls(values[order], np.cumsum(weights[order], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.ordered) if self.ends is None else int(self.ends[-1:].sum())

    def below(self, points: Keys) -> Integers:
        """Return how many values are less than each point; the points are in order.

        If a stream rises, few of many points lie among new values, and only these are searched for.
        """
        values = self.ordered
        if len(points) < MANY or not len(values):
            return self._counted(values.searchsorted(points))
        start, stop = points.searchsorted(values[0]), points.searchsorted(values[-1], side="right")
        places = np.zeros(len(points), np.intp)
        places[start:stop] = values.searchsorted(points[start:stop])
        places[stop:] = len(values)
        return self._counted(places)

    def through(self, points: Keys) -> Integers:
        """Return how many values are at most each point."""
        return self._counted(self.ordered.searchsorted(points, side="right"))

    def _counted(self, places: Integers) -> Integers:
        """Return how many values, by their weights, come before places in the array."""
        return places if self.ends is None else np.append(0, self.ends)[places]

    def at(self, places: Integers) -> Keys:
        """Return the values at some places, from zero, with 0.0 for −0.0."""
        if self.ends is not None:
            places = np.searchsorted(self.ends, places, side="right")
        return plain_zeros(self.ordered[places])

    def working(self) -> AbstractContextManager[object]:
        """Return a context that does nothing."""
        return nullcontext()

    def beside(self, entries: Any, limit: int) -> "tuple[SortedBatch, Any]":
        """Return this batch and a list of entries on the host."""
        return self, entries.on_host()

    def values(self) -> Keys:
        """Return all values."""
        return self.ordered if self.ends is None else self.at(np.arange(len(self)))
