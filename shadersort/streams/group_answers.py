"""Answers about the ranks in many groups at once, from their lists of entries."""

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.types import Integers, Keys
from shadersort.names import Side
from shadersort.selection.quantile_plan import plan_each, shares_of
from shadersort.streams.group_labels import Labels
from shadersort.streams.group_lists import GroupLists
from shadersort.streams.locked import locked
from shadersort.streams.points import as_points, gaps
from shadersort.streams.rank_answers import RankBounds

METHOD = "inverted_cdf"


class GroupAnswers:
    """Bounds of the ranks in each group; answers have the groups as their first axis.

    Attributes
    ----------
    lists
        The entries of all values.
    sizes
        How many values each group has.
    """

    def __init__(self, lists: GroupLists) -> None:
        self.lists, self.sizes = lists, lists.sizes
        self._counts = lists.counts
        self._starts = np.cumsum(self._counts) - self._counts
        self._before = np.cumsum(self.sizes) - self.sizes  # values in the groups before
        self._known = RankBounds(lists.values, np.cumsum(lists.lower), np.cumsum(lists.upper))
        self._order: Any = None

    def quantiles(self, q: npt.ArrayLike) -> Keys:
        """Return the quantiles q of each group."""
        ranks, _, _ = plan_each(self.sizes, shares_of(q, METHOD), METHOD)
        found: Keys = np.moveaxis(self._known.at(ranks + self._before + 1), -1, 0)
        return found

    @property
    def errors(self) -> Integers:
        """How far an answer about each group may be off: half of its largest gap."""
        widths = self._known.uncertainty
        widths[:-1][self.lists.values[1:] == self.lists.values[:-1]] = 0
        found: Integers = (np.maximum.reduceat(widths, self._starts) + 1) // 2
        return found

    def bounds(self, x: npt.ArrayLike, side: str) -> tuple[Integers, Integers]:
        """Return bounds of how many values of each group are at most each point.

        With the side "left" values equal to the point do not count.
        """
        points = as_points(x, self.lists.values.dtype)
        shape = (len(self.sizes), *points.shape)
        found = np.empty((2, points.size, len(self.sizes)), np.int64)
        for place, through in enumerate(self._through(points.ravel(), side)):
            found[:, place] = self._bounds_of(through)
        low, high = (each.T.reshape(shape) for each in found)
        return low, high

    def _through(self, points: Keys, side: str) -> Any:
        """Return, for each point, how many entries of all groups are at most the point."""
        if self._order is None:
            order = np.argsort(self.lists.values, kind="stable")
            place = np.empty(len(order), np.int64)
            place[order] = np.arange(len(order))
            self._order = self.lists.values[order], place
        return gaps(self._order[0], points, side).tolist()

    def _bounds_of(self, through: int) -> tuple[Integers, Integers]:
        """Return the bounds in each group, given how many entries of all are at most a point."""
        inside = np.add.reduceat(self._order[1] < through, self._starts, dtype=np.int64)
        low, high = self._known.at_gaps(self._starts + inside)
        return low - self._before, high - self._before


class GroupsAnswered:
    """Answers questions about all groups at once, from what `_known` returns."""

    _lock: Any
    n: Any

    @abstractmethod
    def _known(self) -> GroupAnswers:
        """Return what answers for all groups; raise EmptySummary if there are none."""

    @property
    @locked
    def labels(self) -> Labels:
        """The keys of the groups, in order: an array of integers, or of objects that are str."""
        return self._known().lists.labels.copy() if self.n else np.empty(0, np.int64)

    @property
    @locked
    def sizes(self) -> Integers:
        """How many values each group has."""
        return self._known().sizes.copy() if self.n else np.empty(0, np.int64)

    @property
    @locked
    def rank_errors(self) -> Integers:
        """No rank in an answer about a group of n values is off by more than this, at most εn."""
        return self._known().errors

    @locked
    def quantile(self, q: npt.ArrayLike) -> Keys:
        """Return, for each group, values whose ranks are within εn of ⌈qn⌉, for q from 0 to 1.

        The result has a row for each group: its shape is the number of groups and the shape of q.

        Examples
        --------
        >>> from shadersort.streams import GroupedQuantiles
        >>> groups = GroupedQuantiles(0.1).update(["x", "y", "x"], [1, 2, 3])
        >>> groups.quantile([0.5, 1.0])
        array([[1, 3],
               [2, 2]])
        """
        return self._known().quantiles(q)

    def median(self) -> Keys:
        """Return `quantile(0.5)`."""
        return self.quantile(0.5)

    def rank(self, x: npt.ArrayLike, *, side: Side = "right") -> Integers:
        """Return how many values of each group are at most x, off by at most εn.

        With side="left" it is how many are less than x. The result has a row for each group, of the
        shape of x. Points are compared as by `QuantileSummary.rank`.
        """
        low, high = self.rank_bounds(x, side=side)
        middle: Integers = low + (high - low) // 2
        return middle

    @locked
    def rank_bounds(self, x: npt.ArrayLike, *, side: Side = "right") -> tuple[Integers, Integers]:
        """Return lower and upper bounds of the exact numbers that `rank(x)` estimates."""
        if side not in ("left", "right"):
            raise BadOption(f"side is 'left' or 'right', not {side!r}")
        return self._known().bounds(x, side)

    @locked
    def cdf(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the shares of values of each group that are at most x, off by at most ε."""
        ranks = self.rank(x)
        sizes = self._known().sizes.reshape(-1, *[1] * (ranks.ndim - 1))
        shares: npt.NDArray[np.float64] = ranks / sizes
        return shares
