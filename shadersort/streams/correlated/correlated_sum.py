"""`CorrelatedSum`: SUM(y : x ≤ f(AGG(x))) of a stream of pairs."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any, Self, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, CorruptSummary, ValuesMismatch
from shadersort.keys.types import Keys
from shadersort.streams.correlated.error_budgets import Budgets, budgets
from shadersort.streams.correlated.mass_summaries import (
    MASSES,
    ROUNDING,
    MassSummaries,
    SumBounds,
    plain_nans,
)
from shadersort.streams.correlated.pairs import Pairs, pair_type
from shadersort.streams.correlated.sums_answered import SumsAnswered
from shadersort.streams.levels import Levels
from shadersort.streams.locked import locked, undo_on_error
from shadersort.streams.quantiles.gk_summaries import COLUMNS, all_on_host
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Arrays
from shadersort.streams.values import number_type, plain_zeros
from shadersort.streams.windowed import WindowedSummary

MASS = np.dtype(np.float64)
"""The type of y."""
MOST_LEVELS = 64
"""No stream is long enough for more levels."""


class CorrelatedSum(SumsAnswered, WindowedSummary):
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
        self._budgets = budgets(self._epsilon)
        self._levels: Levels[Any] = Levels(partial(_compressed, self._budgets))
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

        Returns this summary. Pairs have no weights (BadOption): repeat x and y by `np.repeat`.

        Raises
        ------
        ValuesMismatch
            There are not as many y as x.
        NotFinite
            A y is infinite, or the sum of all `|y|` is more than float64 holds.
        UnsupportedKeys, KeysNotFlat
            As for every summary.
        """
        if weights is not None:
            raise BadOption("pairs have no weights: pass np.repeat(x, weights), and so for y")
        with undo_on_error(self):
            try:
                for some_x, some_y in zip(*map(_pieces, (x, y)), strict=True):
                    self._answers = None
                    self._take_pairs(some_x, some_y)
                self._settle()
            except ValueError as error:
                if "zip()" not in str(error):
                    raise
                raise ValuesMismatch("one of the iterators ended before the other") from error
        return self

    def _take_pairs(self, x: Any, y: Any) -> None:
        keys = self.sorter.accepted(x, self.dtype)
        masses = self.sorter.accepted(y, MASS)
        if keys.shape != masses.shape:
            raise ValuesMismatch(f"there are {keys.size:,} x, and {masses.size:,} y for them")
        if not len(keys):
            return
        self._adopt(pair_type(np.dtype(keys.dtype)))
        keys, masses = self.sorter.side_by_side(keys, masses)  # so both are cut alike
        for some_x, some_y in zip(self._staged(keys), self._staged(masses), strict=True):
            pairs, missing = self.sorter.whole_pairs(some_x, some_y)
            self._see(len(pairs), missing)
            self._feed(pairs)

    def _wait(self, keys: Any) -> None:
        if isinstance(keys, Pairs):
            x, y = self.sorter.on_host(keys.x), self.sorter.on_host(keys.y)
            keys = Pairs(plain_zeros(x), y).packed()
        super()._wait(keys)

    def _absorb(self, windows: Any) -> None:
        pairs = windows if isinstance(windows, Pairs) else Pairs.unpack(windows)
        slots = ceil(1 / self._budgets.epsilon)
        step, timed = self._budgets.step, self._timed
        self._levels = self.sorter.with_pairs(self._levels, pairs, step, slots, timed)
        self._sum_of_x = _total(self._sum_of_x, self.sorter.window_sums(pairs.x))

    def _settle(self) -> None:
        self._levels = replace(self._levels, buckets=all_on_host(self._levels.buckets))

    def _merge_state(self, other: Self) -> None:
        self._levels = self._levels.merged(other._levels, self._timed)
        self._sum_of_x = _total(self._sum_of_x, other._sum_of_x)

    def _exact_sum(self) -> np.float64:
        """Return the sum of all x, apart from rounding."""
        with np.errstate(invalid="ignore", over="ignore"):
            waiting = np.sum(self._waiting()["x"], dtype=np.float64)
        return np.float64(_total(self._sum_of_x, waiting))

    def _sums(self) -> SumBounds:
        sums: SumBounds = self._known()
        return sums

    def _new_answers(self) -> SumBounds:
        waiting = self._waiting()
        ordered = waiting[np.argsort(waiting["x"], kind="stable")].reshape(1, -1)
        rest = [MassSummaries.whole(ordered["x"], ordered["y"])] if waiting.size else []
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
        x, y, (self._sum_of_x,) = arrays["x"], arrays["y"], arrays["sum"].tolist()
        if self.dtype not in (None, x.dtype) or x.shape != y.shape or len(x) >= self._window:
            raise CorruptSummary("the pairs that wait for their window are no such pairs")
        self._adopt(pair_type(x.dtype))
        waiting = np.empty(len(x), self._dtype)
        waiting["x"], waiting["y"] = x, y
        if np.isnan(x).any() or not np.isfinite(y).all():
            raise CorruptSummary("a pair that waits for its window is not finite")
        self._wait(waiting)
        levels = [int(name.split()[1]) for name in arrays if name.startswith("values ")]
        if not all(0 <= level < MOST_LEVELS for level in levels):
            raise CorruptSummary("the levels of the buckets are too many")
        buckets = {level: self._bucket(arrays, level) for level in levels}
        self._levels = replace(self._levels, buckets=buckets)
        if sum(map(self._budgets.size, levels)) + self._filled != self._n:
            raise CorruptSummary("its buckets do not hold as many pairs as it has seen")
        if not self._mean_is_within():
            raise CorruptSummary("the mean of x is not between the smallest and the largest x")

    def _mean_is_within(self) -> bool:
        """Whether the sum of x agrees with the ends of all buckets, apart from rounding."""
        buckets = self._levels.buckets.values()
        ends = np.array([bucket.values[0, [0, -1]] for bucket in buckets], np.float64)
        if not ends.size:
            return self._sum_of_x == 0
        with np.errstate(over="ignore"):
            low, high, most = ends.min(), ends.max(), np.abs(ends).max() * self._n
            count, rounding = self._n - self._filled, ROUNDING * most
            within = low * count - rounding <= self._sum_of_x <= high * count + rounding
        return bool(within or not np.isfinite(most))  # sums that overflow may become NaN

    def _bucket(self, arrays: Arrays, level: int) -> MassSummaries:
        """Return the bucket of a level that gave arrays."""
        values, *masses = (arrays[f"{name} {level}"] for name in COLUMNS)
        if values.dtype != self.dtype:
            raise CorruptSummary(f"a bucket is of {values.dtype}, what waits of {self.dtype}")
        if len(values) != _entries(self._budgets, level):
            raise CorruptSummary("a bucket has fewer or more entries than its level says")
        lower, upper = (each.reshape(MASSES, 1, len(values)) for each in masses)
        return MassSummaries(values.reshape(1, -1), lower, upper).checked(self._budgets.size(level))


def _entries(spending: Budgets, level: int) -> int:
    """Return how many entries a bucket of a level has.

    Examples
    --------
    >>> [_entries(budgets(0.01), level) for level in (0, 1, 3, 4)]
    [201, 402, 1608, 1800]
    """
    if level and not spending.share(level):
        return 2 * _entries(spending, level - 1)
    step = spending.compression(level) if level else spending.step
    share = spending.share(level) or 1
    slots = ceil(1 / (share * spending.epsilon))
    return (spending.size(level) - 1) // step + 2 + slots


def _compressed(spending: Budgets, level: int, stack: MassSummaries) -> MassSummaries:
    """Spend the share of a level on the counts, as every summary, and as much on the masses."""
    if not (share := spending.share(level)):
        return stack
    return stack.compressed(
        spending.size(level), spending.compression(level), ceil(1 / (share * spending.epsilon))
    )


def _pieces(values: Any) -> Any:
    """Return an iterator of arrays as it is; one of a single array otherwise."""
    return values if isinstance(values, Iterator) else [values]


def _total(start: float, sums: npt.ArrayLike) -> float:
    """Return numbers added to a first one, in their order; of both infinities it is NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        total = np.cumsum(np.append(start, sums))[-1:]
    return float(plain_nans(total)[0])
