"""Lesson 14, side by side: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case, Exercise
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.style import subplots
from shadersort.lessons.side_by_side.compacted import compacted
from shadersort.lessons.side_by_side.mistakes import COUNTS_OF_THREADS, WARP_SUM
from shadersort.lessons.side_by_side.prefix_sums import prefix_sums
from shadersort.lessons.side_by_side.select_round import select_round
from shadersort.pictures.matplotlib_types import Figure


def _some_threads(rng: np.random.Generator) -> Iterator[Case]:
    yield np.arange(8), 5, 2
    yield np.array([3, 1, 4, 1, 5, 9, 2, 6]), 3, 4
    for n, threads in ((10, 3), (32, 8), (5, 8), (100, 32)):
        yield rng.integers(50, size=n), 25, threads


counts_of_threads = Exercise(
    name="counts_of_threads",
    specification=lambda keys, pivot, threads: np.array(
        [np.count_nonzero(keys[thread::threads] < pivot) for thread in range(threads)]
    ),
    cases=_some_threads,
    hints=(
        "Thread 0 reads the keys 0, threads, 2 · threads …; thread 1 those one place further.",
        "The keys of a thread are keys[thread::threads].",
        "np.count_nonzero(… < pivot) counts. Do it for each thread in range(threads).",
    ),
    mistakes=COUNTS_OF_THREADS,
)


def _some_lanes(rng: np.random.Generator) -> Iterator[Case]:
    yield (np.array([4, 2, 3, 1]),)
    yield (np.array([3, 8, 1, 6, 2, 7, 4, 5]),)
    for count in (8, 16, 32, 32):
        yield (rng.integers(100, size=count),)


def _beside(case: Case, yours: Any, expected: Any) -> Figure:
    lanes, height = case[0], 0.45 * len(expected) + 0.5
    figure, axes = subplots(3, 1, width=max(2.5, 0.42 * len(lanes)), height=2 * height + 0.9)
    draw_keys(axes[0], lanes[np.newaxis], "the lanes at first")
    draw_keys(axes[1], np.array(yours), "yours, a row after each step", expected=expected)
    draw_keys(axes[2], expected, "expected")
    for ax in axes:
        ax.set(xticks=[], yticks=[])
    return figure


def _sums_after(lanes: Keys) -> Keys:
    """Return what the lanes hold after each step of a sum by shuffles, one row a step."""
    rows, step = [lanes], len(lanes) // 2
    while step:
        further = np.append(rows[-1][step:], np.zeros(step, lanes.dtype))
        rows.append(rows[-1] + further)
        step //= 2
    return np.array(rows[1:])


warp_sum = Exercise(
    name="warp_sum",
    specification=_sums_after,
    cases=_some_lanes,
    hints=(
        "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        "In a step every lane reads the lane `step` further on, all at once: use the values from "
        "before the step. The last `step` lanes have no such lane, and keep their value.",
        "lanes[:-step] + lanes[step:] are the new values of all but the last `step` lanes; "
        "np.append adds the others.",
    ),
    draw=_beside,
    mistakes=WARP_SUM,
)

EXERCISES = (counts_of_threads, warp_sum, prefix_sums, compacted, select_round)
