"""Questions about ranks, and their answers from Greenwald-Khanna summaries."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, QuantileOutOfRange, UnsupportedKeys
from shadersort.keys.columns import is_typed
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Keys, Number, Scalar
from shadersort.names import Side
from shadersort.selection.quantile_plan import plan
from shadersort.streams.locked import locked
from shadersort.streams.quantiles.gk_summaries import GKSummaries, nearest
from shadersort.streams.quantiles.plots import draw_band
from shadersort.streams.values import check_rounding

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Points = Sequence[Any] | npt.NDArray[Any]


class RankedValue(NamedTuple):
    """A value that a summary holds, with bounds of its rank among all values, from 1."""

    value: Any
    smallest: int
    largest: int


class RankBounds:
    """Values in order, with bounds of how many values of a set come before and after each.

    The first is the smallest of all, the last the largest; `smallest` and `largest` are the bounds
    of their ranks, from 1. No answer is further off than `error`: half of the largest gap (D in
    `gk_summaries.py`), or the number of uncovered values if that is more. Gaps between equal values
    do not count: no point lies there, and any rank there is a rank of that value.
    """

    def __init__(
        self, values: Keys, smallest: Integers, through: Integers, uncovered: int = 0
    ) -> None:
        self.values, self.smallest = values, smallest
        self.n = int(smallest[-1]) + uncovered
        self._below = np.concatenate([[0], smallest])  # lower bounds of the values up to each gap
        self._above = np.concatenate([[0], through]) + uncovered  # and upper bounds
        self.largest = 1 + self._above[:-1]
        widths = self._above - self._below
        widths[1:-1][values[1:] == values[:-1]] = 0
        self.error = max((int(np.max(widths)) + 1) // 2, uncovered)

    def summary(self, places: Any = slice(None)) -> GKSummaries:
        """Return the values at some places, by default all, with their bounds, as a summary."""
        smallest, before = self.smallest[places], self.largest[places] - 1
        ranks = smallest[None], before[None]
        return GKSummaries.of_ranks(self.values[places][None], *ranks, self.n)

    def values_at(self, ranks: Integers) -> Keys:
        """Return values whose ranks are within `error` of the ranks asked for, from 1 to n.

        Such an entry exists. Let h be (D + 1) // 2, and i the last entry whose largest rank is at
        most r + h. The largest rank of the next entry is more than r + h, and exceeds the smallest
        rank of i by at most D + 1. So the smallest rank of i is at least r + h − D, and D − h ≤ h.
        (If both have one value, the gap between them may be larger. If the middle of the bounds of
        i is not below r, i is within h. If that of the next entry is, the gap after that one tells
        that it is within h. Otherwise these two are compared, and both are the right answer.)
        (If no entry is such an i, or i is the last of all, only uncovered values lie between its
        ranks and r.)
        """
        chosen = nearest(self.smallest[None], self.largest[None], np.ravel(ranks))[0]
        return cast(Keys, self.values[chosen.reshape(np.shape(ranks))])

    def bounds(self, points: Keys, side: str) -> tuple[Integers, Integers]:
        """Return bounds of how many values are at most each point, or less than it if "left"."""
        gap = gaps(self.values, points, side)
        return self._below[gap], self._above[gap]


def unite(summaries: list[GKSummaries], rest: Any = (), uncovered: int = 0) -> RankBounds:
    """Return the bounds in the union of some sets, of a rest, and of uncovered, unknown values."""
    union = GKSummaries.union(with_rest(summaries, rest))
    smallest, through = np.cumsum(union.lower[0]), np.cumsum(union.upper[0])
    return RankBounds(union.values[0], smallest, through, uncovered)


def with_rest(summaries: list[GKSummaries], rest: Any) -> list[GKSummaries]:
    """Return summaries with that of a rest, all of whose values are there; in rows, as theirs."""
    if not np.size(rest):
        return summaries
    count = rest.shape[-1]
    exact = sort_keys(rest).reshape(-1, count)
    return [*summaries, GKSummaries.of_samples(exact, np.arange(count), count)]


def as_points(x: npt.ArrayLike, dtype: np.dtype[Any]) -> Keys:
    """Return points as an array of numbers, or raise UnsupportedKeys or QuantileOutOfRange.

    Python's floats are rounded to the type of the stream, `dtype`, as an update rounds them; a
    float beyond the range of that type stays as it is. Numbers of NumPy are never changed.
    """
    if isinstance(x, np.ma.MaskedArray):
        raise UnsupportedKeys("masked arrays are no points: pass points.compressed()")
    try:
        points = check_rounding(np.asarray(x), x)
    except ValueError as error:
        raise UnsupportedKeys(f"points are a number or an array of numbers: {error}") from error
    if points.dtype.kind not in "iuf":
        raise UnsupportedKeys(f"points are numbers, not {points.dtype}: {x!r:.60}")
    if points.dtype.kind != "f":
        return points
    if np.isnan(points).any():
        raise QuantileOutOfRange("no value is at most NaN, so it has no rank: ask for numbers")
    if is_typed(x) or dtype.kind != "f":
        return points
    with np.errstate(all="ignore"):
        rounded = points.astype(dtype).astype(points.dtype)
    return np.where(np.isinf(rounded), points, rounded)


def gaps(values: Keys, points: Keys, side: str) -> Any:
    """Return what `np.searchsorted` does, but compare integers with other numbers exactly."""
    if values.dtype.kind == "f" and points.dtype.kind != "f":
        points = _nearest_floats(points, side)
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


def _nearest_floats(points: Keys, side: str) -> npt.NDArray[np.float64]:
    """Return floats that divide all floats as integers do.

    A float is at most n if it is at most the largest float that is at most n, and it is less than n
    if it is less than the smallest float that is at least n.
    """
    floats, limits = points.astype(np.float64), np.iinfo(points.dtype)
    above = floats >= float(limits.max) + (limits.bits < 64)  # 2**63 or 2**64: no such integer
    back = np.where(above, 0, floats).astype(points.dtype)
    wrong = above | (back > points) if side == "right" else ~above & (back < points)
    return np.where(wrong, np.nextafter(floats, -np.inf if side == "right" else np.inf), floats)


class RankAnswers:
    """Answers questions about ranks from the bounds that `_rank_bounds` returns."""

    _lock: Any

    @abstractmethod
    def _rank_bounds(self) -> RankBounds:
        """Return the bounds in the set of all values that are asked about."""

    @property
    @locked
    def rank_error(self) -> int:
        """No rank in an answer is further off than this: at most εN."""
        return self._rank_bounds().error

    @property
    @locked
    def minimum(self) -> Number:
        """The smallest value of a stream; for a sliding window, a value near its smallest."""
        return cast(Number, self._rank_bounds().values[0])

    @property
    @locked
    def maximum(self) -> Number:
        """The largest value of a stream; for a sliding window, a value near its largest."""
        return cast(Number, self._rank_bounds().values[-1])

    @overload
    def quantile(self, q: Scalar) -> Number: ...

    @overload
    def quantile(self, q: Points) -> Keys: ...

    @locked
    def quantile(self, q: npt.ArrayLike) -> Any:
        """Return values of the stream whose ranks are within εN of ⌈qN⌉, for q from 0 to 1.

        Where the error is 0 it is that of `np.quantile(stream, q, method="inverted_cdf")`. This
        and all other answers have the shape of what was asked about.
        """
        known = self._rank_bounds()
        wanted = plan(known.n, q, "inverted_cdf")
        return wanted.combine(known.values_at(wanted.ranks + 1))

    def median(self) -> Number:
        """Return `quantile(0.5)`."""
        return self.quantile(0.5)

    @overload
    def rank(self, x: Scalar, *, side: Side = ...) -> np.int64: ...

    @overload
    def rank(self, x: Points, *, side: Side = ...) -> Integers: ...

    def rank(self, x: npt.ArrayLike, *, side: Side = "right") -> Any:
        """Return how many values are at most x, off by at most εN; less than x if side="left".

        Python's floats are rounded to the type of the stream, as `update` rounds them: in a stream
        of float32 the rank of 0.1 counts every 0.1. Numbers of NumPy say their own type and are
        compared exactly: the rank of `np.float64(0.1)` does not count the larger float32 0.1.
        """
        low, high = self.rank_bounds(cast(Points, x), side=side)
        return low + (high - low) // 2

    @overload
    def rank_bounds(self, x: Scalar, *, side: Side = ...) -> tuple[np.int64, np.int64]: ...

    @overload
    def rank_bounds(self, x: Points, *, side: Side = ...) -> tuple[Integers, Integers]: ...

    @locked
    def rank_bounds(self, x: npt.ArrayLike, *, side: Side = "right") -> tuple[Any, Any]:
        """Return a lower and an upper bound of the exact number that `rank(x)` estimates."""
        known = self._rank_bounds()
        if side not in ("left", "right"):
            raise BadOption(f"side is 'left' or 'right', not {side!r}")
        low, high = known.bounds(as_points(x, known.values.dtype), side)
        return low[()], high[()]

    @locked
    def cdf(self, x: npt.ArrayLike) -> Any:
        """Return the shares of values that are at most x, off by at most ε, in the shape of x."""
        return self.rank(cast(Points, x)) / self._rank_bounds().n

    @locked
    def __iter__(self) -> Iterator[RankedValue]:
        """Yield the values that are held, in order, with bounds of the rank of each."""
        known = self._rank_bounds()
        columns = (each.tolist() for each in (known.values, known.smallest, known.largest))
        return map(RankedValue, *columns)

    @locked
    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the band that must hold the distribution: bounds of `cdf`, and the estimate in it.

        Returns axes of matplotlib, by default new ones: `.figure.savefig("band.svg")` writes them.
        Raises MissingPackage without matplotlib, and NotFinite if all values are infinite.
        """
        known = self._rank_bounds()
        points = np.unique(known.values)
        before, through = known.bounds(points[:1], "left"), known.bounds(points, "right")
        low, high = (np.concatenate(pair) / known.n for pair in zip(before, through, strict=True))
        axes = draw_band(np.concatenate([points[:1], points]), low, high, ax)
        axes.set_title(f"{known.n:,} values, every rank within {known.error:,}")
        return axes

    def _highlights(self) -> list[tuple[str, object]]:
        """Return quantiles by their names."""
        names = ("minimum", "lower quartile", "median", "upper quartile", "maximum")
        values = [self.minimum, *self.quantile([0.25, 0.5, 0.75]), self.maximum]
        rows = zip(names, (each.item() for each in values), strict=True)
        return [*rows, ("rank error", self.rank_error)]
