"""Lesson 14: a kernel that adds up the keys before each key."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.faults import UNWRITTEN
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.pictures import show_results
from shadersort.lessons.shared.kernels.rules import IN_SHARED, NO_ATOMICS
from shadersort.lessons.shared.kernels.running import Launch, blocks_for
from shadersort.lessons.shared.mistakes import Case

THREADS = 64


def _some_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys: fewer than a block has threads, exactly as many, and more."""
    yield (np.array([3, 1, 4, 1, 5]),)
    yield (np.ones(20, int),)
    for count in (64, 70, 200, 2000):
        yield (rng.integers(1, 100, size=count),)


PREFIX = """
shared int sums[THREADS];

void kernel() {
    int i = block * THREADS + thread;
    sums[thread] = i < n ? keys[i] : 0;
    barrier();
    for (int step = 1; step < THREADS; step *= 2) {
        int left = 0;
        if (thread >= step) left = sums[thread - step];
        barrier();  // all have read
        sums[thread] += left;
        barrier();  // all have written
    }
    if (i < n) result[i] = sums[thread];
}
"""

LOADED = ("    barrier();\n    for", "    for")
HAVE_READ = ("        barrier();  // all have read\n", "")
HAVE_WRITTEN = ("        barrier();  // all have written\n", "")


def _prefix_sums(keys: Integers) -> Integers:
    starts = range(0, len(keys), THREADS)
    return np.concatenate([np.cumsum(keys[start : start + THREADS]) for start in starts])


prefix_sums = KernelExercise(
    name="prefix_sums",
    specification=_prefix_sums,
    cases=_some_keys,
    setting=Setting(THREADS),
    launch=lambda keys: Launch(
        keys, np.full(len(keys), UNWRITTEN), blocks_for(len(keys), THREADS), beyond=50
    ),
    draw=show_results,
    rules=(IN_SHARED, NO_ATOMICS),
    barriers=6,
    most_barriers=24,
    hints=(
        "In a step each thread reads its left neighbour at the distance `step`, waits, and adds.",
        "The steps double: `for (int step = 1; step < THREADS; step *= 2) { … }`.",
        "Threads below `step` have no such neighbour: `int left = 0;` and then "
        "`if (thread >= step) left = sums[thread - step];`",
        "Two barriers in the loop: one between reading and `sums[thread] += left;`, so that nobody "
        "reads a new number, and one after it, so that nobody reads an old one.",
    ),
    mistakes=(
        mistake(
            "some threads read before all keys are in `sums`: a barrier is missing before the loop",
            PREFIX,
            LOADED,
        ),
        mistake(
            "some threads add before their right neighbours have read: a barrier is missing "
            "between "
            "reading and adding",
            PREFIX,
            HAVE_READ,
        ),
        mistake(
            "some threads begin a step before the one before has ended: a barrier is missing at "
            "the "
            "end of the loop",
            PREFIX,
            HAVE_WRITTEN,
        ),
        mistake(
            "the loop has no barrier at all",
            PREFIX,
            HAVE_READ,
            HAVE_WRITTEN,
            hint="The loop needs two: after reading, and after adding.",
        ),
        mistake(
            "the sum leaves out the key itself; here it goes up to this key, and includes it",
            PREFIX,
            ("result[i] = sums[thread]", "result[i] = sums[thread] - keys[i]"),
        ),
        mistake(
            "you added the neighbours on the right",
            PREFIX,
            (
                "if (thread >= step) left = sums[thread - step]",
                "if (thread + step < THREADS) left = sums[thread + step]",
            ),
        ),
        mistake(
            "you added the nearest neighbour in every step",
            PREFIX,
            ("sums[thread - step]", "sums[thread - 1]"),
            hint="After a step every sum has twice as many keys, so the next neighbour is twice "
            "as far.",
        ),
        mistake(
            "the last step is missing: the largest step is THREADS / 2",
            PREFIX,
            ("step < THREADS", "step < THREADS / 2"),
        ),
        mistake(
            "the threads for which no key is left wrote, too",
            PREFIX,
            ("if (i < n) result", "result"),
        ),
    ),
)
