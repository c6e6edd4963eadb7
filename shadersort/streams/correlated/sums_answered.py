"""Questions about sums of y up to some x, and their answers from the bounds of sums."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, choices
from shadersort.keys.types import Number, Scalar
from shadersort.names import AggregateName
from shadersort.streams.correlated.mass_summaries import SumBounds
from shadersort.streams.locked import locked
from shadersort.streams.quantiles.points import as_points
from shadersort.streams.quantiles.rank_answers import RankBounds, RanksAnswered


class SumsAnswered(RanksAnswered):
    """Answers questions about sums from the bounds that `_sums` returns."""

    @abstractmethod
    def _sums(self) -> SumBounds:
        """Return the bounds of the sums of all pairs, or raise EmptyInput."""

    @abstractmethod
    def _exact_sum(self) -> np.float64:
        """Return the sum of all x, apart from rounding."""

    def _rank_bounds(self) -> RankBounds:
        return self._sums().ranks

    @property
    @locked
    def total(self) -> float:
        """The sum of all y; exact, apart from rounding."""
        return float(self._sums().up_to(np.array(self.maximum))[0])

    @overload
    def sum_up_to(self, x: Scalar) -> np.float64: ...

    @overload
    def sum_up_to(self, x: npt.ArrayLike) -> Any: ...

    def sum_up_to(self, x: npt.ArrayLike) -> Any:
        """Return the sums of y over the pairs up to each x, in the shape of x.

        A point is compared as `rank` compares it.
        """
        low, high = self.sum_bounds(x)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite bounds have no middle
            return low + (high - low) / 2

    @overload
    def sum_bounds(self, x: Scalar) -> tuple[np.float64, np.float64]: ...

    @overload
    def sum_bounds(self, x: npt.ArrayLike) -> tuple[Any, Any]: ...

    @locked
    def sum_bounds(self, x: npt.ArrayLike) -> tuple[Any, Any]:
        """Return a lower and an upper bound of the exact sum, apart from rounding."""
        sums = self._sums()
        return sums.up_to(as_points(x, sums.ranks.values.dtype))

    @locked
    def query(
        self, aggregate: float | AggregateName, f: Callable[[Any], Any] = lambda value: value
    ) -> float:
        """Return SUM(y : x ≤ f(AGG(x))).

        Parameters
        ----------
        aggregate
            AGG: "count", "sum", "mean", "min", "max", "median", or a quantile, from 0 to 1.
        f
            A function of that number; by default the number itself.

        Examples
        --------
        >>> from shadersort.streams import CorrelatedSum
        >>> sums = CorrelatedSum(0.1).update([1.0, 2.0, 3.0], [10.0, 20.0, 40.0])
        >>> sums.query("sum", lambda total: total / 3), sums.query("count", lambda n: n / 3)
        (30.0, 10.0)
        """
        return float(self.sum_up_to(f(self.aggregate(aggregate))))

    @locked
    def aggregate(self, aggregate: float | AggregateName) -> Number:
        """Return AGG(x): "count", "sum", "mean", "min", "max", "median", or a quantile."""
        if not isinstance(aggregate, str):
            return self.quantile(aggregate)
        known: dict[str, Callable[[], Number]] = {
            "count": lambda: np.int64(self._sums().ranks.n),
            "sum": self._exact_sum,
            "mean": lambda: np.float64(self._exact_sum() / self._sums().ranks.n),
            "min": lambda: self.minimum,
            "max": lambda: self.maximum,
            "median": self.median,
        }
        if aggregate not in known:
            raise BadOption(
                f"an aggregate is {choices(known)}, or a quantile from 0 to 1; not {aggregate!r}"
            )
        self._sums()  # raises EmptyInput
        return known[aggregate]()
