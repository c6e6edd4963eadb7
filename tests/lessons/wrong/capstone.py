"""Lesson 17: wrong answers that no mistake names, for the trimmed mean and for other choices."""

from collections.abc import Mapping

import numpy as np

from shadersort.lessons.capstone.facts import of_run
from shadersort.lessons.capstone.kernels import BETWEEN, EQUAL_RUNS
from shadersort.lessons.capstone.shaders import RIGHT_BETWEEN, RIGHT_STARTS, SIGNATURE
from shadersort.lessons.capstone.statistics import key_of_rank
from shadersort.lessons.shared.kernels.mistakes import changed
from tests.lessons.wrong import Answers


def shader(body: str) -> str:
    return f"{SIGNATURE} {{\n{body}\n}}\n"


WRONG: Answers = {
    "by_definition": [
        lambda keys: np.sort(keys)[len(keys) // 3 : len(keys) - len(keys) // 3].mean(),
        lambda keys: np.sort(keys)[1:-1].mean(),  # one at each end, however many keys
        lambda keys: np.sort(keys),  # no number
    ],
    "by_order": [
        lambda keys: np.sort(keys)[len(keys) // 4 : len(keys) - len(keys) // 4].mean(),
        lambda keys: key_of_rank(keys, len(keys) // 4),
        lambda keys: sum(key for key in keys) / len(keys),  # a loop
    ],
    "by_drawing": [
        shader("return texel_of(number);"),
        shader(changed(RIGHT_BETWEEN, ("vec4(low)", "vec4(lower)"))),  # no such name
        shader("for (;;) {}"),
    ],
    "by_kernel": [
        changed(BETWEEN, ("count += 1", "count = 1")),
        changed(BETWEEN, ("int count = 0, sum = 0", "int count, sum")),  # any value at first
        # by atomics in shared memory
        changed(BETWEEN, ("first[thread] += first[thread + step]", "atomicAdd(first[0], 1)")),
        changed(BETWEEN, ("thread == 0", "thread == THREADS")),  # nobody adds
        changed(BETWEEN, ("shared int first", "int first")),  # not shared
        "void kernel() {\n"
        "    if (thread < n && low < keys[thread]) atomicAdd(result[0], 1);\n"
        "}",  # by itself
    ],
    "facts": [
        lambda n, launches, bandwidth: of_run(n, launches, bandwidth)[:3],  # three
        lambda n, launches, bandwidth: (0, 0, 0, 0),
    ],
}

OTHERS: Mapping[str, Answers] = {
    "mode": {
        "by_definition": [
            lambda keys: np.median(keys),
            lambda keys: keys[0],
        ],
        "by_order": [
            lambda keys: np.unique(keys)[0],  # not allowed
            lambda keys: np.sort(keys)[0],
        ],
        "by_drawing": [
            shader("return vec4(0.0);"),
            shader(changed(RIGHT_STARTS, ("own.rgb", "own.gba"))),
        ],
        "by_kernel": [
            changed(EQUAL_RUNS, ("count += 1", "count = 1")),
            changed(EQUAL_RUNS, ("int count = 0, place = n", "int count = 0, place = 0")),
        ],
    },
    "interquartile range": {
        "by_definition": [lambda keys: 0.0, lambda keys: keys.std()],
        "by_order": [lambda keys: 0.0, lambda keys: np.sort(keys)[-1]],
    },
    "median absolute deviation": {
        "by_definition": [lambda keys: np.ptp(keys), lambda keys: keys.std()],
        "by_order": [
            lambda keys: np.ptp(keys),
            lambda keys: np.median(np.abs(keys - np.median(keys))),
        ],
    },
}
"""Wrong answers for the statistics that are not chosen at first."""
