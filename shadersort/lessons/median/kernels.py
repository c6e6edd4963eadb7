"""Lesson 10: the kernels to write."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises import Case, Exercise, Launch, Mistake, Setting
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, NO_LOOP, UNWRITTEN, KernelRunner
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import blocks_for

THREADS = 64


def _keys_and_pivots(rng: np.random.Generator) -> Iterator[Case]:
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


def _runner(places: Callable[[int], int], **rules: Any) -> KernelRunner:
    """Return a runner; `places` gives the length of `result` for a number of keys."""
    return KernelRunner(
        setting=Setting(THREADS, numbers=("pivot",)),
        launch=lambda keys, pivot: Launch(
            keys,
            np.full(places(len(keys)), UNWRITTEN),
            blocks_for(len(keys), THREADS),
            (pivot,),
        ),
        **rules,
    )


distances = Exercise(
    name="distances",
    specification=lambda keys, pivot: np.abs(keys - pivot),
    cases=_keys_and_pivots,
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
    runner=_runner(lambda n: n, rules=(NO_LOOP,)),
    draw=show_results,
)


sum_of_distances = Exercise(
    name="sum_of_distances",
    specification=_sums,
    cases=_keys_and_pivots,
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
    runner=_runner(lambda n: blocks_for(n, THREADS), rules=(IN_SHARED,), barriers=6),
    draw=show_results,
)
