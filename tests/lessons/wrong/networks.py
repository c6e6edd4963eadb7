from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.lessons.networks.exercises import zeros_and_ones

Answers = dict[str, list[Callable[..., Any]]]
Comparators = list[tuple[int, int]]


def always(comparators: Comparators, n: int) -> bool:
    return True


def never(comparators: Comparators, n: int) -> bool:
    return False


def one_input_only(comparators: Comparators, n: int) -> bool:
    keys = list(range(n))[::-1]
    for low, high in comparators:
        keys[low], keys[high] = sorted((keys[low], keys[high]))
    return keys == sorted(keys)


def by_counting(comparators: Comparators, n: int) -> bool:
    return len(comparators) >= n * (n - 1) // 2


def written_before_both_are_known(comparators: Comparators, n: int) -> bool:
    keys = zeros_and_ones(n)
    for low, high in comparators:
        keys[:, low] = np.minimum(keys[:, low], keys[:, high])
        keys[:, high] = np.maximum(keys[:, low], keys[:, high])
    return bool(np.all(keys[:, :-1] <= keys[:, 1:]))


def some_row_is_sorted(comparators: Comparators, n: int) -> bool:
    keys = zeros_and_ones(n)
    for low, high in comparators:
        keys[:, [low, high]] = np.sort(keys[:, [low, high]], axis=1)
    return bool(np.any(np.all(keys[:, :-1] <= keys[:, 1:], axis=1)))


def shifted(n: int, block: int) -> Comparators:
    half = block // 2
    return [(first + i, first + i + half) for first in range(0, n, block) for i in range(half)]


def first_block_only(n: int, block: int) -> Comparators:
    return [(i, block - 1 - i) for i in range(block // 2)]


def one_too_far(n: int, block: int) -> Comparators:
    return [
        (first + i, first + block - i) for first in range(0, n, block) for i in range(block // 2)
    ]


def each_pair_twice(n: int, block: int) -> Comparators:
    return [
        (first + i, first + block - 1 - i) for first in range(0, n, block) for i in range(block)
    ]


def no_pairs(n: int, block: int) -> list[int]:
    return list(range(n))


WRONG: Answers = {
    "sorts": [
        always,
        never,
        one_input_only,
        by_counting,
        written_before_both_are_known,
        some_row_is_sorted,
    ],
    "balanced_comparators": [shifted, first_block_only, one_too_far, each_pair_twice, no_pairs],
}
