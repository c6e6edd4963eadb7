from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.lessons.frequent.exercises import histogram_of
from tests.lessons.wrong import Answers

Window = npt.NDArray[Any]
Held = dict[int, tuple[int, int]]


def not_sorted(window: Window) -> Any:
    begins = np.flatnonzero(np.append(True, window[1:] != window[:-1]))
    return window[begins], np.diff(begins, append=len(window))


def first_run_forgotten(window: Window) -> Any:
    ordered = np.sort(window)
    begins = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return ordered[begins], np.diff(begins, append=len(window))


def last_run_forgotten(window: Window) -> Any:
    ordered = np.sort(window)
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[begins[:-1]], np.diff(begins)


def where_runs_begin(window: Window) -> Any:
    ordered = np.sort(window)
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[begins], begins


def counts_of_all_numbers(window: Window) -> Any:
    counts = np.bincount(window - window.min())
    return np.arange(len(counts)) + window.min(), counts


def sorts_its_argument(window: Window) -> Any:
    window.sort()
    begins = np.flatnonzero(np.append(True, window[1:] != window[:-1]))
    return window[begins], np.diff(begins, append=len(window))


def one_count_too_few(window: Window) -> Any:
    ordered = np.sort(window)
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[begins], np.diff(begins)


def counted_up(held: Held, window: Window, missed: int) -> Held:
    now = dict(held)
    for item, count in zip(*histogram_of(window), strict=True):
        before, plinth = now.get(item, (0, missed))
        now[item] = (before + count, plinth)
    return now


def changes_what_it_was_given(held: Held, window: Window, over: int) -> Held:
    """Right, but the exercise asks for a new dictionary."""
    now = counted_up(held, window, over)
    held.clear()
    held.update({item: pair for item, pair in now.items() if sum(pair) > over + 1})
    return held


def water_of_before(held: Held, window: Window, over: int) -> Held:
    now = counted_up(held, window, over)
    return {item: pair for item, pair in now.items() if sum(pair) > over}


def let_go_too_late(held: Held, window: Window, over: int) -> Held:
    now = counted_up(held, window, over)
    return {item: pair for item, pair in now.items() if sum(pair) >= over + 1}


def plinth_forgotten(held: Held, window: Window, over: int) -> Held:
    now = counted_up(held, window, 0)
    return {item: pair for item, pair in now.items() if sum(pair) > over + 1}


def plinth_too_high(held: Held, window: Window, over: int) -> Held:
    now = counted_up(held, window, over + 1)
    return {item: pair for item, pair in now.items() if sum(pair) > over + 1}


def only_ones_let_go(held: Held, window: Window, over: int) -> Held:
    now = counted_up(held, window, over)
    return {item: pair for item, pair in now.items() if pair[0] > 1}


def window_only(held: Held, window: Window, over: int) -> Held:
    now = counted_up({}, window, over)
    return {item: pair for item, pair in now.items() if sum(pair) > over + 1}


def plinth_not_counted(held: Held, window: Window, over: int) -> Held:
    now = counted_up(held, window, over)
    return {item: pair for item, pair in now.items() if pair[0] > over + 1}


WRONG: Answers = {
    "histogram": [
        *(not_sorted, first_run_forgotten, last_run_forgotten, where_runs_begin),
        *(counts_of_all_numbers, one_count_too_few),
        lambda window: np.unique(window, return_counts=True),  # right, but forbidden
        sorts_its_argument,
    ],
    "take_window": [
        *(water_of_before, let_go_too_late, plinth_forgotten, plinth_too_high, only_ones_let_go),
        *(window_only, plinth_not_counted),
        changes_what_it_was_given,
        lambda held, window, over: counted_up(held, window, over),  # nothing let go
        lambda held, window, over: list(counted_up(held, window, over)),  # a list
    ],
}
