"""Lesson 11, buckets, digits, dice: three ways to choose bins, and the exercises."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.bucket_pictures import (
    show_adversaries,
    show_bits,
    show_digit,
    show_left,
    show_order,
    show_round,
    show_throw,
)
from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.pictures import Frames
from shadersort.selection.methods.randomized import bracket

__all__ = [
    "EXERCISES",
    "Throw",
    "bracket",
    "bucket_rounds",
    "codes",
    "one_round",
    "show_adversaries",
    "show_bits",
    "show_digits",
    "show_left",
    "show_rounds",
    "show_throws",
    "throw",
]


def numbers(keys: Keys, count: int) -> Keys:
    """Return the number of each key's bucket, among so many of equal width.

    Examples
    --------
    >>> numbers(np.array([0, 1, 2, 7, 8]), 4)
    array([0, 0, 1, 3, 3])
    """
    low, high = float(keys.min()), float(keys.max())
    shares = (keys.astype(np.float64) - low) / (high - low)
    return np.minimum((count * shares).astype(np.int64), count - 1)


def _round(keys: Keys, k: int, count: int) -> tuple[Keys, int]:
    """Return the keys of the bucket that has the key of rank k, and the rank among them."""
    number = numbers(keys, count)
    ends = np.cumsum(np.bincount(number, minlength=count))
    chosen = int(np.searchsorted(ends, k, side="right"))
    inside = keys[number == chosen]
    return inside, k - (int(ends[chosen]) - len(inside))


def bucket_rounds(keys: Keys, k: int, count: int = 1024) -> tuple[Any, list[int]]:
    """Return the key of rank k, and how many keys were left before the first round and after each.

    It is bucketSelect as Alabi et al. 2012 have it, with no help for keys that crowd.

    Examples
    --------
    >>> bucket_rounds(np.arange(1000), 500, 10)
    (np.int64(500), [1000, 100, 10, 1])
    """
    left = [len(keys)]
    while keys.min() < keys.max():
        keys, k = _round(keys, k, count)
        left.append(len(keys))
    return keys[0], left


def show_rounds(keys: Keys, k: int, count: int, rounds: int) -> Frames:
    """Return the first rounds, one a frame."""
    states = [(keys, k)]
    for _ in range(rounds):
        states.append(_round(*states[-1], count))
    return Frames(
        rounds,
        lambda at: show_round(
            at + 1, *states[at], numbers(states[at][0], count), states[at + 1][0]
        ),
        "keys counted in equal buckets; the bucket with the rank is divided again",
        seconds=2,
    )


def show_digits(keys: Keys, k: int, digits: int) -> Frames:
    """Return how whole numbers are searched digit by digit, one digit a frame."""
    answer = int(np.sort(keys)[k])
    return Frames(
        digits,
        lambda at: show_digit(keys, k, digits, at, answer),
        "numbers in a column; those that share the digits of the answer so far are candidates",
        seconds=2.5,
    )


@dataclass(frozen=True, slots=True)
class Throw:
    """A sample, and what it says about the median.

    Attributes
    ----------
    sample
        Sorted.
    first, last
        With the probability asked for, so many of the sample are below the median: least and most.
    low, high
        The bracket: keys of the sample.
    inside
        How many of all keys are in it.
    median
        That of all keys.
    """

    sample: Keys
    first: int
    last: int
    low: float
    high: float
    inside: int
    median: float

    @property
    def hit(self) -> bool:
        """Whether the bracket holds the median."""
        return self.low <= self.median <= self.high


def throw(keys: Keys, samples: int, probability: float, seed: int) -> Throw:
    """Draw a sample, and bracket the median with a probability."""
    chosen = np.random.default_rng(seed).integers(len(keys), size=samples)
    sample = np.sort(keys[chosen])
    first, last = bracket(samples, 0.5, probability)
    low, high = float(sample[first - 1]), float(sample[last])
    inside = int(np.sum((low <= keys) & (keys <= high)))
    return Throw(sample, first, last, low, high, inside, float(np.median(keys)))


def show_throws(keys: Keys, samples: int, probability: float, seeds: range) -> Frames:
    """Return several throws, one a frame."""
    return Frames(
        len(seeds),
        lambda at: show_throw(keys, throw(keys, samples, probability, seeds[at]), at + 1),
        "samples thrown anew; each brackets the median between two of its keys, and some miss it",
        seconds=1.5,
    )


def _told(inside: Keys, rank: int) -> str:
    return f"rank {rank} among {', '.join(str(key) for key in np.sort(inside).tolist())}"


def _told_round(answer: Answer, keys: Keys, k: int, count: int) -> str:
    inside, rank = answered(answer(keys, k, count))
    return _told(np.asarray(inside), int(rank))


def _rounds(rng: np.random.Generator) -> Iterator[Case]:
    """Whole numbers whose buckets have whole widths; ranks at both ends, in the middle, in ties."""
    keys = np.array([0, 1, 2, 3, 8, 9, 14, 16])
    yield keys, 5, 4
    yield rng.permutation(keys), 7, 4
    yield rng.permutation(keys), 0, 4
    yield rng.permutation(np.append(rng.integers(0, 64, size=18), [0, 64])), 10, 8
    yield rng.permutation([100, 100, 100, 104, 116, 132, 132]), 2, 16
    yield rng.permutation(np.append(rng.integers(-8, 8, size=30), [-8, 8])), 3, 4


one_round = Exercise(
    name="one_round",
    specification=lambda keys, k, count: _told(*_round(keys, k, count)),
    cases=_rounds,
    hints=(
        "First the number of each key's bucket: an array of whole numbers from 0 to count − 1. "
        "np.minimum(…, count - 1) keeps the largest key in the last one.",
        "np.bincount(number, minlength=count) counts the keys of each bucket, and np.cumsum of "
        "that says how many keys lie in this bucket and all before it.",
        "The key of rank k is in the first bucket where this sum is larger than k: "
        "np.searchsorted(ends, k, side='right') finds it.",
        "The rank among the keys inside is k less the keys in all buckets before: "
        "k - np.sum(number < chosen).",
    ),
    outcome=_told_round,
)


def _in_order_of(answer: Answer, keys: Keys) -> Keys:
    """Return the keys in the order of the codes that the answer makes of their bits."""
    bits = keys.view(np.uint32)
    made = np.asarray(answered(answer(bits.copy())))
    if made.dtype != np.uint32:
        raise TypeError(f"codes are uint32, as the bits are, not {made.dtype}")
    if made.shape != keys.shape:
        raise ValueError(f"{len(keys)} codes are wanted, not an array of shape {made.shape}")
    if not np.array_equal(made, [answer(one.copy())[0] for one in np.split(bits, len(bits))]):
        raise ValueError("a code is to depend on its own bits alone, not on the other floats")
    return keys[np.argsort(made, kind="stable")]


def _floats(rng: np.random.Generator) -> Iterator[Case]:
    """Small floats without a zero: positive ones, negative ones, both."""
    yield (np.array([2.0, 0.5, 1.0], np.float32),)
    yield (np.array([1.0, -1.0], np.float32),)
    yield (np.array([-2.0, -0.5, -1.0], np.float32),)
    yield (np.array([3.5, -np.inf, 1e-40, -7.0, np.inf, -1e-40], np.float32),)
    yield (rng.normal(size=200).astype(np.float32),)


codes = Exercise(
    name="codes",
    specification=np.sort,
    cases=_floats,
    hints=(
        "Two things are wrong with the bits: negative numbers come after the positive ones, and "
        "among themselves they run backwards.",
        "The first bit is the sign: bits >> 31 is 1 where a number is negative. "
        "For a positive number it is enough to set this bit: bits | 2**31.",
        "Turning every bit over, ~bits, makes a large number small and a small one large. "
        "That is right for the negative numbers, and it clears their first bit, too.",
        "np.where(bits >> 31 == 1, …, …) chooses for each number. Write the constant as "
        "np.uint32(2**31), so that the type stays.",
    ),
    outcome=_in_order_of,
    draw=lambda case, yours, expected: show_order(yours, expected),
)

EXERCISES = (one_round, codes)
