"""Lesson 10, the median as a minimum: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.lessons.exercises import (
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    number_of,
    numbers_of,
)
from shadersort.lessons.exercises.kernel_runner import (
    IN_SHARED,
    KEY_OF_THREAD,
    NO_ATOMIC,
    NO_LOOP,
    SHARED_SUMS,
    STEPS,
    UNWRITTEN,
    KernelRunner,
    blank_kernel,
)
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import blocks_for
from shadersort.lessons.median.cuts import touching
from shadersort.lessons.median.pictures import show_cut


def _objective(keys: Keys, pivot: float) -> tuple[float, int]:
    slope = int(np.sum(keys <= pivot)) - int(np.sum(keys > pivot))
    return float(np.abs(keys - pivot).sum()), slope


def _keys_and_pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield integers in any order, with pivots between keys, on keys, on ties and outside."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 7
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 5
    yield np.array([4, 3, 2, 5, 3]), 3
    yield rng.permutation([3, 3, 3, 8, 8, 10]), 3
    yield rng.integers(-50, 50, size=9), -60
    yield rng.integers(-50, 50, size=100), 0.5


objective = Exercise(
    name="objective",
    specification=_objective,
    cases=_keys_and_pivots,
    runner=PythonRunner(numbers_of("two numbers, the sum and the slope", 2)),
    hints=(
        "Two numbers. The first is a sum of distances, the second a difference of two counts.",
        "np.abs(keys - pivot) are the distances. keys <= pivot is True for the keys whose distance "
        "grows when the pivot moves to the right; np.sum counts them.",
        "A key at the pivot counts as being on the left. "
        "The slope is np.sum(keys <= pivot) - np.sum(keys > pivot).",
    ),
    mistakes=(
        Mistake(
            "you returned the slope to the left of the pivot",
            lambda keys, pivot: np.multiply(_objective(-keys, -pivot), (1, -1)).tolist(),
            "A key at the pivot counts as being on the left: keys <= pivot.",
        ),
        Mistake(
            "you turned the sign of the slope",
            lambda keys, pivot: np.multiply(_objective(keys, pivot), (1, -1)).tolist(),
            "To the right, the distances to keys on the left grow: these count as plus.",
        ),
        Mistake(
            "you let negative differences cancel positive ones",
            lambda keys, pivot: ((keys - pivot).sum(), _objective(keys, pivot)[1]),
            "A distance is never negative: np.abs.",
        ),
    ),
)


THREADS = 64


def _houses(rng: np.random.Generator) -> Iterator[Case]:
    """Yield houses on a road: fewer than a block has threads, exactly as many, and more."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 7
    yield np.array([3]), 5
    for count in (64, 65, 100, 700, 2000):
        yield rng.integers(0, 100, size=count), 50


def _rows(numbers: Integers) -> Integers:
    """Return one row of numbers for each block; threads without a key have 0."""
    return np.pad(numbers, (0, -len(numbers) % THREADS)).reshape(-1, THREADS)


def _sums(keys: Integers, pivot: int) -> Integers:
    sums: Integers = _rows(np.abs(keys - pivot)).sum(axis=1)
    return sums


SETTING = Setting(THREADS, numbers=("pivot",))


distances = Exercise(
    name="distances",
    asks="Write the distance of every key to the pivot: `result[i]` for `keys[i]`. There is no "
    "loop, because each thread takes one key.",
    specification=lambda keys, pivot: np.abs(keys - pivot),
    cases=_houses,
    hints=(
        "Which key is this thread's? How many threads do the blocks before its own have? Try "
        "thread 3 of block 2.",
        "`block * THREADS + thread` numbers all threads of all blocks, from 0. Store it: "
        "`int i = block * THREADS + thread;`",
        "The last block may have threads for which no key is left: `if (i < n) { … }`.",
        "One line stands in the braces: `result[i] = …;`. `abs(x)` is the absolute value.",
    ),
    mistakes=(
        Mistake(
            "you numbered the threads by `thread` alone, so every block takes the first keys",
            lambda keys, pivot: np.where(
                np.arange(len(keys)) < THREADS, np.abs(keys - pivot), UNWRITTEN
            ),
            "`thread` begins at 0 in every block. How many threads are in the blocks before?",
        ),
        Mistake(
            "you left out `abs`, or put it around a part: no distance is negative",
            lambda keys, pivot: keys - pivot,
        ),
        Mistake(
            "you read the key of number `thread`, so all blocks read the first keys",
            lambda keys, pivot: np.abs(keys[np.arange(len(keys)) % THREADS] - pivot),
        ),
    ),
    runner=KernelRunner(SETTING, rules=(NO_LOOP,)),
)


