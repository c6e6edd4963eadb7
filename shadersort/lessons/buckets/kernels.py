"""Lesson 11: the kernel to write."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises import Case, Exercise, Launch, Mistake, Setting
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, NO_ONES, KernelRunner
from shadersort.lessons.exercises.kernels.pictures import show_results

THREADS, BUCKETS = 64, 100


def _keys_in_buckets(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys of all buckets, with the smallest key, the width of a bucket, and the blocks."""
    yield np.array([3, 9, 4, 3, 20]), 3, 2, 1
    yield np.full(30, 5), 5, 1, 1
    yield rng.integers(10, 110, size=64), 10, 1, 1
    yield rng.integers(0, 700, size=65), 0, 7, 1
    yield rng.integers(40, 240, size=500), 40, 2, 3
    yield np.minimum(rng.geometric(0.2, size=2000), 300), 1, 3, 4


def _counts(keys: Integers, least: int, width: int, blocks: int) -> Integers:
    return np.bincount((keys - least) // width, minlength=BUCKETS)


block_histogram = Exercise(
    name="block_histogram",
    specification=_counts,
    cases=_keys_in_buckets,
    hints=(
        "Three parts, with a barrier between them: all counters become 0; the keys are counted; "
        "the counters are added to `result`.",
        "There are 100 counters, and 64 threads. A loop gives each thread its counters: "
        "`for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;`",
        "The keys of this thread: "
        "`for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) { … }`. "
        "In it: `int bucket = (keys[i] - least) / width;`",
        "Two threads may meet a key of the same bucket: `atomicAdd(counts[bucket], 1);` At the end "
        "the loop of the first part again, with `atomicAdd(result[b], counts[b]);`",
    ),
    mistakes=(
        Mistake(
            "every thread adds all counters to `result`, so they are added 64 times",
            lambda *case: THREADS * _counts(*case),
            "The counters are shared out: thread 0 takes the counters 0 and 64.",
        ),
        Mistake(
            "every block counts all keys",
            lambda keys, least, width, blocks: blocks * _counts(keys, least, width, blocks),
            "Which threads share the work: those of a block, or those of all blocks?",
        ),
        Mistake(
            "each thread takes one key only",
            lambda keys, least, width, blocks: _counts(
                keys[: blocks * THREADS], least, width, blocks
            ),
            "There may be more keys than threads. So each thread has a loop.",
        ),
    ),
    runner=KernelRunner(
        setting=Setting(THREADS, numbers=("least", "width"), constants=(("BUCKETS", BUCKETS),)),
        launch=lambda keys, least, width, blocks: Launch(
            keys, np.zeros(BUCKETS, int), blocks, (least, width)
        ),
        rules=(IN_SHARED, NO_ONES),
    ),
    draw=show_results,
)
