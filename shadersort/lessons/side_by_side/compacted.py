"""Lesson 14: a kernel that keeps some of the keys."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import (
    IN_SHARED,
    NO_ONES,
    UNWRITTEN,
    KernelRunner,
    Unordered,
)
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import Launch, blocks_for
from shadersort.lessons.exercises.mistakes import Mistake
from shadersort.lessons.exercises.runner import Case

THREADS = 64

KEPT = Unordered(first=1, count_at=0, by_block=True)


def _distinct_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield distinct keys and a pivot; some keep all keys, and some none."""
    yield np.array([30, 10, 50, 20, 40]), 35
    yield np.array([30, 10, 50, 20, 40]), 20
    yield rng.permutation(64), 64
    yield rng.permutation(70), 0
    for count, pivot in ((130, 60), (500, 100), (2000, 1300)):
        yield rng.permutation(count), pivot


def _kept(keys: Integers, which: NDArray[np.bool_]) -> Integers:
    chosen = keys[which]
    return np.concatenate([[len(chosen)], chosen, np.full(len(keys) - len(chosen), UNWRITTEN)])


compacted = Exercise(
    name="compacted",
    specification=lambda keys, pivot: _kept(keys, keys < pivot),
    cases=_distinct_keys,
    hints=(
        "`ends[thread]` begins with 1 for a kept key, and 0 for another; after the steps it is the "
        "number of kept keys up to this one.",
        "So the last thread knows how many keys this block keeps. It alone reserves room: "
        "`if (thread == THREADS - 1) first = atomicAdd(result[0], ends[thread]);`",
        "`atomicAdd` returns what was there *before*: the number of keys of the blocks that came "
        "first. The others need it, so a `barrier();` follows.",
        "Place 0 is the counter, so the first kept key of the first block goes to place 1. Its "
        "`ends` "
        "is 1: `if (kept) result[first + ends[thread]] = keys[i];`",
    ),
    mistakes=(
        Mistake(
            "you kept the pivot, too: only keys below it are wanted",
            lambda keys, pivot: _kept(keys, keys <= pivot),
        ),
        Mistake("you kept the keys above the pivot", lambda keys, pivot: _kept(keys, keys > pivot)),
        Mistake(
            "each kept key went to the place of its number `i`, so there are gaps",
            lambda keys, pivot: KEPT.sort(
                np.append(np.sum(keys < pivot), np.where(keys < pivot, keys, UNWRITTEN)),
                keys,
                THREADS,
            ),
            "The kept keys stand side by side: `ends[thread]` counts them.",
        ),
    ),
    runner=KernelRunner(
        setting=Setting(THREADS, numbers=("pivot",)),
        launch=lambda keys, pivot: Launch(
            keys,
            np.append(0, np.full(len(keys), UNWRITTEN)),
            blocks_for(len(keys), THREADS),
            (pivot,),
        ),
        unordered=KEPT,
        rules=(IN_SHARED, NO_ONES),
    ),
    draw=show_results,
)
