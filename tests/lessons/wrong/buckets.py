"""Lesson 11: wrong answers that no mistake names."""

from typing import Any

import numpy as np

from shadersort.keys.codes import encode
from shadersort.lessons.buckets.kernels import HISTOGRAM
from shadersort.lessons.shared.kernels.mistakes import changed
from tests.lessons.wrong import Answers


def sorted_where_they_lie(bits: Any) -> Any:
    bits.view(np.float32).sort()
    return np.arange(bits.size, dtype=np.uint32)


WRONG: Answers = {
    "one_round": [
        lambda keys, k, count: np.sort(keys)[k],  # no pair
        lambda keys, k, count: (keys, k),  # all keys
    ],
    "block_histogram": [
        # counters of all blocks, and no others
        changed(
            HISTOGRAM, ("counts[BUCKETS];", "unused;"), ("counts[bucket], 1", "result[bucket], 1")
        ),
        changed(HISTOGRAM, ("shared int counts", "int counts")),  # each thread has its own
        changed(HISTOGRAM, ("counts[bucket], 1", "counts[i], 1")),  # by number, not by bucket
        changed(HISTOGRAM, ("atomicAdd(counts", "atomicMax(counts")),  # 1 at most
        changed(HISTOGRAM, ("/ width", "% width")),  # another rule for buckets
        changed(HISTOGRAM, ("atomicAdd(result[b], counts[b])", "counts[b] = 0")),  # no result
    ],
    "codes": [
        sorted_where_they_lie,
        # ranks among the others
        lambda bits: np.argsort(np.argsort(bits.view(np.float32))).astype(np.uint32),
        lambda bits: bits[:1],  # too few
        lambda bits: encode(bits.view(np.float32)),  # right, but not your own
    ],
    "bracket_places": [
        lambda sample, rank, n, wide: (0, len(sample) - 1),  # all of the sample
        lambda sample, rank, n, wide: (None, None),  # no bracket at all
        lambda sample, rank, n, wide: [rank * len(sample) // n] * 2,  # the middle, twice
        lambda sample, rank, n, wide: rank * len(sample) // n,  # one place
    ],
}
