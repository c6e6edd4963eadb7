"""Lesson 8, frequent items and heavy hitters: the exercises."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import (
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    WrongKind,
    parts_of,
)
from shadersort.lessons.exercises.comparing import describe
from shadersort.lessons.shared.style import show_beside
from shadersort.pictures.matplotlib_types import Figure
from shadersort.streams.sorters.numpy_sorter import item_counts

Held = dict[int, tuple[int, int]]

ITEMS = 12
"""The number of items in small examples: 0, 1, 2, …"""

FORBIDDEN = (
    *("unique", "unique_all", "unique_counts", "unique_values", "unique_inverse"),
    *("Counter", "groupby", "set", "item_counts", "histogram_of"),
)
"""Names that find the different items of a window by themselves: the lesson asks to sort it."""


def _windows(rng: np.random.Generator) -> list[Case]:
    """Return windows with one item, with equal and with different items, also at the ends."""
    small = ([3, 1, 3], [5], [2, 2, 2, 2], [0, 7, 0, 7, 7], [4, 3, 2, 1])
    return [(np.array(window),) for window in (*small, rng.integers(-5, 5, 40))]


def _items_and_counts(found: Any) -> Keys:
    asked = "two arrays, the items and their counts"
    items, counts = (np.asarray(each) for each in parts_of(found, asked, 2))
    if items.shape != counts.shape:
        raise WrongKind(f"return {asked}: yours are {items.size} items, but {counts.size} counts")
    return np.stack([items, counts])


def _histogram(window: Keys) -> Keys:
    return np.stack(np.unique(window, return_counts=True))


histogram = Exercise(
    name="histogram",
    specification=_histogram,
    cases=_windows,
    hints=(
        "After np.sort, an item begins at place 0, and wherever two neighbours differ.",
        "np.append(True, ordered[1:] != ordered[:-1]) is true where an item begins.",
        "begins = np.flatnonzero(…) are the places where items begin, and ordered[begins] the "
        "items. A run ends where the next begins: np.diff(begins, append=len(window)).",
    ),
    runner=PythonRunner(_items_and_counts, forbidden=FORBIDDEN),
    mistakes=(
        Mistake(
            "you counted runs in the window as it came, without sorting it",
            lambda window: np.array([(key, len([*run])) for key, run in groupby(window)]).T,
        ),
        Mistake(
            "you forgot the first run: no item before it differs",
            lambda window: _histogram(window)[:, 1:],
            "A run always begins at place 0: np.append(True, …).",
        ),
        Mistake(
            "you forgot the last run: no other begins after it",
            lambda window: _histogram(window)[:, :-1],
            "The last run ends with the window: np.diff(begins, append=len(window)).",
        ),
    ),
)


def _table_of(held: Any) -> Keys:
    """Return the count of each item, and how often it may have been missed."""
    if not isinstance(held, dict):
        raise WrongKind(f"return a dictionary, {{item: (count, missed)}}, not {describe(held)}")
    table = np.zeros((2, ITEMS), np.int64)
    for item, pair in held.items():
        table[:, item] = pair
    return table


def _counters(
    held: Held, window: Keys, over: int, plinth: int = 1, keeps: Callable[..., Any] = np.greater
) -> Keys:
    """Return the counters after one more window."""
    counts, missed = _table_of(held)
    found = np.stack([counts, np.where(counts, missed, over * plinth)])
    found[0] += np.bincount(window, minlength=ITEMS)
    return np.where((found[0] > 0) & keeps(found.sum(axis=0), over + 1), found, 0)


def _some_windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield counters after some windows, with the next window and the number of windows."""
    yield {}, np.array([4, 4, 1, 4]), 0
    yield {4: (3, 0)}, np.array([2, 2, 2, 4]), 1
    yield {4: (4, 0), 2: (3, 1)}, np.array([1, 5, 7, 1]), 2
    stream = np.minimum(rng.zipf(1.5, 60) - 1, ITEMS - 1)
    held: Held = {}
    for over, window in enumerate(stream.reshape(-1, 6)):
        yield held, window, over
        pairs = enumerate(zip(*_counters(held, window, over).tolist(), strict=True))
        held = {item: pair for item, pair in pairs if pair[0]}


def _beside(case: Case, yours: Any, expected: Any) -> Figure:
    """Draw the heights of the bars."""
    heights = (np.sum(each, axis=0) for each in (yours, expected))
    return show_beside(case, *heights, xlabel="item", ylabel="count + missed")


take_window = Exercise(
    name="take_window",
    specification=_counters,
    cases=_some_windows,
    hints=(
        "Add the window's counts; give each new item a plinth; drop the items under water.",
        "for item, count in zip(*histogram_of(window)): find the item in a copy of `held`. If it "
        "is missing, its count is 0, and it may have been missed `over` times: "
        "held.get(item, (0, over)).",
        "Now over + 1 windows are over: keep items whose count + missed is larger than that.",
    ),
    runner=PythonRunner(_table_of),
    draw=_beside,
    mistakes=(
        Mistake(
            "you dropped nothing, or kept items that reach just up to the water",
            partial(_counters, keeps=np.greater_equal),
            "After this window over + 1 windows are over: keep what is larger than over + 1.",
        ),
        Mistake(
            "you gave new items no plinth",
            partial(_counters, plinth=0),
            "A new item may have been missed once in each earlier window: its plinth is `over`.",
        ),
        Mistake(
            "you forgot what was held before this window",
            lambda held, window, over: _counters({}, window, over),
        ),
    ),
)


def histogram_of(window: Keys) -> tuple[list[int], list[int]]:
    """Return the different items of a window in order, with their counts.

    Examples
    --------
    >>> histogram_of(np.array([3, 1, 3]))
    ([1, 3], [1, 2])
    """
    items, counts = item_counts(window)
    return items.tolist(), counts.tolist()


EXERCISES = (histogram, take_window)
