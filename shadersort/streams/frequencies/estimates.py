"""Estimates of how often items come, and the questions that they answer."""

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, NaNRefused
from shadersort.keys.types import Integers, Keys, Scalar
from shadersort.streams.frequencies.item_counts import looked_up
from shadersort.streams.locked import locked
from shadersort.streams.values import as_values, plain_zeros

SHOWN = 5
"""Items that a notebook shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Bounds of how often items come.

    Attributes
    ----------
    items
        Different values in order.
    lower, upper
        How often each of them comes, at least and at most.
    missed
        How often any other value comes, at most. No lower and upper bound differ by more.
    """

    items: Keys
    lower: Integers
    upper: Integers
    missed: int

    def of(self, values: Keys) -> tuple[Integers, Integers]:
        """Return how often values come, at least and at most, whether they are items or not."""
        lower = looked_up(values, self.items, self.lower)
        return lower, looked_up(values, self.items, self.upper, self.missed)


class CountedItem(NamedTuple):
    """An item that a summary holds, with bounds of how often it comes."""

    item: Any
    lower: int
    upper: int


class EstimatesAnswered(ABC):
    """Answers questions about how often items come from what `_estimates` returns."""

    @property
    @abstractmethod
    def n(self) -> int:
        """How many values the answers are about."""

    @property
    @abstractmethod
    def epsilon(self) -> float:
        """The error bound."""

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values."""

    @property
    def as_printed(self) -> bool:
        """Whether the answers are those that the paper of 2005 prints."""
        return False

    @abstractmethod
    def _estimates(self) -> Estimates:
        """Return the bounds for all items that are asked about, or raise EmptyInput."""

    def _items_of(self, items: Any) -> Keys:
        """Return the items that a caller asks about as a flat array of the type of the stream."""
        return plain_zeros(as_values(items, self.dtype))

    @property
    @locked
    def count_error(self) -> int:
        """The most by which an estimate may be too small now; at most εn, and often less."""
        return self._estimates().missed

    @overload
    def estimate(self, items: Scalar | str | bytes) -> int: ...

    @overload
    def estimate(self, items: Sequence[float] | list[str] | Keys) -> Integers: ...

    @overload
    def estimate(self, items: Any) -> Any: ...

    def estimate(self, items: Any) -> Any:
        """Return how often an item, or each of several, comes: never too many, at most εn too few.

        A scalar in gives an int out, an array in an array of int64. Items are converted as `update`
        converts values: Python's floats are rounded to the type of the stream, and an item of
        another type that the stream cannot hold is refused (UnsupportedKeys).
        """
        return self.bounds(items)[0]

    @overload
    def bounds(self, items: Scalar | str | bytes) -> tuple[int, int]: ...

    @overload
    def bounds(self, items: Sequence[float] | list[str] | Keys) -> tuple[Integers, Integers]: ...

    @overload
    def bounds(self, items: Any) -> tuple[Any, Any]: ...

    @locked
    def bounds(self, items: Any) -> tuple[Any, Any]:
        """Return how often an item, or each of several, comes: at least, and at most."""
        known = self._estimates()
        values = self._items_of(items)
        if np.any(values != values):
            raise NaNRefused("a NaN is no item: `nans` is the number of NaNs seen")
        lower, upper = known.of(values)
        return (int(lower[0]), int(upper[0])) if np.ndim(items) == 0 else (lower, upper)

    @locked
    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of the values, the most frequent first.

        Every item that comes more than support · n times is in the table, and none that comes less
        than (support − epsilon) · n times.

        Parameters
        ----------
        support
            A share from epsilon to 1.

        Returns
        -------
        A structured array of items, with how often each comes: the estimate, the lower bound
        (equal to the estimate, which is never too large) and the upper bound.
        """
        support = checked_support(support, self.epsilon)
        known = self._estimates()
        often = np.flatnonzero(self._most(known) >= support * self.n)
        often = often[np.argsort(-known.lower[often], kind="stable")]
        numbers = [(name, np.int64) for name in ("estimate", "lower", "upper")]
        table = np.empty(len(often), [("item", known.items.dtype), *numbers])
        table["item"], table["upper"] = known.items[often], known.upper[often]
        table["estimate"] = table["lower"] = known.lower[often]
        return table

    def _most(self, known: Estimates) -> npt.NDArray[Any]:
        """Return how often items may come: as printed, εn more than the estimate at least."""
        most: npt.NDArray[Any] = known.upper
        if self.as_printed:
            most = np.maximum(most, known.lower + self.epsilon * self.n)
        return most

    @locked
    def most_common(self, n: SupportsIndex | None = None) -> list[tuple[float | str, int]]:
        """Return the n items with the largest estimates, and these, as `Counter.most_common` does.

        An item that is not in the list comes at most `count_error` times more than the last one in
        it. `frequent_items` gives bounds for each item.

        Parameters
        ----------
        n
            How many items; None returns all that the summary holds. It may hold fewer.

        Examples
        --------
        >>> from shadersort.streams import FrequencySummary
        >>> FrequencySummary(0.01).update([3, 1, 3, 2, 1, 3]).most_common(2)
        [(3, 3), (1, 2)]
        """
        known = self._estimates()
        count = len(known.items) if n is None else checked_count(n)
        first = np.argsort(-known.lower, kind="stable")[:count]
        return list(zip(known.items[first].tolist(), known.lower[first].tolist(), strict=True))

    @locked
    def __iter__(self) -> Iterator[CountedItem]:
        """Yield the items that are held, in order, with bounds of how often each comes.

        Examples
        --------
        >>> from shadersort.streams import FrequencySummary
        >>> [*FrequencySummary(0.01).update([3, 1, 3])]
        [CountedItem(item=1, lower=1, upper=1), CountedItem(item=3, lower=2, upper=2)]
        """
        known = self._estimates()
        columns = (each.tolist() for each in (known.items, known.lower, known.upper))
        return map(CountedItem, *columns)

    def _highlights(self) -> list[tuple[str, object]]:
        """Return the most frequent items, for a notebook."""
        return highlights(self.most_common(SHOWN), self.count_error)


def highlights(common: Sequence[tuple[Any, int]], count_error: int) -> list[tuple[str, object]]:
    """Return the rows of a notebook's table for the most frequent items."""
    return [*((f"item {item!r}", count) for item, count in common), ("count error", count_error)]


def checked_count(n: SupportsIndex) -> int:
    """Return how many items are asked for, 0 at least, or raise BadOption."""
    try:
        count = -1 if isinstance(n, bool) else operator.index(n)
    except TypeError:
        count = -1
    if count < 0:
        raise BadOption(f"n is a number of items, 0 at least, or None for all; not {n!r}")
    return count


def checked_support(support: SupportsFloat, epsilon: float) -> float:
    """Return a support, a share from epsilon to 1, or raise BadOption."""
    try:
        share = np.nan if isinstance(support, bool | str | bytes) else float(support)
    except (TypeError, ValueError):
        share = np.nan
    if not epsilon <= share <= 1:
        raise BadOption(
            f"support is a number from epsilon={epsilon!r} to 1, not {support!r}: rarer items "
            "take a summary of smaller epsilon"
        )
    return share
