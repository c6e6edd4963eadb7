"""Kernels whose result is right by luck, or that do what no kernel may: each fault is named."""

import pytest

from shadersort.lessons.buckets.kernels import HISTOGRAM, block_histogram
from shadersort.lessons.median.kernels import DISTANCES, SUM, distances, sum_of_distances
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.faults import (
    APART,
    BLOCKS_CLASH,
    CLASH,
    ELSEWHERE,
    ENDLESS,
    IN_RESULT,
    IN_SHARED,
    LEFT_OUT,
    NOTHING,
    OF_BLOCKS,
    RACE,
    SEVERAL_WRITE,
)
from shadersort.lessons.shared.kernels.mistakes import changed
from shadersort.lessons.shared.kernels.rules import ONE_STATEMENT
from shadersort.lessons.side_by_side.compacted import COMPACTED, compacted
from shadersort.lessons.side_by_side.select_round import ROUND, select_round

ADDED = "atomicAdd(result[b], counts[b])"
CLEARED = "    for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;\n"
RESERVED = "    if (thread == THREADS - 1) first = atomicAdd(result[0], ends[thread]);\n"
STEP = "        barrier();  // all have added\n"
LAST = "    if (thread == 0) {\n        result[0] = k - before;\n        result[1] = filled;\n    }"

ALL_IN_ONE = """
shared int counts[BUCKETS];
void kernel() {
    if (thread == 0) {
        for (int b = 0; b < BUCKETS; ++b) counts[b] = 0;
        for (int i = 0; i < n; ++i) counts[(keys[i] - least) / width] += 1;
        int chosen = 0, before = 0, filled = 0;
        while (before + counts[chosen] <= k) before += counts[chosen++];
        for (int i = 0; i < n; ++i)
            if ((keys[i] - least) / width == chosen) result[2 + filled++] = keys[i];
        result[0] = k - before;
        result[1] = filled;
    }
}
"""


SHOWN = """
shared int sums[THREADS];
void kernel() {
    int i = block * THREADS + thread;
    sums[thread] = i < n ? abs(keys[i] - pivot) : 0;
    barrier();
    for (int step = THREADS / 2; step > 0; step /= 2)
        if (thread < step) sums[thread] += sums[thread + step];
        barrier();
    if (thread == 0) result[block] = sums[0];
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("exercise", "text", "said"),
    [
        (
            compacted,
            changed(
                COMPACTED,
                (
                    RESERVED,
                    "    if (thread == THREADS - 1) { first = result[0]; "
                    "result[0] += ends[thread]; }\n",
                ),
            ),
            BLOCKS_CLASH,
        ),
        (
            select_round,
            changed(ROUND, ("if (thread == 0) {\n        chosen", "{\n        chosen")),
            CLASH.format("chosen"),
        ),
        (
            block_histogram,
            changed(HISTOGRAM, (CLEARED, "counts[thread] = 0; counts[thread + THREADS] = 0;\n")),
            "place 127 of `counts`",
        ),
        (
            distances,
            "void kernel() {\n    int i = block * THREADS + thread;\n    int key = keys[i];\n"
            "    if (i < n) result[i] = abs(key - pivot);\n}",
            "place 63 of `keys`",
        ),
        (
            sum_of_distances,
            changed(SUM, ("step > 0; step /= 2", "step >= 0; step /= 2")),
            ENDLESS,
        ),
        (
            sum_of_distances,
            changed(SUM, ("if (thread == 0) result", "result")),
            SEVERAL_WRITE,
        ),
        (
            sum_of_distances,
            changed(
                SUM,
                (STEP, ""),
                ("step];\n        }", "step];\n            barrier();\n        } else barrier();"),
            ),
            APART,
        ),
        (
            select_round,
            changed(
                ROUND,
                (
                    "    for (int i = thread; i < n; i += THREADS) {\n        atomicAdd",
                    "    if (thread == 0) for (int i = 0; i < n; i += 1) {\n        atomicAdd",
                ),
            ),
            "the loops of one thread took",
        ),
        (select_round, ALL_IN_ONE, "too few: 0 for each thread"),
        (
            block_histogram,
            changed(HISTOGRAM, ("(keys[i] - least) / width", "(i - least) / width")),
            "of `counts`",
        ),
        (sum_of_distances, changed(SUM, ("thread < step", "thread <= step")), "place 64 of `sums`"),
        (sum_of_distances, SHOWN, ONE_STATEMENT),
        (
            sum_of_distances,
            changed(SUM, ("thread < step", "0 <= thread < step")),
            "Two comparisons are joined by &&",
        ),
        (
            block_histogram,
            changed(HISTOGRAM, (") counts[b] = 0", ") counts = 0")),
            "not the whole array",
        ),
        (
            block_histogram,
            changed(HISTOGRAM, ("counts[BUCKETS]", "counts[BUCKETS] = 0")),
            "no value at first",
        ),
        (distances, "void kernel() {\n    return abs(keys[0] - pivot);\n}", "returns nothing"),
        (distances, changed(DISTANCES, ("result[i]", "result[i - 1]")), "place -1 of `result`"),
        (distances, changed(DISTANCES, ("result[i] = ", "")), NOTHING),
        (
            sum_of_distances,
            changed(SUM, ("thread < step", "thread <= step")),
            f"Then, {RACE}{IN_SHARED.format('sums')}",
        ),
        (distances, changed(DISTANCES, ("i < n", "i < n && i % 2 == 0")), LEFT_OUT),
        (distances, changed(DISTANCES, ("result[i]", "result[thread]")), RACE + OF_BLOCKS),
        (
            compacted,
            changed(
                COMPACTED,
                (RESERVED, "    first = atomicAdd(result[0], kept ? 1 : 0);\n"),
                ("first + ends[thread]", "first"),
            ),
            RACE + ELSEWHERE,
        ),
        (compacted, changed(COMPACTED, ("(kept) result", "(i < n) result")), RACE + IN_RESULT),
        (
            block_histogram,
            changed(HISTOGRAM, ("atomicAdd(counts[bucket], 1)", "counts[bucket] += 1")),
            RACE + IN_SHARED.format("counts"),
        ),
    ],
)
def test_faults_are_named(exercise: KernelExercise, text: str, said: str) -> None:
    verdict = exercise.check(text)
    assert verdict.state == "wrong"
    assert said in verdict.about
