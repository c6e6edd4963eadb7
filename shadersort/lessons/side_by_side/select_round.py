"""Lesson 14: a kernel that does one round of bucketSelect."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, UNWRITTEN, KernelRunner, Unordered
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import Launch
from shadersort.lessons.exercises.mistakes import Mistake
from shadersort.lessons.exercises.runner import Case

THREADS, BUCKETS = 64, 16


def _rounds(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys, a rank at an end of a bucket or inside, the least key, and a bucket's width."""
    keys = np.array([0, 1, 2, 3, 8, 9, 14, 15])
    yield keys, 5, 0, 4
    yield rng.permutation(keys), 3, 0, 4
    yield rng.permutation(keys), 4, 0, 4
    yield rng.permutation(keys), 0, 0, 4
    yield np.full(10, 12), 9, 12, 1
    yield rng.permutation(100), 99, 0, 7
    yield rng.integers(5, 160, size=700), 350, 5, 10
    yield np.minimum(rng.geometric(0.1, size=2000), 79), 1500, 1, 5


def _round(
    keys: Integers, k: int, least: int, width: int, side: Literal["left", "right"] = "right"
) -> Integers:
    """Return the rank in the bucket, how many keys it has, and these in order."""
    number = (keys - least) // width
    chosen = np.searchsorted(np.cumsum(np.bincount(number)), k, side=side)
    inside = np.sort(keys[number == chosen])
    rank = k - np.count_nonzero(number < chosen)
    rest = np.full(len(keys) - len(inside), UNWRITTEN)
    return np.concatenate([[rank, len(inside)], inside, rest])


def _with_rank(result: Integers, rank: int) -> Integers:
    return np.append(rank, result[1:])


select_round = Exercise(
    name="select_round",
    specification=_round,
    cases=_rounds,
    hints=(
        "Counting is the middle part of lesson 11's histogram, by one block: "
        "`for (int i = thread; i < n; i += THREADS) atomicAdd(counts[…], 1);`",
        "Thread 0 alone looks for the bucket: as long as the keys of all buckets before, and of "
        "this "
        "one, are not more than k, it goes on to the next. The others wait at a barrier.",
        "`chosen = 0; before = 0; while (before + counts[chosen] <= k) { before += counts[chosen]; "
        "++chosen; }`",
        "A key of the chosen bucket gets the next free place: `int place = atomicAdd(filled, 1); "
        "result[2 + place] = keys[i];`",
        "`filled` is complete only when all threads have written: a barrier stands before "
        "`result[1] = filled;`. And `result[0] = k - before;`",
    ),
    mistakes=(
        Mistake(
            "the rank is still that among all keys: the keys in the buckets before must be "
            "subtracted",
            lambda keys, k, *bucket: _with_rank(_round(keys, k, *bucket), k),
        ),
        Mistake(
            "you subtracted the keys of the chosen bucket, too",
            lambda *case: _with_rank(_round(*case), _round(*case)[0] - _round(*case)[1]),
            "Only the keys in the buckets before it come before.",
        ),
        Mistake(
            "the search stops one bucket too early when `k` keys lie before the right one",
            lambda keys, k, least, width: _round(keys, k, least, width, "left"),
            "Ranks begin at 0: if 4 keys are in the buckets so far, the key of rank 4 is not among "
            "them.",
        ),
    ),
    runner=KernelRunner(
        setting=Setting(
            THREADS, numbers=("k", "least", "width"), constants=(("BUCKETS", BUCKETS),)
        ),
        launch=lambda keys, k, least, width: Launch(
            keys, np.full(2 + len(keys), UNWRITTEN), 1, (k, least, width)
        ),
        unordered=Unordered(first=2, count_at=1, by_block=False),
        rules=(IN_SHARED,),
        barriers=3,
    ),
    draw=show_results,
)
