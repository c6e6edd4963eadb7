"""Answers about how often values come, whatever summary they are from."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadSupport, NaNRefused
from shadersort.keys.types import Integers, Keys
from shadersort.streams.sorters.host import NumPySorter
from shadersort.streams.values import as_values, plain_zeros

__all__ = ["Counts", "CountsAnswered", "checked_support", "counted", "located", "looked_up"]


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often values come.

    Attributes
    ----------
    items
        Values in order, each once.
    lower, upper
        How often each of them comes, at least and at most.
    missed
        How often any other value comes, at most. No bounds are farther apart.
    """

    items: Keys
    lower: Integers
    upper: Integers
    missed: int


class CountsAnswered(ABC):
    """What can be asked of a summary that counts; it says `_counts`, `n`, `epsilon` and `dtype`."""

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

    @abstractmethod
    def _counts(self) -> Counts:
        """Return what is known, or raise EmptySummary."""

    @property
    def count_error(self) -> int:
        """By how much a count may be too small, at most, as far as is known."""
        return self._counts().missed

    def estimate(self, items: Any) -> Any:
        """Return how often an item comes, or each of some: never too many, at most εn too few.

        A scalar in gives an int out, an array an array of int64.
        """
        return self.bounds(items)[0]

    def bounds(self, items: Any) -> tuple[Any, Any]:
        """Return how often an item comes at least and at most, or each of some items."""
        known = self._counts()
        values = plain_zeros(as_values(items, self.dtype))
        if np.isnan(values).any():
            raise NaNRefused("NaNs are not told apart: `nans` is how many there were")
        lower = looked_up(values, known.items, known.lower)
        upper = looked_up(values, known.items, known.upper, known.missed)
        return (int(lower[0]), int(upper[0])) if np.ndim(items) == 0 else (lower, upper)

    def frequent_items(self, support: SupportsFloat) -> npt.NDArray[Any]:
        """Return the items that make up a share of the values, those that come most often first.

        Every item that comes more than support · n times is among them, and none that comes less
        than (support − epsilon) · n times.

        Parameters
        ----------
        support
            A share from epsilon to 1.

        Returns
        -------
        A structured array: item, and how often it comes by estimate, at least (the same, as an
        estimate is never too large) and at most.
        """
        support = checked_support(support, self.epsilon)
        known = self._counts()
        often = np.flatnonzero(known.upper >= support * self.n)
        often = often[np.argsort(-known.lower[often], kind="stable")]
        numbers = [(name, np.int64) for name in ("estimate", "lower", "upper")]
        table = np.empty(len(often), [("item", known.items.dtype), *numbers])
        table["item"], table["upper"] = known.items[often], known.upper[often]
        table["estimate"] = table["lower"] = known.lower[often]
        return table


def checked_support(support: SupportsFloat, epsilon: float) -> float:
    """Return a support, a share from epsilon to 1, or raise BadSupport."""
    try:
        share = np.nan if isinstance(support, bool | str | bytes) else float(support)
    except (TypeError, ValueError):
        share = np.nan
    if not epsilon <= share <= 1:
        raise BadSupport(
            f"support is a number from epsilon={epsilon!r} to 1, not {support!r}: rarer items "
            "take a summary of smaller epsilon"
        )
    return share


def counted(keys: Keys) -> tuple[Keys, Integers]:
    """Return the different keys of some in order, and how often each comes.

    Examples
    --------
    >>> counted(np.array([5, 1, 5]))
    (array([1, 5]), array([1, 2]))
    """
    found = NumPySorter().histograms(keys.reshape(1, -1))
    return plain_zeros(found.items), found.counts


def located(ordered: Keys, values: Keys) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Return where values are among some in order, each once, and whether they are there at all.

    Examples
    --------
    >>> located(np.array([2, 5]), np.array([5, 3, 9]))
    (array([1, 1, 0]), array([ True, False, False]))
    """
    if not len(ordered):
        return np.zeros(len(values), np.intp), np.zeros(len(values), np.bool_)
    at = np.searchsorted(ordered, values)
    at[at == len(ordered)] = 0
    return at, ordered[at] == values


def looked_up(values: Keys, ordered: Keys, numbers: Integers, otherwise: int = 0) -> Integers:
    """Return the numbers of values that are among some in order, and for others another.

    Examples
    --------
    >>> looked_up(np.array([5, 3, 9]), np.array([2, 5]), np.array([20, 50]))
    array([50,  0,  0])
    """
    if not len(ordered):
        return np.full(len(values), otherwise)
    at, here = located(ordered, values)
    return np.where(here, numbers[at], otherwise)
