"""Lesson 11, buckets, digits, dice: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.bins import (
    bucket_numbers,
    describe_places,
    describe_round,
    round_of,
)
from shadersort.lessons.buckets.kernels import block_histogram
from shadersort.lessons.exercises import (
    Answer,
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    WrongKind,
    answer_of,
    number_of,
    parts_of,
)
from shadersort.lessons.shared.style import show_beside
from shadersort.pictures.matplotlib_types import Figure
from shadersort.selection.primitives.one_read import sample_rank


def _describe_round(found: Any) -> str:
    asked = "two things, the keys of the bucket and the rank among them"
    inside, rank = parts_of(found, asked, 2)
    return describe_round(np.atleast_1d(inside), int(number_of(rank)))


def _rounds(rng: np.random.Generator) -> Iterator[Case]:
    """Yield integers whose buckets have integer widths, with ranks at the ends and in ties."""
    keys = np.array([0, 1, 2, 3, 8, 9, 14, 16])
    yield keys, 5, 4
    yield rng.permutation(keys), 7, 4
    yield rng.permutation(keys), 0, 4
    yield rng.permutation(np.append(rng.integers(0, 64, size=18), [0, 64])), 10, 8
    yield rng.permutation([100, 100, 100, 104, 116, 132, 132]), 2, 16
    yield rng.permutation(np.append(rng.integers(-8, 8, size=30), [-8, 8])), 3, 4


def _choose(side: Any, shift: Callable[[Any, Any, int], Any]) -> Callable[..., str]:
    """Return a round that chooses the bucket by a side, and returns a rank by `shift`."""

    def choose(keys: Any, k: int, count: int) -> str:
        number = bucket_numbers(keys, count)
        chosen = np.searchsorted(np.cumsum(np.bincount(number)), k, side=side)
        return describe_round(keys[number == chosen], shift(number, chosen, k))

    return choose


one_round = Exercise(
    name="one_round",
    specification=lambda keys, k, count: describe_round(*round_of(keys, k, count)),
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
    runner=PythonRunner(_describe_round, forbidden=("round_of",)),
    mistakes=(
        Mistake(
            "you returned the rank k among all keys, and not the rank inside the bucket",
            _choose("right", lambda number, chosen, k: k),
            "Subtract the number of keys in all buckets before it.",
        ),
        Mistake(
            "you took the bucket before, if k is the first rank of a bucket",
            _choose("left", lambda number, chosen, k: k - np.sum(number < chosen)),
            "The first bucket whose end is larger than k: side='right'.",
        ),
        Mistake(
            "you subtracted the keys inside the bucket, too",
            _choose("right", lambda number, chosen, k: k - np.sum(number <= chosen)),
            "Only the keys of the buckets before it come before: number < chosen.",
        ),
    ),
)


def _in_order_of(answer: Answer, keys: Keys) -> Keys:
    """Return the keys in the order of the answer's codes."""
    bits = keys.view(np.uint32)
    made = np.asarray(answer_of(answer(bits.copy())))
    if made.dtype != np.uint32:
        raise WrongKind(f"codes are uint32, as the bits are, not {made.dtype}")
    if made.shape != keys.shape:
        raise WrongKind(f"{len(keys)} codes are wanted, not an array of shape {made.shape}")
    if not np.array_equal(made, [answer(one.copy())[0] for one in np.split(bits, len(bits))]):
        raise WrongKind("a code must depend on its own bits alone, not on the other floats")
    return keys[np.argsort(made, kind="stable")]


def _floats(rng: np.random.Generator) -> Iterator[Case]:
    """Yield floats without a zero: positive ones, negative ones, both."""
    yield (np.array([2.0, 0.5, 1.0], np.float32),)
    yield (np.array([1.0, -1.0], np.float32),)
    yield (np.array([-2.0, -0.5, -1.0], np.float32),)
    yield (np.array([3.5, -np.inf, 1e-40, -7.0, np.inf, -1e-40], np.float32),)
    yield (rng.normal(size=200).astype(np.float32),)


def _draw_ranks(case: Case, yours: Any, expected: Any) -> Figure:
    labels = {"xlabel": "place by the codes", "ylabel": "rank of the key"}
    return show_beside(np.searchsorted(expected, yours), range(len(expected)), **labels)


def _order_by(code: Callable[[Any], Any]) -> Callable[[Keys], Keys]:
    """Return floats in the order of their codes."""
    return lambda keys: keys[np.argsort(code(keys.view(np.uint32)), kind="stable")]


