"""A right kernel for each exercise with one."""

from shadersort.lessons.buckets.kernels import HISTOGRAM, block_histogram
from shadersort.lessons.capstone.kernels import BETWEEN, BY_KERNEL, EQUAL_RUNS
from shadersort.lessons.median.kernels import DISTANCES, SUM, distances, sum_of_distances
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.side_by_side.compacted import COMPACTED, compacted
from shadersort.lessons.side_by_side.prefix_sums import PREFIX, prefix_sums
from shadersort.lessons.side_by_side.select_round import ROUND, select_round

RIGHT: dict[KernelExercise, str] = {
    distances: DISTANCES,
    sum_of_distances: SUM,
    block_histogram: HISTOGRAM,
    prefix_sums: PREFIX,
    compacted: COMPACTED,
    select_round: ROUND,
    BY_KERNEL["trimmed mean"]: BETWEEN,
    BY_KERNEL["mode"]: EQUAL_RUNS,
}
