"""Lesson 14, side by side: known mistakes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake


def _in_pieces(keys: Any, pivot: Any, threads: int) -> Any:
    return [np.count_nonzero(piece < pivot) for piece in np.array_split(keys, threads)]


COUNTS_OF_THREADS = (
    Mistake(
        "you gave each thread a piece of neighbouring keys",
        _in_pieces,
        "Thread 0 reads the keys 0, threads, 2 · threads …: keys[thread::threads].",
    ),
    Mistake(
        "you counted the keys that are equal to the pivot, too",
        lambda keys, pivot, threads: [
            np.count_nonzero(keys[thread::threads] <= pivot) for thread in range(threads)
        ],
        "Below the pivot means <.",
    ),
    Mistake(
        "you counted the keys above the pivot",
        lambda keys, pivot, threads: [
            np.count_nonzero(keys[thread::threads] > pivot) for thread in range(threads)
        ],
        "Below the pivot means <.",
    ),
    Mistake(
        "you added the counters of all threads",
        lambda keys, pivot, threads: np.count_nonzero(keys < pivot),
        "The counters before they are added up are asked for, one for each thread.",
    ),
)


def _history(lanes: Any, after: Callable[[Any, int], Any]) -> Any:
    """Return the lanes after every step, by a function of the lanes before it."""
    rows, step = [], len(lanes) // 2
    while step:
        lanes = after(lanes.copy(), step)
        rows.append(lanes)
        step //= 2
    return np.array(rows)


def _added(now: Any, step: int) -> Any:
    return np.append(now[:-step] + now[step:], now[-step:])


def _in_place(now: Any, step: int) -> Any:
    for lane in range(len(now) - step - 1, -1, -1):
        now[lane] += now[lane + step]
    return now


WARP_SUM = (
    Mistake(
        "the last lanes read round the end, from the first ones",
        lambda lanes: _history(lanes, lambda now, step: now + np.roll(now, -step)),
        "The last `step` lanes have no lane so far on, and keep their value.",
    ),
    Mistake(
        "each step reads the next lane only",
        lambda lanes: _history(lanes, lambda now, step: _added(now, 1)),
        "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
    ),
    Mistake(
        "you left out the last step, of one lane",
        lambda lanes: _history(lanes, lambda now, step: _added(now, step) if step > 1 else now),
        "Go on while step > 0.",
    ),
    Mistake(
        "a lane reads what another lane has written in the same step",
        lambda lanes: _history(lanes, _in_place),
        "All lanes read before one writes: compute the new lanes from a copy of the old ones.",
    ),
)
