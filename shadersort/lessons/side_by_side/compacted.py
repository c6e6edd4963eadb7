"""Lesson 14: a kernel that keeps some of the keys."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.faults import UNWRITTEN
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.pictures import show_results
from shadersort.lessons.shared.kernels.rules import IN_SHARED, Rule, adds_ones_to_result
from shadersort.lessons.shared.kernels.running import Launch, blocks_for
from shadersort.lessons.shared.mistakes import Case

THREADS = 64


def _distinct_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield distinct keys and a pivot; some keep all keys, and some none."""
    yield np.array([30, 10, 50, 20, 40]), 35
    yield np.array([30, 10, 50, 20, 40]), 20
    yield rng.permutation(64), 64
    yield rng.permutation(70), 0
    for count, pivot in ((130, 60), (500, 100), (3000, 2000)):
        yield rng.permutation(count), pivot


COMPACTED = """
shared int ends[THREADS];
shared int first;

void kernel() {
    int i = block * THREADS + thread;
    bool kept = i < n && keys[i] < pivot;
    ends[thread] = kept ? 1 : 0;
    barrier();
    for (int step = 1; step < THREADS; step *= 2) {
        int left = thread >= step ? ends[thread - step] : 0;
        barrier();
        ends[thread] += left;
        barrier();
    }
    if (thread == THREADS - 1) first = atomicAdd(result[0], ends[thread]);
    barrier();  // there is room
    if (kept) result[first + ends[thread]] = keys[i];
}
"""


def _kept(keys: Integers, pivot: int) -> Integers:
    chosen = keys[keys < pivot]
    return np.concatenate([[len(chosen)], chosen, np.full(len(keys) - len(chosen), UNWRITTEN)])


def _by_block(result: Integers, keys: Integers, pivot: int) -> Integers:
    """Return a result with the keys of block 0 first, then those of block 1, and so on.

    Blocks may write in any order; the keys of one block stay in the order of `result`.
    """
    count = min(max(int(result[0]), 0), len(keys))
    block_of = {int(key): place // THREADS for place, key in enumerate(keys)}
    blocks = [block_of.get(int(key), -1) for key in result[1 : 1 + count]]
    order = np.argsort(blocks, kind="stable")
    return np.concatenate([result[:1], result[1 : 1 + count][order], result[1 + count :]])


ROOM_FOR_ALL = Rule(
    "it adds 1 to `result` for each key. All blocks wait for one another there; the exercise "
    "forbids "
    "it: one thread of a block reserves room for all of its keys at once",
    adds_ones_to_result,
)


compacted = KernelExercise(
    name="compacted",
    specification=_kept,
    cases=_distinct_keys,
    setting=Setting(THREADS, numbers=("pivot",)),
    launch=lambda keys, pivot: Launch(
        keys,
        np.append(0, np.full(len(keys), UNWRITTEN)),
        blocks_for(len(keys), THREADS),
        (pivot,),
        beyond=-5,
    ),
    ordered=_by_block,
    draw=show_results,
    rules=(IN_SHARED, ROOM_FOR_ALL),
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
        mistake(
            "you counted, and reserved room, but the first key goes to place 1, since place 0 is "
            "the "
            "counter",
            COMPACTED,
            ("first + ends[thread]]", "first + ends[thread] - 1]"),
            hint="`ends` of the first kept key is 1 already.",
        ),
        mistake(
            "the first thread reserves the room, but only the last one knows how many keys are "
            "kept",
            COMPACTED,
            ("thread == THREADS - 1", "thread == 0"),
        ),
        mistake(
            "you reserved room, and did not keep where it begins",
            COMPACTED,
            ("first = atomicAdd", "atomicAdd"),
            hint="`atomicAdd` returns what was there before: first = atomicAdd(…).",
        ),
        mistake(
            "each kept key went to the place of its number `i`, so there are gaps",
            COMPACTED,
            ("first + ends[thread]]", "first + i]"),
            hint="The kept keys stand side by side: `ends[thread]` counts them.",
        ),
        mistake(
            "every thread reserves room",
            COMPACTED,
            ("if (thread == THREADS - 1) first", "first"),
            hint="One thread of a block does it for all.",
        ),
        mistake(
            "some threads write before the room is reserved: a barrier is missing after "
            "`atomicAdd`",
            COMPACTED,
            ("    barrier();  // there is room\n", ""),
        ),
        mistake(
            "all blocks write to the same places: the room begins at `first`",
            COMPACTED,
            ("first + ends[thread]]", "ends[thread]]"),
        ),
        mistake(
            "the threads without a key kept something from behind the last key",
            COMPACTED,
            ("i < n && ", ""),
            hint="`i < n && …` is true only if both are.",
        ),
        mistake(
            "you kept the pivot, too: only keys below it are wanted",
            COMPACTED,
            ("keys[i] < pivot", "keys[i] <= pivot"),
        ),
        mistake(
            "you wrote all keys, not only those that are kept",
            COMPACTED,
            ("if (kept) result", "if (i < n) result"),
        ),
    ),
)