sum_of_distances = Exercise(
    name="sum_of_distances",
    asks="`result[block]` is the sum of the distances of this block's keys to the pivot. The sums "
    "are in shared memory, all threads take part in the steps, and there are no atomics.",
    specification=_sums,
    cases=_houses,
    hints=(
        "Each thread writes one distance into `sums`; the steps add; one thread writes the result.",
        "A thread without a key adds 0: `sums[thread] = i < n ? abs(keys[i] - pivot) : 0;`",
        "Halve the step in a loop: `for (int step = THREADS / 2; step > 0; step /= 2) { … }`. In "
        "each step only the threads below `step` add: `sums[thread] += sums[thread + step];`",
        "A `barrier();` stands before the loop, and one at the end of the loop, outside of the "
        "`if`. At the end: `if (thread == 0) result[block] = sums[0];`",
    ),
    mistakes=(
        Mistake(
            "the first step is missing, so half of the threads' distances are left out",
            lambda keys, pivot: _rows(np.abs(keys - pivot))[:, : THREADS // 2].sum(axis=1),
        ),
        Mistake("you left out `abs`", lambda keys, pivot: _rows(keys - pivot).sum(axis=1)),
        Mistake(
            "every block takes the first keys: you numbered the threads by `thread` alone",
            lambda keys, pivot: np.repeat(_sums(keys, pivot)[0], blocks_for(len(keys), THREADS)),
        ),
    ),
    runner=KernelRunner(
        SETTING,
        start=lambda n: [UNWRITTEN] * blocks_for(n, THREADS),
        rules=(IN_SHARED, NO_ATOMIC),
        turns=STEPS,
        text=blank_kernel(SHARED_SUMS, KEY_OF_THREAD),
    ),
)


def _brackets(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys, with two places around the median."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 1, 20
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 3, 10
    yield np.array([0, 0, 1, 1, 2, 500]), 0, 500
    for _ in range(3):
        keys = np.sort(rng.integers(-100, 100, size=31))
        yield keys, int(keys[4]), int(keys[28])


def _meet(low: Any, f_low: Any, g_low: Any, high: Any, f_high: Any, g_high: Any) -> Any:
    return (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)


def _exchange_heights(*case: Any) -> Any:
    low, f_low, g_low, high, f_high, g_high = touching(*case)
    return _meet(low, f_high, g_low, high, f_low, g_high)


def _return_height(*case: Any) -> Any:
    low, f_low, g_low, *_ = ends = touching(*case)
    return f_low + g_low * (_meet(*ends) - low)


def _draw_meeting(case: Case, yours: Any, expected: Any) -> Any:
    keys, low, high = case
    return show_cut(keys, low, high, float(expected), yours=float(yours))


meeting_point = Exercise(
    name="meeting_point",
    specification=lambda keys, low, high: float(keys[(low < keys) & (keys < high)].mean()),
    cases=_brackets,
    hints=(
        "A line of slope g through the point (low, f) has the height f + g * (y - low) at y.",
        "The lines meet at the y where both have the same height: "
        "f_low + g_low * (y - low) == f_high + g_high * (y - high). Solve it for y.",
        "Collect the terms with y on one side: y * (g_low - g_high) == "
        "f_high - f_low + g_low * low - g_high * high.",
    ),
    runner=PythonRunner(number_of, lambda answer, *case: answer(*touching(*case))),
    draw=_draw_meeting,
    mistakes=(
        Mistake(
            "you exchanged the two heights",
            _exchange_heights,
            "y * (g_low - g_high) == f_high - f_low + g_low * low - g_high * high.",
        ),
        Mistake(
            "you returned the height where the lines meet, and not the place",
            _return_height,
            "The place is y in f_low + g_low * (y - low).",
        ),
    ),
)

EXERCISES = (objective, distances, sum_of_distances, meeting_point)
