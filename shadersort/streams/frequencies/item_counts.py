"""How often items come: counts of windows, looking them up, and adding them up."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.values import plain_zeros


@dataclass(frozen=True, slots=True, eq=False)
class ItemCounts:
    """How often each item comes in each of some windows; rare items may be left out."""

    items: Keys  # the different keys of the first window in order, then those of the second, …
    counts: Integers  # how often each comes in its window; int64
    ends: Integers  # for each window, where its items end in `items`

    def by_window(self) -> Iterator[tuple[Keys, Integers]]:
        """Yield the items and the counts of each window; −0.0 becomes 0.0."""
        ends = self.ends[:-1]
        items = np.split(plain_zeros(self.items), ends)
        return zip(items, np.split(self.counts, ends), strict=True)


def count_rows(ordered: Keys, above: int | Integers = 0) -> ItemCounts:
    """Return the counts of windows whose rows are in order; only items with more than `above`.

    `above` may be a number for each window.
    """
    first = np.ones(ordered.shape, np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
    begins = np.flatnonzero(first)
    counts = np.diff(begins, append=first.size)
    if np.any(above):
        often = counts > np.broadcast_to(above, len(ordered))[begins // ordered.shape[1]]
        begins, counts = begins[often], counts[often]
    ends = np.searchsorted(begins, np.arange(1, len(ordered) + 1) * ordered.shape[1])
    return ItemCounts(ordered.ravel()[begins], counts, ends)


def unique_keys(keys: Keys) -> Keys:
    """Return keys in order, each once; `np.unique` looks up keys in a table, which takes longer."""
    ordered = sort_keys(keys)
    return ordered[run_starts(ordered)]


def look_up(values: Keys, ordered: Keys, numbers: Integers, otherwise: int = 0) -> Integers:
    """Return the numbers that belong to values, and `otherwise` for values that are not there."""
    if not len(ordered):
        return np.full(len(values), otherwise)
    at = ordered.searchsorted(values)
    here = ordered.take(at, mode="clip") == values
    return np.where(here, numbers.take(at, mode="clip"), otherwise)


def run_starts(*columns: Keys) -> Mask:
    """Return where a key differs from the one before; keys have one column or several."""
    first = np.zeros(len(columns[0]), np.bool_)
    first[:1] = True
    for each in columns:
        first[1:] |= each[1:] != each[:-1]
    return first


def add_up(keys: tuple[Keys, ...], *counts: Integers) -> tuple[Keys, ...]:
    """Return each key once and the sums of its counts; equal keys lie side by side."""
    begins = np.flatnonzero(run_starts(*keys))
    return (*(each[begins] for each in keys), *(np.add.reduceat(each, begins) for each in counts))
