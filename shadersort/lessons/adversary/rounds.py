"""Lesson 12: rounds of digits and of pivots, and the keys for which pivots are useless."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.bins import find_bucket
from shadersort.selection.primitives.sampling import places

BITS = 32
"""The bits of a code."""

Rule = Callable[[int, int], Sequence[int]]
"""Returns the three places of a round, of the number of keys that are left and the round from 0."""


def digit_rounds(codes: Keys, k: int, bits: int = 4) -> tuple[Any, list[int]]:
    """Return the code of rank k, and how many were left before the first digit and after each."""
    left = [len(codes)]
    for shift in range(BITS - bits, -1, -bits):
        digit = codes >> shift & (2**bits - 1)
        chosen, k = find_bucket(np.bincount(digit), k)
        codes = codes[digit == chosen]
        left.append(len(codes))
    return codes[0], left


def three_places(size: int, number: int) -> Sequence[int]:
    """Return the first place, the middle one and the last: the rule without dice."""
    return 0, size // 2, size - 1


def drawn_places(seed: int) -> Rule:
    """Return the rule of the package's quickselect with a seed: three hashed places a round."""
    return lambda size, number: [int(each) for each in places(size, 3, seed + 1 + number)]


def pivot_rounds(keys: Keys, k: int, rule: Rule = three_places) -> tuple[Any, list[int]]:
    """Return the key of rank k, and the number of keys left at first and after each round.

    The pivot of a round is the median of three keys. The keys on one side of it are kept, in the
    order in which they were.
    """
    left = [len(keys)]
    while True:
        pivot = np.sort(keys[list(rule(len(keys), len(left) - 1))])[1]
        below, upto = int(np.sum(keys < pivot)), int(np.sum(keys <= pivot))
        if below <= k < upto:
            return pivot, [*left, upto - below]
        keys, k = (keys[keys < pivot], k) if k < below else (keys[keys > pivot], k - upto)
        left.append(len(keys))


def hostile(n: int, rule: Rule) -> Keys:
    """Return the numbers below n in an order for which each pivot by a rule drops two at most.

    The places of a round get the smallest numbers that are left: two of three places, so that the
    pivot is the second smallest number; or the one place that the rule has named twice.
    """
    keys, left = np.zeros(n, np.int64), np.arange(n)
    given = number = 0
    while len(left):
        named, times = np.unique(np.array(rule(len(left), number)), return_counts=True)
        chosen = named[times > 1] if times.max() > 1 else named[:2]
        keys[left[chosen]] = given + np.arange(len(chosen))
        given, number = given + len(chosen), number + 1
        left = np.delete(left, chosen)
    return keys
