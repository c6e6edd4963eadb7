"""`CorrelatedSum`: SUM(y : x ≤ f(AGG(x))) of a stream of pairs."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Self, SupportsFloat, overload

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, ValuesMismatch, choices
from shadersort.keys.types import Keys, Number, Scalar
from shadersort.names import AggregateName
from shadersort.streams.correlated.mass_summaries import (
    MASSES,
    ROUNDING,
    Budgets,
    Masses,
    MassSummaries,
    Pairs,
    SumBounds,
    pair_type,
    plain_nans,
)
from shadersort.streams.levels import Levels
from shadersort.streams.locked import locked, undo_on_error
from shadersort.streams.quantiles.gk_summaries import COLUMNS, bring_to_host
from shadersort.streams.quantiles.rank_answers import Points, RankAnswers, RankBounds, as_points
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import number_type, plain_zeros
from shadersort.streams.windowed import WindowedSummary

MOST_LEVELS = 64  # no stream is long enough for more levels


class CorrelatedSum(RankAnswers, WindowedSummary):
    """Estimates sums of y over the pairs (x, y) whose x is at most some value, deterministically.

    The sum over x ≤ t is right to within `ε Σ|y|` for every t, apart from the rounding of float64.
    The t may come from the stream itself: `query` sums up to f(AGG(x)), where AGG is the count, the
    sum, the mean, the smallest or the largest x, or a quantile. All but quantiles are exact, the
    sum and the mean apart from the rounding of float64; so the answer is within `ε Σ|y|` of the sum
    up to that f(AGG(x)). The rank of a quantile, like every rank that this summary tells, is within
    εN of the exact one. The paper is Govindaraju, Raghuvanshi and Manocha 2005, section 5.4, after
    Ananthakrishna and others 2003.

    Parameters
    ----------
    epsilon, sorter
        As for `QuantileSummary`. A pair with one NaN or two is left out, and counted once.
    dtype
        The type of x; y is float64.

    Examples
    --------
    >>> x = np.arange(100_000.0)
    >>> sums = CorrelatedSum(0.01).update(x, 2 * x)
    >>> abs(sums.query("mean") / (2 * x[x <= x.mean()]).sum() - 1) < 0.05
    np.True_
    >>> abs(sums.query(0.9, lambda x: x / 2) - (2 * x[x <= 45_000]).sum()) <= 0.03 * sums.total
    np.True_
    """

    def __init__(
        self,
        epsilon: SupportsFloat,
        *,
        dtype: npt.DTypeLike | None = None,
        sorter: Sorter | None = None,
    ) -> None:
        super().__init__(epsilon, dtype=dtype, sorter=sorter)
        self._budgets = Budgets(Fraction(self._epsilon))
        self._levels: Levels[Any] = Levels(self._budgets.compress)
        self._sum_of_x = 0.0
        if dtype is not None:
            self._dtype = None
            self._adopt(pair_type(number_type(dtype)))

    @property
    def _window(self) -> int:
        return self._budgets.window

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of x; None as long as there is none."""
        return self._dtype["x"] if self._dtype else None

    @locked
    def update(self, x: Any, y: Any, weights: None = None) -> Self:  # type: ignore[override]
        """Take in pairs: two numbers, two arrays of equal length, or two iterators of arrays.

        Returns this summary. Raises ValuesMismatch if there are not as many y as x, and NotFinite
        if a y is infinite, or the sum of all `|y|` is more than float64 holds; other errors are
        those of every summary. Pairs have no weights (BadOption): repeat x and y by `np.repeat`.
        """
        if weights is not None:
            raise BadOption("pairs have no weights: pass np.repeat(x, weights), and so for y")
        with undo_on_error(self):
            pieces = (each if isinstance(each, Iterator) else [each] for each in (x, y))
            for some_x, some_y in zip_longest(*pieces, fillvalue=()):  # so the sizes are compared
                self._answers = None
                self._take_pairs(some_x, some_y)
            self._settle()
        return self

    def _take_pairs(self, x: Any, y: Any) -> None:
        keys = self.sorter.accept(x, self.dtype)
        masses = self.sorter.accept(y, np.dtype(np.float64))
        if keys.shape != masses.shape:
            raise ValuesMismatch(f"there are {keys.size:,} x, and {masses.size:,} y for them")
        if not len(keys):
            return
        self._adopt(pair_type(np.dtype(keys.dtype)))
        keys, masses = self.sorter.bring_together(keys, masses)  # so both are cut alike
        for some_x, some_y in zip(self._stage(keys), self._stage(masses), strict=True):
            pairs, missing = self.sorter.drop_nan_pairs(some_x, some_y)
            self._see(len(pairs), missing)
            self._feed(pairs)

    def _wait(self, keys: Any) -> None:
        if isinstance(keys, Pairs):
            x, y = (self.sorter.to_host(each) for each in (keys.x, keys.y))
            keys = np.empty(len(x), self._dtype)
            keys["x"], keys["y"] = plain_zeros(x), y
        super()._wait(keys)

    def _absorb(self, windows: Any) -> None:
        pairs = windows if isinstance(windows, Pairs) else Pairs.unpack(windows)
        step, slots = self._budgets.step(0), self._budgets.slots(0)
        self._levels, sums = self.sorter.add_pairs(self._levels, pairs, step, slots, self._timed)
        self._sum_of_x = _total(self._sum_of_x, sums)

    def _settle(self) -> None:
        self._levels = replace(self._levels, buckets=bring_to_host(self._levels.buckets))

    def _merge_state(self, other: Self) -> None:
        self._levels = self._levels.merge(other._levels, self._timed)
        self._sum_of_x = _total(self._sum_of_x, other._sum_of_x)

    def _exact_sum(self) -> np.float64:
        """Return the sum of all x, apart from rounding."""
        with np.errstate(invalid="ignore", over="ignore"):
            waiting = np.sum(self._waiting()["x"], dtype=np.float64)
        return np.float64(_total(self._sum_of_x, waiting))

    def _new_answers(self) -> SumBounds:
        waiting = self._waiting()
        ordered = waiting[np.argsort(waiting["x"], kind="stable")].reshape(1, -1)
        rest = [MassSummaries.exact(ordered["x"], ordered["y"])] if waiting.size else []
        return SumBounds([*self._levels.buckets.values(), *rest])

    def _entries(self) -> int:
        return sum(bucket.entries for bucket in self._levels.buckets.values())

    def _arrays(self) -> dict[str, Keys]:
        if self._dtype is None:
            return {}
        waiting = self._waiting()
        flat = {"x": waiting["x"], "y": waiting["y"], "sum": np.array([self._sum_of_x])}
        for level, bucket in sorted(self._levels.buckets.items()):
            flat |= {f"{name} {level}": getattr(bucket, name).ravel() for name in COLUMNS}
        return flat

    def _restore(self, arrays: Arrays) -> None:
        if not (self._n or "x" in arrays):
            return
        pairs, (self._sum_of_x,) = Pairs(arrays["x"], arrays["y"]), arrays["sum"].tolist()
        dtype = number_type(pairs.x.dtype)
        size, other = len(pairs.x), len(pairs.y)
        if (
            self.dtype not in (None, dtype)
            or not size == other < self._window
            or pairs.drop_nans()[1]
        ):
            raise CorruptSummary("the pairs that wait for their window are no such pairs")
        self._adopt(pair_type(dtype))
        self._wait(pairs)
        levels = [int(name.split()[1]) for name in arrays if name.startswith("values ")]
        if not all(0 <= level < MOST_LEVELS for level in levels):
            raise CorruptSummary("the levels of the buckets are too many")
        buckets = {level: self._bucket(arrays, level) for level in levels}
        self._levels = replace(self._levels, buckets=buckets)
        if sum(map(self._budgets.size, levels)) + self._filled != self._n:
            raise CorruptSummary("its buckets do not hold as many pairs as it has seen")
        ends: list[Any] = [each.values[0, [0, -1]].astype(np.float64) for each in buckets.values()]
        with np.errstate(over="ignore", invalid="ignore"):
            sums = np.array(ends or [0.0]) * (self._n - self._filled)
            low, high, rounding = sums.min(), sums.max(), ROUNDING * np.abs(sums).max()
            within = low - rounding <= self._sum_of_x <= high + rounding
        if not within and np.isfinite(rounding):  # infinite sums may also become NaN
            raise CorruptSummary("the mean of x is not between the smallest and the largest x")

    def _bucket(self, arrays: Arrays, level: int) -> MassSummaries:
        """Return the bucket of a level that gave arrays."""
        values, *masses = (arrays[f"{name} {level}"] for name in COLUMNS)
        if values.dtype != self.dtype or len(values) != self._budgets.entries(level):
            raise CorruptSummary("a bucket has other entries than its level and type say")
        lower, upper = (each.reshape(MASSES, 1, len(values)) for each in masses)
        return MassSummaries(values.reshape(1, -1), lower, upper).check(self._budgets.size(level))

    def _rank_bounds(self) -> RankBounds:
        ranks: RankBounds = self._cached_answers().ranks
        return ranks

    @property
    @locked
    def total(self) -> float:
        """The sum of all y; exact, apart from rounding."""
        return float(self._cached_answers().up_to(np.array(self.maximum))[0])

    @overload
    def sum_up_to(self, x: Scalar) -> np.float64: ...

    @overload
    def sum_up_to(self, x: Points) -> Masses: ...

    def sum_up_to(self, x: Any) -> Any:
        """Return the sums of y over the pairs up to each x, which is compared as in `rank`."""
        low, high = self.sum_bounds(x)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite bounds have no middle
            return low + (high - low) / 2

    @overload
    def sum_bounds(self, x: Scalar) -> tuple[np.float64, np.float64]: ...

    @overload
    def sum_bounds(self, x: Points) -> tuple[Masses, Masses]: ...

    @locked
    def sum_bounds(self, x: npt.ArrayLike) -> tuple[Any, Any]:
        """Return a lower and an upper bound of the exact sum, apart from rounding."""
        sums: SumBounds = self._cached_answers()
        return sums.up_to(as_points(x, sums.ranks.values.dtype))

    @locked
    def query(
        self, aggregate: float | AggregateName, f: Callable[[Any], Any] = lambda value: value
    ) -> float:
        """Return SUM(y : x ≤ f(AGG(x))), where `aggregate` names AGG as for that method.

        Examples
        --------
        >>> sums = CorrelatedSum(0.1).update([1.0, 2.0, 3.0], [10.0, 20.0, 40.0])
        >>> sums.query("sum", lambda total: total / 3), sums.query("count", lambda n: n / 3)
        (30.0, 10.0)
        """
        return float(self.sum_up_to(f(self.aggregate(aggregate))))

    @locked
    def aggregate(self, aggregate: float | AggregateName) -> Number:
        """Return AGG(x): "count", "sum", "mean", "min", "max", "median", or q for a quantile."""
        if not isinstance(aggregate, str):
            return self.quantile(aggregate)
        known: dict[str, Callable[[], Number]] = {
            "count": lambda: np.int64(self._n),
            "sum": self._exact_sum,
            "mean": lambda: np.float64(self._exact_sum() / self._n),
            "min": lambda: self.minimum,
            "max": lambda: self.maximum,
            "median": self.median,
        }
        if aggregate not in known:
            raise BadOption(
                f"an aggregate is {choices(known)}, or a quantile from 0 to 1; not {aggregate!r}"
            )
        self._check_seen()
        return known[aggregate]()


def _total(start: float, sums: npt.ArrayLike) -> float:
    """Return numbers added to a first one, in their order; of both infinities it is NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.cumsum(np.append(start, sums))[-1:]
    return float(plain_nans(total)[0])
