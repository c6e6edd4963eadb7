"""Lesson 11: the kernel to write."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.pictures import show_results
from shadersort.lessons.shared.kernels.rules import IN_SHARED, Rule, adds_ones_to_result
from shadersort.lessons.shared.kernels.running import Launch
from shadersort.lessons.shared.mistakes import Case

THREADS, BUCKETS = 64, 100


def _keys_in_buckets(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys of all buckets, with the smallest key, the width of a bucket, and the blocks."""
    yield np.array([3, 9, 4, 3, 20]), 3, 2, 1
    yield np.full(30, 5), 5, 1, 1
    yield rng.integers(10, 110, size=64), 10, 1, 1
    yield rng.integers(0, 700, size=65), 0, 7, 1
    yield rng.integers(40, 240, size=500), 40, 2, 3
    yield np.minimum(rng.geometric(0.2, size=4000), 300), 1, 3, 4


def _counts(keys: Integers, least: int, width: int, blocks: int) -> Integers:
    return np.bincount((keys - least) // width, minlength=BUCKETS)


HISTOGRAM = """
shared int counts[BUCKETS];

void kernel() {
    for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;
    barrier();
    for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) {
        int bucket = (keys[i] - least) / width;
        atomicAdd(counts[bucket], 1);
    }
    barrier();  // all are counted
    for (int b = thread; b < BUCKETS; b += THREADS) atomicAdd(result[b], counts[b]);
}
"""

CLEARED = "    for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;\n"

ADDS_IN_SHARED = Rule(
    "it counts each key in `result`. All threads of all blocks wait for one "
    "another there; the exercise forbids it. Count in shared memory, and add to `result` at the "
    "end",
    adds_ones_to_result,
)

block_histogram = KernelExercise(
    name="block_histogram",
    specification=_counts,
    cases=_keys_in_buckets,
    setting=Setting(THREADS, numbers=("least", "width"), constants=(("BUCKETS", BUCKETS),)),
    launch=lambda keys, least, width, blocks: Launch(
        keys, np.zeros(BUCKETS, int), blocks, (least, width), beyond=int(keys[0])
    ),
    draw=show_results,
    rules=(IN_SHARED, ADDS_IN_SHARED),
    hints=(
        "Three parts, with a barrier between them: all counters become 0; the keys are counted; "
        "the "
        "counters are added to `result`.",
        "There are 100 counters, and 64 threads. A loop gives each thread its counters: "
        "`for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;`",
        "The keys of this thread: "
        "`for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) { … }`. "
        "In it: `int bucket = (keys[i] - least) / width;`",
        "Two threads may meet a key of the same bucket: `atomicAdd(counts[bucket], 1);`",
        "At the end the loop of the first part again, with `atomicAdd(result[b], counts[b]);`",
    ),
    mistakes=(
        mistake(
            "the counters are not 0 at first",
            HISTOGRAM,
            (CLEARED, ""),
            hint="Shared memory holds what the last user left there.",
        ),
        mistake(
            "only as many counters became 0 as a block has threads",
            HISTOGRAM,
            (CLEARED, "    counts[thread] = 0;\n"),
            hint="There are 100 counters, and 64 threads.",
        ),
        mistake(
            "every thread adds all counters to `result`, so they are added 64 times",
            HISTOGRAM,
            (
                "for (int b = thread; b < BUCKETS; b += THREADS) atomicAdd(result",
                "for (int b = 0; b < BUCKETS; b += 1) atomicAdd(result",
            ),
            hint="The counters are shared out: thread 0 takes the counters 0 and 64.",
        ),
        mistake(
            "some threads count before all counters are 0: a barrier is missing",
            HISTOGRAM,
            ("    barrier();\n", ""),
        ),
        mistake(
            "some counters are added to `result` before all keys are counted: a barrier is missing",
            HISTOGRAM,
            ("    barrier();  // all are counted\n", ""),
        ),
        mistake(
            "additions are lost: two threads read the same number, and both write it plus 1",
            HISTOGRAM,
            ("atomicAdd(counts[bucket], 1)", "counts[bucket] += 1"),
            hint="Only `atomicAdd` reads, adds and writes in one go.",
        ),
        mistake(
            "every block counts all keys",
            HISTOGRAM,
            (
                "int i = block * THREADS + thread; i < n; i += blocks * THREADS",
                "int i = thread; i < n; i += THREADS",
            ),
            hint="Which threads share the work: those of a block, or those of all blocks?",
        ),
        mistake(
            "each thread takes one key only",
            HISTOGRAM,
            (
                "for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) {",
                "int i = block * THREADS + thread;\n    if (i < n) {",
            ),
            hint="There may be more keys than threads. So each thread has a loop.",
        ),
        mistake(
            "the blocks overwrite one another's counts in `result`",
            HISTOGRAM,
            ("atomicAdd(result[b], counts[b])", "result[b] = counts[b]"),
            hint="Each block has counted a part of the keys. The parts must be added.",
        ),
        mistake(
            "you forgot to subtract the smallest key before you divided",
            HISTOGRAM,
            ("(keys[i] - least) / width", "keys[i] / width"),
        ),
    ),
)
