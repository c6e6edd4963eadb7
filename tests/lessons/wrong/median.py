"""Lesson 10: wrong answers that no mistake names."""

import numpy as np

from shadersort.lessons.median.kernels import DISTANCES, SUM
from shadersort.lessons.shared.kernels.mistakes import changed
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "objective": [
        lambda keys, pivot: np.abs(keys - pivot).sum(),  # without slope
        lambda keys, pivot: (np.abs(keys - pivot), 0),  # not added up
    ],
    "distances": [
        changed(DISTANCES, ("pivot);", "pivot)")),  # no semicolon
        changed(DISTANCES, ("i < n", "i < n - 1")),  # one too few
        changed(DISTANCES, ("void kernel", "void main")),  # no kernel
        changed(DISTANCES, ("block * THREADS", "block * n")),  # too far, and not by `thread` alone
        changed(DISTANCES, ("i < n", "keys[i] < n")),  # another condition
        # each thread does it all
        "void kernel() { for (int i = 0; i < n; ++i) result[i] = abs(keys[i] - pivot); }",
        "def kernel():\n    return abs(keys - pivot)",  # Python
    ],
    "sum_of_distances": [
        # in the memory of all blocks
        "void kernel() {\n    atomicAdd(result[block], abs(keys[thread] - pivot));\n}",
        # by atomics
        changed(SUM, ("sums[thread] += sums[thread + step]", "atomicAdd(sums[0], sums[thread])")),
        changed(SUM, ("thread == 0", "thread == THREADS")),  # nobody writes
        changed(SUM, ("if (thread == 0) ", ""), ("= sums[0]", "= sums[thread]")),  # all write
        changed(SUM, ("step /= 2", "step - 1")),  # without end
        changed(SUM, ("thread + step]", "thread + 1]")),  # the next one in each step
        changed(SUM, ("shared int sums[THREADS];", "int sums[THREADS];")),  # not shared
        lambda keys, pivot: np.abs(keys - pivot).sum(),  # no text
    ],
    "meeting_point": [
        lambda low, f_low, g_low, high, f_high, g_high: high,
        lambda low, f_low, g_low, high, f_high, g_high: (low, high),
        # an error where slopes are opposite
        lambda low, f_low, g_low, high, f_high, g_high: f_low / (g_low + g_high),
    ],
}
