import numpy as np

from shadersort.lessons.networks.exercises import zeros_and_ones
from tests.lessons.wrong import Answers

Comparators = list[tuple[int, int]]


def one_input_only(comparators: Comparators, n: int) -> bool:
    keys = list(range(n))[::-1]
    for low, high in comparators:
        keys[low], keys[high] = sorted((keys[low], keys[high]))
    return keys == sorted(keys)


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


def fifty_random_permutations(comparators: Comparators, n: int) -> bool:
    """Only all inputs of zeros and ones prove that a network sorts."""
    keys = np.random.default_rng(5).permuted(np.tile(np.arange(n), (50, 1)), axis=1)
    for low, high in comparators:
        keys[:, [low, high]] = np.sort(keys[:, [low, high]], axis=1)
    return bool(np.all(keys[:, :-1] <= keys[:, 1:]))


def shifted(n: int, block: int) -> Comparators:
    half = block // 2
    return [(first + i, first + i + half) for first in range(0, n, block) for i in range(half)]


def one_too_far(n: int, block: int) -> Comparators:
    return [(at + i, at + block - i) for at in range(0, n, block) for i in range(block // 2)]


def each_pair_twice(n: int, block: int) -> Comparators:
    return [(at + i, at + block - 1 - i) for at in range(0, n, block) for i in range(block)]


WRONG: Answers = {
    "sorts": [
        *(one_input_only, written_before_both_are_known, some_row_is_sorted),
        fifty_random_permutations,
        lambda comparators, n: True,  # always
        lambda comparators, n: False,  # never
        lambda comparators, n: len(comparators) >= n * (n - 1) // 2,  # by counting
    ],
    "balanced_comparators": [
        *(shifted, one_too_far, each_pair_twice),
        lambda n, block: [(i, block - 1 - i) for i in range(block // 2)],  # first block only
        lambda n, block: list(range(n)),  # no pairs
    ],
}
