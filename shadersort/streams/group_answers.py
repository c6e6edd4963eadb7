"""Answers about the ranks in many groups at once, from their lists of entries."""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys
from shadersort.selection.quantile_plan import plan_each, shares_of
from shadersort.streams.group_lists import GroupLists
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
