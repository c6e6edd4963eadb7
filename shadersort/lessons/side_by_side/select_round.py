"""Lesson 14: a kernel that does one round of bucketSelect."""

from collections.abc import Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.faults import UNWRITTEN
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.pictures import show_results
from shadersort.lessons.shared.kernels.rules import IN_SHARED
from shadersort.lessons.shared.kernels.running import Launch
from shadersort.lessons.shared.mistakes import Case

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
    yield np.minimum(rng.geometric(0.1, size=4000), 79), 3000, 1, 5


def _round(keys: Integers, k: int, least: int, width: int) -> Integers:
    number = (keys - least) // width
    chosen = np.searchsorted(np.cumsum(np.bincount(number)), k, side="right")
    inside = np.sort(keys[number == chosen])
    rank = k - np.count_nonzero(number < chosen)
    rest = np.full(len(keys) - len(inside), UNWRITTEN)
    return np.concatenate([[rank, len(inside)], inside, rest])


def _sorted_inside(result: Integers, keys: Integers, *numbers: int) -> Integers:
    """Return a result with its keys in order: a kernel may write them in any order."""
    count = min(max(int(result[1]), 0), len(keys))
    return np.concatenate([result[:2], np.sort(result[2 : 2 + count]), result[2 + count :]])


ROUND = """
shared int counts[BUCKETS];
shared int chosen, before, filled;

void kernel() {
    for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;
    if (thread == 0) filled = 0;
    barrier();  // all are 0
    for (int i = thread; i < n; i += THREADS) {
        atomicAdd(counts[(keys[i] - least) / width], 1);
    }
    barrier();  // all are counted
    if (thread == 0) {
        chosen = 0;
        before = 0;
        while (before + counts[chosen] <= k) {
            before += counts[chosen];
            ++chosen;
        }
    }
    barrier();  // it is chosen
    for (int i = thread; i < n; i += THREADS) {
        if ((keys[i] - least) / width == chosen) {
            int place = atomicAdd(filled, 1);
            result[2 + place] = keys[i];
        }
    }
    barrier();  // all are written
    if (thread == 0) {
        result[0] = k - before;
        result[1] = filled;
    }
}
"""

select_round = KernelExercise(
    name="select_round",
    specification=_round,
    cases=_rounds,
    setting=Setting(THREADS, numbers=("k", "least", "width"), constants=(("BUCKETS", BUCKETS),)),
    launch=lambda keys, k, least, width: Launch(
        keys, np.full(2 + len(keys), UNWRITTEN), 1, (k, least, width), beyond=int(keys[0])
    ),
    ordered=_sorted_inside,
    draw=show_results,
    rules=(IN_SHARED,),
    barriers=3,
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
        mistake(
            "the rank is still that among all keys: the keys in the buckets before must be "
            "subtracted",
            ROUND,
            ("k - before", "k"),
        ),
        mistake(
            "the search stops one bucket too early when `k` keys lie before the right one",
            ROUND,
            ("+ counts[chosen] <= k", "+ counts[chosen] < k"),
            hint="Ranks begin at 0: if 4 keys are in the buckets so far, the key of rank 4 is not "
            "among them.",
        ),
        mistake(
            "some threads write before the bucket is chosen: a barrier is missing",
            ROUND,
            ("    barrier();  // it is chosen\n", ""),
        ),
        mistake(
            "the bucket is chosen before all keys are counted: a barrier is missing",
            ROUND,
            ("    barrier();  // all are counted\n", ""),
        ),
        mistake(
            "the number `filled` is read before all keys are written: a barrier is missing",
            ROUND,
            ("    barrier();  // all are written\n", ""),
        ),
        mistake(
            "some threads count before all counters are 0: a barrier is missing",
            ROUND,
            ("    barrier();  // all are 0\n", ""),
        ),
        mistake(
            "keys are lost: two threads take the same place, because `filled` grows without an "
            "atomic",
            ROUND,
            ("int place = atomicAdd(filled, 1);", "int place = filled;\n            filled += 1;"),
        ),
        mistake(
            "additions are lost: two threads read the same counter, and both write it plus 1",
            ROUND,
            (
                "atomicAdd(counts[(keys[i] - least) / width], 1)",
                "counts[(keys[i] - least) / width] += 1",
            ),
        ),
        mistake(
            "you forgot to subtract `least` before you divided, when the keys are counted and when "
            "they are written",
            ROUND,
            ("[(keys[i] - least) / width]", "[keys[i] / width]"),
            ("((keys[i] - least) / width ==", "(keys[i] / width =="),
            hint="Key x is in bucket (x - least) / width.",
        ),
        mistake(
            "the keys begin at place 0, but the rank and the number of keys belong there",
            ROUND,
            ("result[2 + place]", "result[place]"),
        ),
    ),
)