codes = Exercise(
    name="codes",
    specification=np.sort,
    cases=_floats,
    hints=(
        "Two things are wrong with the bits: negative numbers come after the positive ones, and "
        "their order is reversed.",
        "The first bit is the sign: bits >> 31 is 1 where a number is negative. "
        "For a positive number it is enough to set this bit: bits | 2**31.",
        "Inverting every bit, ~bits, makes a large number small and a small one large. "
        "That is right for the negative numbers, and it clears their first bit, too.",
        "np.where(bits >> 31 == 1, …, …) chooses for each number. Write the constant as "
        "np.uint32(2**31), so that the type stays.",
    ),
    runner=PythonRunner(outcome=_in_order_of, forbidden=("encode",)),
    draw=_draw_ranks,
    mistakes=(
        Mistake(
            "you returned the bits as they are",
            _order_by(lambda bits: bits),
            "The bits of negative numbers begin with 1, so they come last.",
        ),
        Mistake(
            "you turned the sign bit, and did not reverse the order of negative numbers",
            _order_by(lambda bits: bits + np.uint32(0x80000000)),
            "−2 comes before −1, but its bits are larger: invert all bits of a negative number.",
        ),
        Mistake(
            "you inverted negative numbers, and left positive ones below them",
            _order_by(lambda bits: np.where(bits >> 31 == 1, ~bits, bits)),
            "Set the first bit of positive numbers, so that they come after the negative ones.",
        ),
    ),
)


def _samples(rng: np.random.Generator) -> Iterator[Case]:
    """Yield sorted samples, and ranks near the middle and the ends; no place is nearly whole."""
    for m, rank, n, wide in (
        (16, 80, 160, 0.9),
        (16, 3, 160, 0.9),  # the lower place is between −1 and 0
        (16, 157, 160, 0.9),
        (40, 24, 400, 0.65),
        (100, 0, 10_000, 1.7),
        (100, 9_999, 10_000, 1.7),
        (300, 1_000, 9_000, 4.5),
        (1000, 33_333, 70_000, 4.5),
    ):
        yield np.sort(rng.integers(-500, 500, size=m)), rank, n, wide


def _two_places(sample: Keys, rank: int, n: int, wide: float) -> str:
    found = [sample_rank(rank, n, len(sample), wide, side) for side in (-1, 1)]
    return describe_places([None if each == len(sample) else each for each in found])


def _place(
    sample: Any, rank: float, n: int, wide: float, root: bool = True, more: bool = True
) -> tuple[float, float]:
    """Return both ends of the bracket, before they are cut off at those of the sample."""
    m = len(sample)
    middle = rank * m / n
    variance = middle * (1 - middle / m)
    off = wide * (np.sqrt(variance) if root else variance) + more * wide**2
    return middle - off, middle + off


def _cut_off(places: Any, sample: Any) -> str:
    return describe_places(int(at) if 0 <= at < len(sample) else None for at in places)


bracket_places = Exercise(
    name="bracket_places",
    specification=_two_places,
    cases=_samples,
    hints=(
        "m = len(sample). The key of this rank has about the place rank * m / n in the sample: "
        "the middle of the bracket.",
        "The standard error of this place is np.sqrt(m * p * (1 - p)), with p = rank / n.",
        "Both places are the same distance away from the middle: `wide` standard errors, and "
        "wide**2 more.",
        "A place is in the sample if 0 <= place < m. Ask this before int(place); otherwise it is "
        "None.",
    ),
    runner=PythonRunner(
        lambda found: describe_places(parts_of(found, "two places, each a number or None", 2)),
        forbidden=("sample_rank",),
    ),
    mistakes=(
        Mistake(
            "you left out the root: that is the variance, and not the standard error",
            lambda sample, rank, n, wide: _cut_off(
                _place(sample, rank, n, wide, root=False), sample
            ),
            "The standard error is the root of the variance: np.sqrt(…).",
        ),
        Mistake(
            "you left out the wide² places more",
            lambda sample, rank, n, wide: _cut_off(
                _place(sample, rank, n, wide, more=False), sample
            ),
            "At rank 0 the standard error is 0, and still the sample need not have the smallest.",
        ),
        Mistake(
            "you moved an end that is outside the sample to the sample's first or last key",
            lambda sample, *case: describe_places(
                np.clip(_place(sample, *case), 0, len(sample) - 1).astype(int).tolist()
            ),
            "The answer may be smaller than every key of the sample. None says that there is no "
            "end.",
        ),
    ),
)

EXERCISES = (one_round, block_histogram, codes, bracket_places)
