"""Lesson 7, quantiles of a stream: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake
from shadersort.lessons.quantiles.entries import Entries, bounds_of, rows_of


def _at(entries: Entries, x: float) -> int:
    """Return the number of entries that are at most x."""
    return int(np.searchsorted(entries.values, x, side="right"))


def _nearest_entry_twice(entries: Entries, x: float) -> Any:
    i = _at(entries, x)
    rank = entries.smallest[i - 1] if i else 0
    return rank, rank


def _entry_itself_not_counted(entries: Entries, x: float) -> Any:
    i = np.searchsorted(entries.values, x, side="left")
    low = entries.smallest[i - 1] if i else 0
    return low, entries.largest[i] - 1 if i < len(entries.values) else entries.n


def _next_entry_counted(entries: Entries, x: float) -> Any:
    i = _at(entries, x)
    low = entries.smallest[i - 1] if i else 0
    return low, entries.largest[i] if i < len(entries.values) else entries.n


def _bounds_confused(entries: Entries, x: float) -> Any:
    i = _at(entries, x)
    low = entries.largest[i - 1] if i else 0
    return low, entries.smallest[i] - 1 if i < len(entries.values) else entries.n


BOUNDS_AT = (
    Mistake(
        "you returned the rank of the entry before x for both bounds",
        _nearest_entry_twice,
        "Values that were not kept may lie between this entry and x: the next entry limits them.",
    ),
    Mistake(
        "you did not count an entry that is equal to x",
        _entry_itself_not_counted,
        "Values that are at most x are asked for: side='right'.",
    ),
    Mistake(
        "you counted the first entry that is larger than x",
        _next_entry_counted,
        "At most largest[i] − 1 values come before entry i.",
    ),
    Mistake(
        "you took `largest` for the lower bound, and `smallest` for the upper one",
        _bounds_confused,
        "At least smallest[i − 1] values are at most x, and fewer than largest[i].",
    ),
)


def _in_order(a: Entries, b: Entries, smallest: Any, largest: Any) -> Entries:
    values = np.concatenate([a.values, b.values])
    order = np.argsort(values)
    return Entries(values[order], smallest[order], largest[order], a.n + b.n)


def _old_ranks(a: Entries, b: Entries) -> Entries:
    smallest = np.concatenate([a.smallest, b.smallest])
    return _in_order(a, b, smallest, np.concatenate([a.largest, b.largest]))


def _lower_bounds_twice(a: Entries, b: Entries) -> Entries:
    (low, _), (low_b, _) = bounds_of(b, a.values), bounds_of(a, b.values)
    smallest = np.concatenate([a.smallest + low, b.smallest + low_b])
    return _in_order(a, b, smallest, np.concatenate([a.largest + low, b.largest + low_b]))


def _not_in_order(a: Entries, b: Entries) -> Entries:
    (low, high), (low_b, high_b) = bounds_of(b, a.values), bounds_of(a, b.values)
    return Entries(
        np.concatenate([a.values, b.values]),
        np.concatenate([a.smallest + low, b.smallest + low_b]),
        np.concatenate([a.largest + high, b.largest + high_b]),
        a.n + b.n,
    )


def _ranks_not_in_order(a: Entries, b: Entries) -> Entries:
    wrong = _not_in_order(a, b)
    return wrong._replace(values=np.sort(wrong.values))


MERGED = (
    Mistake(
        "you kept the ranks that the entries had in their own sets",
        lambda a, b: rows_of(_old_ranks(a, b)),
        "Values of the other set come before an entry, too: bounds_of(b, a.values) says how many.",
    ),
    Mistake(
        "you added the lower bounds to both ranks",
        lambda a, b: rows_of(_lower_bounds_twice(a, b)),
        "bounds_of returns two arrays: the second belongs to `largest`.",
    ),
    Mistake(
        "you joined the entries of both sets, and did not sort them",
        lambda a, b: rows_of(_not_in_order(a, b)),
        "order = np.argsort(values), and then use it for all three arrays.",
    ),
    Mistake(
        "you sorted the values, and left their ranks where they were",
        lambda a, b: rows_of(_ranks_not_in_order(a, b)),
        "smallest and largest move with their values: smallest[order].",
    ),
)
