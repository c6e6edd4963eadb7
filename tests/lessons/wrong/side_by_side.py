"""Lesson 14: wrong answers that no mistake names."""

import numpy as np

from shadersort.lessons.shared.kernels.mistakes import changed
from shadersort.lessons.side_by_side.compacted import COMPACTED
from shadersort.lessons.side_by_side.prefix_sums import PREFIX
from shadersort.lessons.side_by_side.select_round import ROUND
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "counts_of_threads": [
        # the keys themselves
        lambda keys, pivot, threads: [keys[thread::threads] for thread in range(threads)],
        lambda keys, pivot, threads: np.zeros(threads, int),
    ],
    "warp_sum": [
        lambda lanes: lanes.sum(),
        lambda lanes: lanes,
    ],
    "prefix_sums": [
        changed(PREFIX, ("sums[thread] += left", "sums[thread] = left")),  # forgets its own
        changed(PREFIX, ("= sums[thread];", "= keys[i];")),  # no sums
        changed(PREFIX, ("sums[thread - step]", "sums[step]")),  # one sum for all
        changed(PREFIX, ("result[i]", "result[thread]")),  # all blocks to the same places
        changed(PREFIX, ("sums[thread] += left", "atomicAdd(sums[thread], left)")),  # an atomic
        changed(PREFIX, ("int left = 0;", "left = 0;")),  # no type
    ],
    "compacted": [
        # room for one key after the other
        changed(COMPACTED, ("atomicAdd(result[0], ends[thread])", "atomicAdd(result[0], 1)")),
        changed(COMPACTED, ("keys[i] < pivot", "keys[i] > pivot")),  # the others
        changed(COMPACTED, ("= keys[i];", "= i;")),  # places, not keys
        changed(COMPACTED, ("first + ends[thread]]", "first + thread]")),  # with gaps
        changed(COMPACTED, ("first = atomicAdd(result[0]", "atomicAdd(first")),  # no counter
    ],
    "select_round": [
        changed(ROUND, ("== chosen", "<= chosen")),  # the buckets before, too
        changed(ROUND, ("result[1] = filled", "result[1] = chosen")),  # another number
        changed(ROUND, ("2 + place", "2 + thread")),  # one key for each thread
        changed(ROUND, ("result[2 + place] = keys[i]", "result[2 + place] = i")),  # no keys
        changed(ROUND, ("/ width == chosen", "/ width = chosen")),  # one = too few
    ],
}
