"""Estimates of how often items come, and the questions that they answer."""

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, NaNRefused
from shadersort.keys.types import Integers, Keys, Scalar
from shadersort.streams.frequencies.item_counts import look_up
from shadersort.streams.locked import locked
from shadersort.streams.values import as_values, plain_zeros

SHOWN = 5  # items that a notebook shows


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Bounds of how often items come."""

    items: Keys  # different values in order
    lower: Integers  # how often each of them comes at least, and at most
    upper: Integers
    missed: int  # how often any other value comes, at most; no bounds differ by more

    def look_up(self, values: Keys) -> tuple[Integers, Integers]:
        """Return how often values come, at least and at most, whether they are items or not."""
        lower = look_up(values, self.items, self.lower)
        return lower, look_up(values, self.items, self.upper, self.missed)


class CountedItem(NamedTuple):
    """An item that a summary holds, with bounds of how often it comes."""

    item: Any
    lower: int
    upper: int


class EstimatesAnswered(ABC):
    """Answers questions about how often items come from what `_estimates` returns."""

    n: Any  # how many values the answers are about
    epsilon: Any
    dtype: Any
    as_printed: Any

    @abstractmethod
    def _estimates(self) -> Estimates:
        """Return the bounds for all items that are asked about, or raise EmptyInput."""

    def _items_of(self, items: Any) -> Keys:
        """Return items to ask about as a flat array of the type of the stream."""
        return plain_zeros(as_values(items, self.dtype))

    @property
    @locked
    def count_error(self) -> int:
        """The most by which an estimate may be too small now; at most εn, and often less."""
        return self._estimates().missed

    @overload
    def estimate(self, items: Scalar | str | bytes) -> int: ...

    @overload
    def estimate(self, items: Any) -> Integers: ...

    def estimate(self, items: Any) -> Any:
        """Return how often an item, or each of several, comes: never too many, at most εn too few.

        A scalar in gives an int out, an array in an array of int64. Items are converted as `update`
        converts values; one that the stream cannot hold is refused (UnsupportedKeys).
        """
        return self.bounds(items)[0]

    @overload
    def bounds(self, items: Scalar | str | bytes) -> tuple[int, int]: ...

    @overload
    def bounds(self, items: Any) -> tuple[Integers, Integers]: ...

    @locked
    def bounds(self, items: Any) -> tuple[Any, Any]:
        """Return how often an item, or each of several, comes: at least, and at most."""
        known, values = self._estimates(), self._items_of(items)
        if np.any(values != values):
            raise NaNRefused("a NaN or a missing value is no item: `nans` is the number of those")
        return match_items(items, *known.look_up(values))

    @locked
    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of the values, the most frequent first.

        Every item that comes more than support · n times is in the table, and none that comes less
        than (support − epsilon) · n times; the support is from epsilon to 1. The table is a
        structured array of items, their estimates and bounds: an estimate is the lower bound.

        For fewer of the last values than `shortest`, the support must be larger than epsilon by as
        much; otherwise BadOption is raised.
        """
        often, known = checked_support(support, self.epsilon) * self.n, self._estimates()
        if often < known.missed:
            raise BadOption(
                f"of the last {self.n:,} values {known.missed:,} equal ones may be unknown, more "
                f"than a share of {float(support)!r}: ask about more, or make `shortest` less"
            )
        most: npt.NDArray[Any] = known.upper
        if self.as_printed:  # every item whose estimate is at most εn too small
            most = np.maximum(most, known.lower + self.epsilon * self.n)
        rows = np.flatnonzero(most >= often)
        items, lower, upper = known.items[rows], known.lower[rows], known.upper[rows]
        return table_of(item=items, estimate=lower, lower=lower, upper=upper)

    @locked
    def most_common(self, n: SupportsIndex | None = None) -> list[tuple[float | str, int]]:
        """Return the n items with the largest estimates, and these, as `Counter.most_common` does.

        An item that is not in the list comes at most `count_error` times more than the last one in
        it. `frequent_items` gives bounds for each item. None returns all that the summary holds.
        """
        known = self._estimates()
        whole = isinstance(n, SupportsIndex) and not getattr(n, "ndim", 0)
        if n is not None and (isinstance(n, bool) or not whole or operator.index(n) < 0):
            raise BadOption(f"n is a number of items, 0 at least, or None for all; not {n!r}")
        first = np.argsort(-known.lower, kind="stable")[:n]
        return list(zip(known.items[first].tolist(), known.lower[first].tolist(), strict=True))

    @locked
    def __iter__(self) -> Iterator[CountedItem]:
        """Yield the items that are held, in order, with bounds of how often each comes."""
        known = self._estimates()
        columns = (each.tolist() for each in (known.items, known.lower, known.upper))
        return map(CountedItem, *columns)

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the most frequent items, for a notebook."""
        common = [(f"item {item!r}", count) for item, count in self.most_common(SHOWN)]
        return [*common, ("count error", self.count_error)]


def match_items(items: Any, lower: Integers, upper: Integers) -> tuple[Any, Any]:
    """Return bounds for items as they were given: two ints for a scalar or a text."""
    several = isinstance(items, list | tuple) or np.ndim(items) > 0
    return (lower, upper) if several else (int(lower[0]), int(upper[0]))


def table_of(**columns: Keys) -> npt.NDArray[Any]:
    """Return columns as a structured array, with the largest estimates first."""
    order = np.argsort(-columns["estimate"], kind="stable")
    table = np.empty(len(order), [(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column[order]
    return table


def checked_support(support: SupportsFloat, epsilon: float) -> float:
    """Return a support, a share from epsilon to 1, or raise BadOption."""
    with suppress(TypeError, ValueError):
        share = np.nan if isinstance(support, bool | str | bytes) else float(support)
        if epsilon <= share <= 1:
            return share
    raise BadOption(f"support is a number from epsilon={epsilon!r} to 1, not {support!r}")
