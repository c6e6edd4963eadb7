"""Lesson 10: the kernels to write."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, NO_LOOP, UNWRITTEN, KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import Launch, blocks_for
from shadersort.lessons.exercises.mistakes import Mistake
from shadersort.lessons.exercises.runner import Case

THREADS = 64

SETTING = Setting(THREADS, numbers=("pivot",))


def _keys_and_pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield houses on a road: fewer than a block has threads, exactly as many, and more."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 7
    yield np.array([3]), 5
    for count in (64, 65, 100, 700, 2000):
        yield rng.integers(0, 100, size=count), 50


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
            "you subtracted the key from the pivot, and left out `abs`: no distance is negative",
            lambda keys, pivot: pivot - keys,
        ),
        Mistake(
            "you read the key of number `thread`, so all blocks read the first keys",
            lambda keys, pivot: np.abs(keys[np.arange(len(keys)) % THREADS] - pivot),
        ),
    ),
    runner=KernelRunner(
        setting=SETTING,
        launch=lambda keys, pivot: Launch(
            keys, np.full(len(keys), UNWRITTEN), blocks_for(len(keys), THREADS), (pivot,)
        ),
        rules=(NO_LOOP,),
    ),
    draw=show_results,
)


def _rows(numbers: Integers) -> Integers:
    """Return one row of numbers for each block; threads without a key have 0."""
    rows = np.zeros((blocks_for(len(numbers), THREADS), THREADS), int)
    rows.ravel()[: len(numbers)] = numbers
    return rows


def _sums(keys: Integers, pivot: int) -> Integers:
    sums: Integers = _rows(np.abs(keys - pivot)).sum(axis=1)
    return sums


sum_of_distances = Exercise(
    name="sum_of_distances",
    specification=_sums,
    cases=_keys_and_pivots,
    hints=(
        "Three parts: each thread writes one distance into `sums`; the steps add; one thread "
        "writes "
        "the result.",
        "A thread without a key writes 0 into `sums`: it adds nothing. "
        "`sums[thread] = i < n ? abs(keys[i] - pivot) : 0;` chooses as Python's `… if … else …`.",
        "Halve the step in a loop: `for (int step = THREADS / 2; step > 0; step /= 2) { … }`. In "
        "each step only the threads below `step` add: `sums[thread] += sums[thread + step];`",
        "A `barrier();` stands before the loop, and one at the end of the loop, outside of the "
        "`if`.",
        "At the end: `if (thread == 0) result[block] = sums[0];`",
    ),
    mistakes=(
        Mistake(
            "the last step is missing, so the sums of the odd places are left out",
            lambda keys, pivot: _rows(np.abs(keys - pivot))[:, ::2].sum(axis=1),
        ),
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
        setting=SETTING,
        launch=lambda keys, pivot: Launch(
            keys,
            np.full(blocks_for(len(keys), THREADS), UNWRITTEN),
            blocks_for(len(keys), THREADS),
            (pivot,),
        ),
        rules=(IN_SHARED,),
        barriers=6,
    ),
    draw=show_results,
)
