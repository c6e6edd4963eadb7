"""Lesson 14, side by side: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case, Exercise, Mistake
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.style import subplots
from shadersort.lessons.side_by_side.kernels import compacted, prefix_sums, select_round
from shadersort.pictures.matplotlib_types import Figure


def _some_threads(rng: np.random.Generator) -> Iterator[Case]:
    yield np.arange(8), 5, 2
    yield np.array([3, 1, 4, 1, 5, 9, 2, 6]), 3, 4
    for n, threads in ((10, 3), (32, 8), (5, 8), (100, 32)):
        yield rng.integers(50, size=n), 25, threads


def _count(keys: Any, pivot: Any, threads: int, compare: Any = np.less) -> Any:
    return np.array([np.sum(compare(keys[thread::threads], pivot)) for thread in range(threads)])


counts_of_threads = Exercise(
    name="counts_of_threads",
    specification=_count,
    cases=_some_threads,
    hints=(
        "Thread 0 reads the keys 0, threads, 2 · threads …; thread 1 those one place further.",
        "The keys of a thread are keys[thread::threads].",
        "np.count_nonzero(… < pivot) counts. Do it for each thread in range(threads).",
    ),
    mistakes=(
        Mistake(
            "you gave each thread a piece of neighbouring keys",
            lambda keys, pivot, threads: [
                np.sum(piece < pivot) for piece in np.array_split(keys, threads)
            ],
            "Thread 0 reads the keys 0, threads, 2 · threads …: keys[thread::threads].",
        ),
        Mistake(
            "you counted the keys that are equal to the pivot, too",
            lambda keys, pivot, threads: _count(keys, pivot, threads, np.less_equal),
            "Below the pivot means <.",
        ),
        Mistake(
            "you added the counters of all threads",
            lambda keys, pivot, threads: np.sum(keys < pivot),
            "The counters before they are added up are asked for, one for each thread.",
        ),
    ),
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


def _add_lanes(lanes: Any, step: int) -> Any:
    return np.append(lanes[:-step] + lanes[step:], lanes[-step:])


def _add_in_place(lanes: Any, step: int) -> Any:
    now = lanes.copy()
    for lane in range(len(now) - step - 1, -1, -1):
        now[lane] += now[lane + step]
    return now


def _by_steps(after: Callable[[Any, int], Any]) -> Callable[[Any], Keys]:
    """Return a function of lanes that returns what they hold after each step, one row a step."""

    def rows(lanes: Any) -> Keys:
        found = [lanes]
        for power in range(len(lanes).bit_length() - 2, -1, -1):
            found.append(after(found[-1], 1 << power))
        return np.array(found[1:])

    return rows


warp_sum = Exercise(
    name="warp_sum",
    specification=_by_steps(_add_lanes),
    cases=_some_lanes,
    hints=(
        "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        "In a step every lane reads the lane `step` further on, all at once: use the values from "
        "before the step. The last `step` lanes have no such lane, and keep their value.",
        "lanes[:-step] + lanes[step:] are the new values of all but the last `step` lanes; "
        "np.append adds the others.",
    ),
    draw=_beside,
    mistakes=(
        Mistake(
            "the last lanes read round the end, from the first ones",
            _by_steps(lambda lanes, step: lanes + np.roll(lanes, -step)),
            "The last `step` lanes have no lane so far on, and keep their value.",
        ),
        Mistake(
            "each step reads the next lane only",
            _by_steps(lambda lanes, step: _add_lanes(lanes, 1)),
            "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        ),
        Mistake(
            "a lane reads what another lane has written in the same step",
            _by_steps(_add_in_place),
            "All lanes read before one writes: compute the new lanes from a copy of the old ones.",
        ),
    ),
)

EXERCISES = (counts_of_threads, warp_sum, prefix_sums, compacted, select_round)
