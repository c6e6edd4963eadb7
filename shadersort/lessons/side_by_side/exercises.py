"""Lesson 14, side by side: the exercises. Three are kernels."""

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.lessons.buckets.bins import find_bucket
from shadersort.lessons.exercises import Case, Exercise, KernelRunner, Mistake, Setting
from shadersort.lessons.exercises.kernel_runner import (
    IN_SHARED,
    KEY_OF_THREAD,
    NO_ATOMIC,
    NO_ONES,
    SHARED_SUMS,
    STEPS,
    UNWRITTEN,
    Unordered,
    blank_kernel,
)
from shadersort.lessons.exercises.kernels.pictures import show_results

THREADS, BUCKETS = 64, 16


def _some_lanes(rng: np.random.Generator) -> Iterator[Case]:
    yield (np.array([4, 2, 3, 1]),)
    yield (np.array([3, 8, 1, 6, 2, 7, 4, 5]),)
    for count in (8, 16, 32, 32):
        yield (rng.integers(100, size=count),)


def _add_lanes(lanes: Any, step: int) -> Any:
    return np.append(lanes[:-step] + lanes[step:], lanes[-step:])


def _by_steps(after: Callable[[Any, int], Any]) -> Callable[[Any], Keys]:
    """Return a function of lanes that returns what they hold after each step, one row a step."""

    def rows(lanes: Any) -> Keys:
        found = [lanes]
        for power in range(len(lanes).bit_length() - 2, -1, -1):
            found.append(after(found[-1], 1 << power))
        return np.array(found[1:])

    return rows


warp_sum = Exercise(
    name="warp_sum",
    specification=_by_steps(_add_lanes),
    cases=_some_lanes,
    hints=(
        "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        "In a step every lane reads the lane `step` further on, all at once: use the values from "
        "before the step. The last `step` lanes have no such lane, and keep their value.",
        "lanes[:-step] + lanes[step:] are the new values of all but the last `step` lanes; "
        "np.append adds the others.",
    ),
    draw=show_results,
    mistakes=(
        Mistake(
            "the last lanes read round the end, from the first ones",
            _by_steps(lambda lanes, step: lanes + np.roll(lanes, -step)),
            "The last `step` lanes have no lane so far on, and keep their value.",
        ),
        Mistake(
            "each step reads the next lane only",
            _by_steps(lambda lanes, step: _add_lanes(lanes, 1)),
            "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        ),
    ),
)


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


prefix_sums = Exercise(
    name="prefix_sums",
    asks="`result[i]` is the sum of the keys of this block up to key i, which is included. The "
    "sums are in shared memory, all threads take part in the steps, and there are no atomics.",
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
    ),
    runner=KernelRunner(
        setting=Setting(THREADS),
        rules=(IN_SHARED, NO_ATOMIC),
        turns=STEPS,
        text=blank_kernel(SHARED_SUMS, KEY_OF_THREAD),
    ),
)


def _distinct_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield distinct keys and a pivot; some keep all keys, and some none."""
    yield np.array([30, 10, 50, 20, 40]), 35
    yield np.array([30, 10, 50, 20, 40]), 20
    yield rng.permutation(64), 64
    yield rng.permutation(70), 0
    for count, pivot in ((130, 60), (500, 100), (2000, 1300)):
        yield rng.permutation(count), pivot


def _keep(keys: Integers, which: Any) -> Integers:
    chosen = keys[which]
    return np.concatenate([[len(chosen)], chosen, np.full(len(keys) - len(chosen), UNWRITTEN)])


ENDS = """\
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
"""

compacted = Exercise(
    name="compacted",
    asks="The keys below the pivot follow each other in `result` from place 1 on: those of a block "
    "in their order, and the blocks in any. `result[0]`, 0 at first, is their number. One atomic "
    "for each block, and not one for each key.",
    specification=lambda keys, pivot: _keep(keys, keys < pivot),
    cases=_distinct_keys,
    hints=(
        "`ends[thread]` begins with 1 for a kept key, and 0 for another; after the steps it is the "
        "number of kept keys up to this one.",
        "So the last thread knows how many keys this block keeps. It alone reserves room: "
        "`if (thread == THREADS - 1) first = atomicAdd(result[0], ends[thread]);`",
        "`atomicAdd` returns what was there *before*: the number of keys of the blocks that came "
        "first. The others need it, so a `barrier();` follows.",
        "Place 0 is the counter, so the first kept key of the first block, whose `ends` is 1, goes "
        "to place 1: `if (kept) result[first + ends[thread]] = keys[i];`",
    ),
    mistakes=(
        Mistake(
            "you kept the pivot, too: only keys below it are wanted",
            lambda keys, pivot: _keep(keys, keys <= pivot),
        ),
        Mistake("you kept the keys above the pivot", lambda keys, pivot: _keep(keys, keys > pivot)),
    ),
    runner=KernelRunner(
        setting=Setting(THREADS, numbers=("pivot",)),
        start=lambda n: [0, *[UNWRITTEN] * n],
        unordered=Unordered(first=1, count_at=0, by_block=True),
        rules=(IN_SHARED, NO_ONES),
        text=blank_kernel("shared int ends[THREADS];\nshared int first;", ENDS),
    ),
)


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
    chosen, rank = find_bucket(np.bincount(number), k, side)
    inside = np.sort(keys[number == chosen])
    rest = np.full(len(keys) - len(inside), UNWRITTEN)
    return np.concatenate([[rank, len(inside)], inside, rest])


select_round = Exercise(
    name="select_round",
    asks="Key x is in bucket `(x - least) / width`. Find the bucket of the key of rank `k`. "
    "`result[0]` is its rank among the keys of this bucket, `result[1]` their number, and they "
    "follow in any order. One block does it all, and counts in shared memory.",
    specification=_round,
    cases=_rounds,
    hints=(
        "Counting is the middle part of lesson 11's histogram, by one block: "
        "`for (int i = thread; i < n; i += THREADS) atomicAdd(counts[…], 1);`",
        "Thread 0 alone looks for the bucket, and the others wait at a barrier: `chosen = 0; "
        "before = 0; while (before + counts[chosen] <= k) { before += counts[chosen]; ++chosen; }`",
        "A key of the chosen bucket gets the next free place: `int place = atomicAdd(filled, 1); "
        "result[2 + place] = keys[i];`",
        "`filled` is complete only when all threads have written: a barrier stands before "
        "`result[1] = filled;`. And `result[0] = k - before;`",
    ),
    mistakes=(
        Mistake(
            "the rank is still that among all keys: the keys in the buckets before must be "
            "subtracted",
            lambda keys, k, *bucket: np.append(k, _round(keys, k, *bucket)[1:]),
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
        start=lambda n: [UNWRITTEN] * (2 + n),
        blocks=lambda n, threads: 1,
        unordered=Unordered(first=2, count_at=1, by_block=False),
        rules=(IN_SHARED,),
        text=blank_kernel(
            "shared int counts[BUCKETS];\nshared int chosen, before, filled;",
            "for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;\n"
            "if (thread == 0) filled = 0;\nbarrier();\n",
        ),
    ),
)

EXERCISES = (warp_sum, prefix_sums, compacted, select_round)
