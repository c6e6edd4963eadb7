"""How often items come: counts of windows, looking them up, and adding them up."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.values import plain_zeros


@dataclass(frozen=True, slots=True, eq=False)
class ItemCounts:
    """How often each item comes in each of some windows.

    Attributes
    ----------
    items
        The different keys of the first window in order, then those of the second, and so on.
        Items that come too rarely may be left out.
    counts
        How often each comes in its window; int64.
    ends
        For each window, where its items end in `items`.
    """

    items: Keys
    counts: Integers
    ends: Integers

    def by_window(self) -> Iterator[tuple[Keys, Integers]]:
        """Yield the items and the counts of each window; −0.0 becomes 0.0."""
        ends = self.ends[:-1]
        items = np.split(plain_zeros(self.items), ends)
        return zip(items, np.split(self.counts, ends), strict=True)


def counted_rows(ordered: Keys, above: int | Integers = 0) -> ItemCounts:
    """Return the counts of windows whose rows are in order; only items with more than `above`.

    `above` may be a number for each window.

    Examples
    --------
    >>> found = counted_rows(np.array([[1, 5, 5], [5, 5, 5]]), above=1)
    >>> found.items, found.counts, found.ends
    (array([5, 5]), array([2, 3]), array([1, 2]))
    """
    first = np.ones(ordered.shape, np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
    begins = np.flatnonzero(first)
    counts = np.diff(begins, append=first.size)
    if np.any(above):
        often = counts > np.broadcast_to(above, len(ordered))[begins // ordered.shape[1]]
        begins, counts = begins[often], counts[often]
    rows = np.arange(1, len(ordered) + 1)
    ends = np.searchsorted(begins, rows * ordered.shape[1])
    return ItemCounts(ordered.ravel()[begins], counts, ends)


def positions_of(ordered: Keys, values: Keys) -> tuple[npt.NDArray[np.intp], Mask]:
    """Return the places of values among different keys in order, and which of them are there.

    Examples
    --------
    >>> positions_of(np.array([2, 5]), np.array([5, 3, 9]))
    (array([1, 1, 0]), array([ True, False, False]))
    """
    if not len(ordered):
        return np.zeros(len(values), np.intp), np.zeros(len(values), np.bool_)
    at = np.searchsorted(ordered, values)
    at[at == len(ordered)] = 0
    return at, ordered[at] == values


def looked_up(values: Keys, ordered: Keys, numbers: Integers, otherwise: int = 0) -> Integers:
    """Return the numbers that belong to values, and `otherwise` for values that are not there.

    Examples
    --------
    >>> looked_up(np.array([5, 3, 9]), np.array([2, 5]), np.array([20, 50]))
    array([50,  0,  0])
    """
    if not len(ordered):
        return np.full(len(values), otherwise)
    at, here = positions_of(ordered, values)
    return np.where(here, numbers[at], otherwise)


def added_up(keys: tuple[Keys, ...], *counts: Integers) -> tuple[Keys, ...]:
    """Return each key once and the sums of its counts; equal keys lie side by side.

    A key may have several columns.

    Examples
    --------
    >>> added_up((np.array([3, 3, 7]),), np.array([1, 2, 4]))
    (array([3, 7]), array([3, 4]))
    """
    if not len(keys[0]):
        return (*keys, *counts)
    first = np.zeros(len(keys[0]), np.bool_)
    first[0] = True
    for column in keys:
        first[1:] |= column[1:] != column[:-1]
    begins = np.flatnonzero(first)
    return (*(each[begins] for each in keys), *(np.add.reduceat(each, begins) for each in counts))
