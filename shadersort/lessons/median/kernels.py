"""Lesson 10: the kernels to write."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.faults import UNWRITTEN
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.pictures import show_results
from shadersort.lessons.shared.kernels.rules import IN_SHARED, NO_ATOMICS, NO_LOOP
from shadersort.lessons.shared.kernels.running import Launch, blocks_for
from shadersort.lessons.shared.mistakes import Case

THREADS = 64

SETTING = Setting(THREADS, numbers=("pivot",))

BEYOND = 9999
"""What memory holds after the keys: a thread without a key must not read it."""

BEFORE = "A block has `THREADS` threads, so before this block there are block * THREADS."


def _keys_and_pivots(rng: np.random.Generator) -> Iterator[Case]:
    """Yield houses on a road: fewer than a block has threads, exactly as many, and more."""
    yield np.array([1, 2, 4, 5, 9, 12, 20]), 7
    yield np.array([3]), 5
    for count in (64, 65, 100, 1000, 3000):
        yield rng.integers(0, 100, size=count), 50


DISTANCES = """
void kernel() {
    int i = block * THREADS + thread;
    if (i < n) {
        result[i] = abs(keys[i] - pivot);
    }
}
"""

distances = KernelExercise(
    name="distances",
    specification=lambda keys, pivot: np.abs(keys - pivot),
    cases=_keys_and_pivots,
    setting=SETTING,
    launch=lambda keys, pivot: Launch(
        keys, np.full(len(keys), UNWRITTEN), blocks_for(len(keys), THREADS), (pivot,), BEYOND
    ),
    draw=show_results,
    rules=(NO_LOOP,),
    hints=(
        "Which key is this thread's? How many threads do the blocks before its own have? Try "
        "thread 3 of block 2.",
        "`block * THREADS + thread` numbers all threads of all blocks, from 0. Store it: "
        "`int i = block * THREADS + thread;`",
        "The last block may have threads for which no key is left: `if (i < n) { … }`.",
        "One line stands in the braces: `result[i] = …;`. `abs(x)` is the absolute value.",
    ),
    mistakes=(
        mistake(
            "you numbered the threads by `thread` alone, so every block takes the first keys",
            DISTANCES,
            ("block * THREADS + thread", "thread"),
            hint="`thread` begins at 0 in every block. How many threads are in the blocks before?",
        ),
        mistake(
            "the threads for which no key is left wrote, too",
            DISTANCES,
            ("if (i < n) ", ""),
            hint="Seven keys, and a block of 64 threads: 57 of them have nothing to do.",
        ),
        mistake(
            "you let one thread too many write: the last key has the number n − 1",
            DISTANCES,
            ("i < n", "i <= n"),
        ),
        mistake(
            "you left out `abs`, or put it around a part: no distance is negative",
            DISTANCES,
            ("abs(keys[i] - pivot)", "keys[i] - pivot"),
        ),
        mistake(
            "you subtracted the key from the pivot, and left out `abs`: no distance is negative",
            DISTANCES,
            ("abs(keys[i] - pivot)", "pivot - keys[i]"),
        ),
        mistake(
            "you read the key of number `thread`, so all blocks read the first keys",
            DISTANCES,
            ("keys[i]", "keys[thread]"),
        ),
        mistake(
            "you compared `thread` with n, but this thread's key is that of number `i`",
            DISTANCES,
            ("i < n", "thread < n"),
        ),
        mistake(
            "you wrote to the place `thread`, so all blocks write to the same places",
            DISTANCES,
            ("result[i]", "result[thread]"),
        ),
        mistake(
            "you multiplied the numbers of block and thread, so many threads have the same number "
            "`i`",
            DISTANCES,
            ("block * THREADS + thread", "block * thread"),
            hint=f"{BEFORE} Add the number of the thread.",
        ),
        mistake(
            "you exchanged `thread` and `block`",
            DISTANCES,
            ("block * THREADS + thread", "thread * THREADS + block"),
            hint=BEFORE,
        ),
        mistake(
            "you wrote the key, not its distance", DISTANCES, ("abs(keys[i] - pivot)", "keys[i]")
        ),
    ),
)

SUM = """
shared int sums[THREADS];

void kernel() {
    int i = block * THREADS + thread;
    if (i < n) sums[thread] = abs(keys[i] - pivot);
    else sums[thread] = 0;
    barrier();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (thread < step) {
            sums[thread] += sums[thread + step];
        }
        barrier();  // all have added
    }
    if (thread == 0) result[block] = sums[0];
}
"""


def _sums(keys: Integers, pivot: int) -> Integers:
    starts = np.arange(0, len(keys), THREADS)
    return np.add.reduceat(np.abs(keys - pivot), starts)


LOAD_BARRIER = ("    barrier();\n    for", "    for")
STEP_BARRIER = ("        barrier();  // all have added\n", "")

sum_of_distances = KernelExercise(
    name="sum_of_distances",
    specification=_sums,
    cases=_keys_and_pivots,
    setting=SETTING,
    launch=lambda keys, pivot: Launch(
        keys,
        np.full(blocks_for(len(keys), THREADS), UNWRITTEN),
        blocks_for(len(keys), THREADS),
        (pivot,),
        BEYOND,
    ),
    draw=show_results,
    rules=(IN_SHARED, NO_ATOMICS),
    barriers=6,
    most_barriers=24,
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
        mistake(
            "the first step begins before all distances are written: a barrier is missing before "
            "the loop",
            SUM,
            LOAD_BARRIER,
        ),
        mistake(
            "a step begins before the one before it has ended: a barrier is missing in the loop",
            SUM,
            STEP_BARRIER,
        ),
        mistake(
            "the threads without a key left in `sums` what was there before",
            SUM,
            ("    else sums[thread] = 0;\n", ""),
            hint="Shared memory is not zero at first. It holds what the last user left there.",
        ),
        mistake(
            "the threads without a key read behind the last key",
            SUM,
            ("if (i < n) sums", "sums"),
            ("    else sums[thread] = 0;\n", ""),
            hint="What lies behind the last key is something else. Such a thread adds 0.",
        ),
        mistake(
            "the last step is missing, so the sums of the odd places are left out",
            SUM,
            ("step > 0", "step > 1"),
        ),
        mistake(
            "the first step is missing, so half of the threads' distances are left out",
            SUM,
            ("THREADS / 2", "THREADS / 4"),
        ),
        mistake(
            "all threads add in every step, while others read what they change",
            SUM,
            ("if (thread < step) ", ""),
        ),
        mistake(
            "all blocks write to place 0 of `result`; each has a place of its own",
            SUM,
            ("result[block]", "result[0]"),
        ),
        mistake(
            "the barrier stands inside of the `if`, where only some threads come",
            SUM,
            STEP_BARRIER,
            ("step];\n", "step];\n            barrier();\n"),
        ),
        mistake("you left out `abs`", SUM, ("abs(keys[i] - pivot)", "keys[i] - pivot")),
        mistake(
            "every block takes the first keys: you numbered the threads by `thread` alone",
            SUM,
            ("block * THREADS + thread", "thread"),
        ),
        mistake(
            "you exchanged `thread` and `block`",
            SUM,
            ("block * THREADS + thread", "thread * THREADS + block"),
            hint=BEFORE,
        ),
    ),
)
