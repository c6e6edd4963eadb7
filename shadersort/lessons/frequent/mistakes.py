"""Lesson 8, frequent items and heavy hitters: known mistakes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Mistake, WrongKind
from shadersort.lessons.exercises.comparing import describe
from shadersort.streams.sorters.numpy_sorter import item_counts

ITEMS = 12
"""The number of items in small examples: 0, 1, 2, …"""

Held = dict[int, tuple[int, int]]


def _begins(ordered: Keys) -> Any:
    return np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))


def _not_sorted(window: Keys) -> Any:
    begins = _begins(window)
    return np.stack([window[begins], np.diff(begins, append=len(window))])


def _first_run_forgotten(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.stack([ordered[begins], np.diff(begins, append=len(window))])


def _last_run_forgotten(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = _begins(ordered)
    return np.stack([ordered[begins[:-1]], np.diff(begins)])


def _where_runs_begin(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = _begins(ordered)
    return np.stack([ordered[begins], begins])


HISTOGRAM = (
    Mistake(
        "you counted runs in the window as it came, without sorting it",
        _not_sorted,
        "Only after np.sort do all equal items stand side by side.",
    ),
    Mistake(
        "you forgot the first run: no item before it differs",
        _first_run_forgotten,
        "A run always begins at place 0: np.append(True, …).",
    ),
    Mistake(
        "you forgot the last run: no other begins after it",
        _last_run_forgotten,
        "The last run ends with the window: np.diff(begins, append=len(window)).",
    ),
    Mistake(
        "you returned where the runs begin, and not how long they are",
        _where_runs_begin,
        "A run ends where the next one begins: np.diff.",
    ),
)


def _counted_up(held: Held, window: Keys, missed: int) -> Held:
    now = dict(held)
    items, counts = item_counts(window)
    for item, count in zip(items.tolist(), counts.tolist(), strict=True):
        before, plinth = now.get(item, (0, missed))
        now[item] = (before + count, plinth)
    return now


def table_of(held: Any) -> Keys:
    """Return the count of each item, and how often it may have been missed."""
    if not isinstance(held, dict):
        raise WrongKind(f"return a dictionary, {{item: (count, missed)}}, not {describe(held)}")
    table = np.zeros((2, ITEMS), np.int64)
    for item, pair in held.items():
        table[:, item] = pair
    return table


def _kept(now: Held, keep: Callable[[int, int], bool]) -> Keys:
    return table_of({item: pair for item, pair in now.items() if keep(*pair)})


TAKE_WINDOW = (
    Mistake(
        "you dropped nothing, or kept items that reach just up to the water",
        lambda held, window, over: _kept(
            _counted_up(held, window, over), lambda count, missed: count + missed >= over + 1
        ),
        "After this window over + 1 windows are over: keep what is larger than over + 1.",
    ),
    Mistake(
        "you gave new items no plinth",
        lambda held, window, over: _kept(
            _counted_up(held, window, 0), lambda count, missed: count + missed > over + 1
        ),
        "A new item may have been missed once in each earlier window: its plinth is `over`.",
    ),
    Mistake(
        "you forgot what was held before this window",
        lambda held, window, over: _kept(
            _counted_up({}, window, over), lambda count, missed: count + missed > over + 1
        ),
        "Begin with a copy: now = dict(held).",
    ),
    Mistake(
        "you compared the count alone with the water, and forgot the plinth",
        lambda held, window, over: _kept(
            _counted_up(held, window, over), lambda count, missed: count > over + 1
        ),
        "An item stands on its plinth: count + missed.",
    ),
)
