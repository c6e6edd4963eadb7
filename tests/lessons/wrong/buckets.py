"""Lesson 11: wrong answers that no mistake names."""

from typing import Any

import numpy as np

from tests.lessons.wrong import Answers


def sorted_where_they_lie(bits: Any) -> Any:
    bits.view(np.float32).sort()
    return np.arange(bits.size, dtype=np.uint32)


WRONG: Answers = {
    "one_round": [
        lambda keys, k, count: np.sort(keys)[k],  # no pair
        lambda keys, k, count: (keys, k),  # all keys
    ],
    "codes": [
        sorted_where_they_lie,
        # ranks among the others
        lambda bits: np.argsort(np.argsort(bits.view(np.float32))).astype(np.uint32),
        lambda bits: bits[:1],  # too few
    ],
}
