"""Lesson 14: a kernel that adds up the keys before each key."""

from collections.abc import Callable, Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, UNWRITTEN, KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import Launch, blocks_for
from shadersort.lessons.exercises.mistakes import Mistake
from shadersort.lessons.exercises.runner import Case

THREADS = 64


def _some_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys: fewer than a block has threads, exactly as many, and more."""
    yield (np.array([3, 1, 4, 1, 5]),)
    yield (np.ones(20, int),)
    for count in (64, 70, 200, 2000):
        yield (rng.integers(1, 100, size=count),)


def _by_rows(scan: Callable[[Integers], Integers]) -> Callable[[Integers], Integers]:
    """Return a function of keys that scans a row of keys for each block."""

    def scanned(keys: Integers) -> Integers:
        rows = np.pad(keys, (0, -len(keys) % THREADS)).reshape(-1, THREADS)
        return scan(rows).ravel()[: len(keys)]

    return scanned


def _add_nearest(sums: Integers) -> Integers:
    for step in (1, 2, 4, 8, 16, 32):
        left = np.roll(sums, 1, axis=1)
        left[:, :step] = 0
        sums = sums + left
    return sums


prefix_sums = Exercise(
    name="prefix_sums",
    specification=_by_rows(lambda rows: np.cumsum(rows, axis=1)),
    cases=_some_keys,
    hints=(
        "In a step each thread reads its left neighbour at the distance `step`, waits, and adds.",
        "The steps double: `for (int step = 1; step < THREADS; step *= 2) { … }`.",
        "Threads below `step` have no such neighbour: `int left = 0;` and then "
        "`if (thread >= step) left = sums[thread - step];`",
        "Two barriers in the loop: one between reading and `sums[thread] += left;`, so that nobody "
        "reads a new number, and one after it, so that nobody reads an old one.",
    ),
    mistakes=(
        Mistake(
            "the sum leaves out the key itself; here it goes up to this key, and includes it",
            _by_rows(lambda rows: np.cumsum(rows, axis=1) - rows),
        ),
        Mistake(
            "you added the neighbours on the right",
            _by_rows(lambda rows: np.cumsum(rows[:, ::-1], axis=1)[:, ::-1]),
        ),
        Mistake(
            "you added the nearest neighbour in every step",
            _by_rows(_add_nearest),
            "After a step every sum has twice as many keys, so the next neighbour is twice as far.",
        ),
    ),
    runner=KernelRunner(
        setting=Setting(THREADS),
        launch=lambda keys: Launch(
            keys, np.full(len(keys), UNWRITTEN), blocks_for(len(keys), THREADS)
        ),
        rules=(IN_SHARED,),
        barriers=6,
    ),
    draw=show_results,
)
