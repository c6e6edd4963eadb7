"""Lesson 8, frequent items and heavy hitters: known mistakes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.mistakes import Mistake
from shadersort.streams.sorters.numpy_sorter import item_counts

Held = dict[int, tuple[int, int]]


def _begins(ordered: Keys) -> Any:
    return np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))


def _not_sorted(window: Keys) -> Any:
    begins = _begins(window)
    return window[begins], np.diff(begins, append=len(window))


def _first_run_forgotten(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return ordered[begins], np.diff(begins, append=len(window))


def _last_run_forgotten(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = _begins(ordered)
    return ordered[begins[:-1]], np.diff(begins)


def _where_runs_begin(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = _begins(ordered)
    return ordered[begins], begins


def _counts_of_all_numbers(window: Keys) -> Any:
    counts = np.bincount(window - window.min())
    return np.arange(len(counts)) + window.min(), counts


def _sorts_its_argument(window: Keys) -> Any:
    window.sort()
    return _not_sorted(window)


def _one_count_too_few(window: Keys) -> Any:
    ordered = np.sort(window)
    begins = _begins(ordered)
    return ordered[begins], np.diff(begins)


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
    Mistake(
        "you counted items that are not in the window, too",
        _counts_of_all_numbers,
        "Items between the smallest and the largest may be missing from the window.",
    ),
    Mistake(
        "you returned one count too few: the last run has none",
        _one_count_too_few,
        "The last run ends with the window: np.diff(begins, append=len(window)).",
    ),
    Mistake(
        "you sorted the window that you were given",
        _sorts_its_argument,
        "np.sort(window) returns a sorted copy; window.sort() changes the window.",
    ),
)


def _counted_up(held: Held, window: Keys, missed: int) -> Held:
    now = dict(held)
    items, counts = item_counts(window)
    for item, count in zip(items.tolist(), counts.tolist(), strict=True):
        before, plinth = now.get(item, (0, missed))
        now[item] = (before + count, plinth)
    return now


def _kept(now: Held, keep: Callable[[int, int], bool]) -> Held:
    return {item: pair for item, pair in now.items() if keep(*pair)}


def _changes_what_it_was_given(held: Held, window: Keys, over: int) -> Held:
    now = _counted_up(held, window, over)
    held.clear()
    held.update(_kept(now, lambda count, missed: count + missed > over + 1))
    return held


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
        "you made the plinth of a new item one too high",
        lambda held, window, over: _kept(
            _counted_up(held, window, over + 1), lambda count, missed: count + missed > over + 1
        ),
        "It was missed in earlier windows only, and in this one it was counted: `over`.",
    ),
    Mistake(
        "you dropped items that were counted once, whatever their plinth",
        lambda held, window, over: _kept(
            _counted_up(held, window, over), lambda count, missed: count > 1
        ),
        "The water rises with every window: compare count + missed with over + 1.",
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
    Mistake(
        "you changed the dictionary that you were given",
        _changes_what_it_was_given,
        "Begin with a copy: now = dict(held).",
    ),
)
