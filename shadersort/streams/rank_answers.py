"""Questions about ranks, and their answers from ranked values."""

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, QuantileIsNaN, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import plan
from shadersort.streams.greenwald_khanna import Ranked, ranked_samples

__all__ = ["Ranks", "RanksAnswered", "united"]

Counts = npt.NDArray[np.signedinteger[Any]]


def united(sets: list[Ranked], rest: Keys, uncovered: int = 0) -> "Ranks":
    """Return the ranks in the union of some sets, and of a rest whose values are all there.

    So many more values are `uncovered`: they belong to the union, and nothing is known of them.
    """
    exact = np.sort(rest, kind="stable").reshape(1, -1)
    if rest.size:
        sets = [*sets, ranked_samples(exact, np.arange(rest.size), rest.size)]
    values, lower, upper = (
        np.concatenate([getattr(each, name)[0] for each in sets])
        for name in ("values", "lower", "upper")
    )
    order = np.argsort(values, kind="stable")
    return Ranks(values[order], np.cumsum(lower[order]), np.cumsum(upper[order]), uncovered)


class Ranks:
    """Values in order, and the bounds of how many values of the whole come before and after them.

    Attributes
    ----------
    values
        In order; the first is the smallest of all, the last the largest.
    smallest, largest
        Bounds of the rank of each, from 1.
    error
        No rank that is told is further off than this: half of the largest gap, D of `ranked.py`,
        or what is uncovered, if that is more.
    """

    def __init__(self, values: Keys, smallest: Counts, through: Counts, uncovered: int = 0) -> None:
        self.values, self.smallest = values, smallest
        self.n = int(smallest[-1]) + uncovered
        self._below = np.concatenate([[0], smallest])  # at least so many up to each gap …
        self._above = np.concatenate([[0], through]) + uncovered  # … and at most so many
        self.largest = 1 + self._above[:-1]
        self.error = max((int(np.max(self._above - self._below)) + 1) // 2, uncovered)

    def at(self, ranks: Counts) -> Keys:
        """Return values whose ranks are within `error` of those asked for, from 1 to n.

        There is such an entry. Let h be (D + 1) // 2, and i the last entry whose largest rank is at
        most r + h. That of the next one is more, and exceeds the smallest of i by D + 1 at most: so
        the smallest rank of i is at least r + h − D, and D − h ≤ h. (Where there is no such i, or
        it is the last of all, only what is uncovered lies between its ranks and r.)

        Both bounds grow from entry to entry. So of the entries whose bounds have their middle below
        r, none is nearer than the last; and of the others, none is nearer than the first.
        """
        last = len(self.values) - 1
        middle = np.searchsorted(self.smallest + self.largest, 2 * ranks)
        found = np.stack([np.maximum(middle - 1, 0), np.minimum(middle, last)])
        error = np.maximum(ranks - self.smallest[found], self.largest[found] - ranks)
        chosen: Keys = self.values[np.where(error[0] <= error[1], found[0], found[1])]
        return chosen

    def gaps(self, points: Keys, side: str) -> Any:
        """Return how many entries come before each point, those equal to it too if "right"."""
        return _gaps(self.values, points, side)

    def bounds(self, points: Keys, side: str) -> tuple[Counts, Counts]:
        """Return between what the number of values up to each point lies, or below it if "left"."""
        gap = self.gaps(points, side)
        return self._below[gap], self._above[gap]


class RanksAnswered:
    """A summary that answers questions about ranks, of what `_ranks` gives for the whole of it."""

    @abstractmethod
    def _ranks(self) -> Ranks:
        """Return the ranks of all values that are asked about."""

    @property
    def rank_error(self) -> int:
        """No rank told now is further off than this; it never exceeds εN, and is often less."""
        return self._ranks().error

    @property
    def minimum(self) -> Any:
        """The smallest value of a stream; of its last values, one about as small."""
        return self._ranks().values[0]

    @property
    def maximum(self) -> Any:
        """The largest value of a stream; of its last values, one about as large."""
        return self._ranks().values[-1]

    def quantile(self, q: npt.ArrayLike) -> Any:
        """Return values of the stream whose ranks are within εN of ⌈qN⌉, for q from 0 to 1.

        The result has the shape of q. Where the error is 0 it is that of
        `np.quantile(stream, q, method="inverted_cdf")`.
        """
        ranks = self._ranks()
        wanted = plan(ranks.n, q, "inverted_cdf", nan=False)
        return wanted.combine(ranks.at(wanted.ranks + 1))

    def median(self) -> Any:
        """Return `quantile(0.5)`."""
        return self.quantile(0.5)

    def rank(self, x: npt.ArrayLike, *, side: str = "right") -> Any:
        """Return how many values are at most x, off by at most εN; less than x if side="left".

        The result has the shape of x.
        """
        low, high = self.rank_bounds(x, side=side)
        return low + (high - low) // 2

    def rank_bounds(self, x: npt.ArrayLike, *, side: str = "right") -> tuple[Any, Any]:
        """Return two bounds between which `rank(x)` surely lies, ends included."""
        ranks = self._ranks()
        if side not in ("left", "right"):
            raise BadOption(f"side is 'left' or 'right', not {side!r}")
        low, high = ranks.bounds(_points(x), side)
        return low[()], high[()]

    def cdf(self, x: npt.ArrayLike) -> Any:
        """Return the share of values that are at most x, off by at most ε; of the shape of x."""
        return self.rank(x) / self._ranks().n

    def pmf(self, splits: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the shares of the values up to the first split, up to the second, … and above all.

        Splits increase. Each share is off by at most 2ε, and together they are 1.
        """
        points = np.asarray(splits)
        if points.ndim != 1 or np.any(points[1:] <= points[:-1]):
            raise BadOption("splits are a flat array of increasing numbers")
        shares: npt.NDArray[np.float64] = np.diff(self.cdf(points), prepend=0.0, append=1.0)
        return shares


def _points(x: npt.ArrayLike) -> Keys:
    """Return points, which are numbers, as an array."""
    points = np.asarray(x)
    if points.dtype.kind not in "iuf":
        raise UnsupportedKeys(f"points are numbers, not {points.dtype}")
    if points.dtype.kind == "f" and np.isnan(points).any():
        raise QuantileIsNaN("a NaN has no rank: ask for numbers")
    return points


def _gaps(values: Keys, points: Keys, side: str) -> Any:
    """Return `np.searchsorted`, but compare integers with other numbers exactly.

    Examples
    --------
    >>> near = np.array([2**53, 2**53 + 1])
    >>> _gaps(near, np.array([2.0**53, 1e300, -np.inf]), "right")
    array([1, 2, 0])
    """
    if values.dtype.kind == "f" or points.dtype == values.dtype:
        return np.searchsorted(values, points, side=side)  # type: ignore[call-overload]
    limits = np.iinfo(values.dtype)
    if points.dtype.kind == "f":  # an integer is at most x if it is at most ⌊x⌋
        points = (np.floor if side == "right" else np.ceil)(points.astype(np.float64))
        beyond = points >= float(limits.max) + (limits.bits < 64)
    else:
        beyond = points > int(limits.max)
    before = points < int(limits.min)
    inside = np.where(beyond | before, 0, points).astype(values.dtype)
    gap = np.searchsorted(values, inside, side=side)  # type: ignore[call-overload]
    return np.where(beyond, len(values), np.where(before, 0, gap))
