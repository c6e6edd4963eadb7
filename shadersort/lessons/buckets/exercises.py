"""Lesson 11, buckets, digits, dice: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.lessons.buckets.bins import (
    bucket_numbers,
    describe_round,
    find_bucket,
    round_of,
)
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
from shadersort.lessons.exercises.kernel_runner import (
    IN_SHARED,
    NO_ONES,
    KernelRunner,
    blank_kernel,
)
from shadersort.lessons.exercises.kernels.dialect import Setting
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
    yield keys[::-1].copy(), 4, 4
    yield np.arange(33)[::-1].copy(), 10, 4
    yield rng.permutation(np.append(rng.integers(0, 64, size=18), [0, 64])), 10, 8
    yield rng.permutation([100, 100, 100, 104, 116, 132, 132]), 2, 16
    yield rng.permutation(np.append(rng.integers(-8, 8, size=30), [-8, 8])), 3, 4


def _take_bucket_before(keys: Any, k: int, count: int) -> str:
    """Take the bucket that ends at the rank, if there is one."""
    number = bucket_numbers(keys, count)
    chosen, rank = find_bucket(np.bincount(number), k, "left")
    return describe_round(keys[number == chosen], int(rank))


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
            lambda keys, k, count: describe_round(round_of(keys, k, count)[0], k),
            "Subtract the number of keys in all buckets before it.",
        ),
        Mistake(
            "you took the bucket before, if k is the first rank of a bucket",
            _take_bucket_before,
            "The first bucket whose end is larger than k: side='right'.",
        ),
    ),
)


THREADS, BUCKETS = 64, 100


def _keys_in_buckets(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys of all buckets, with the smallest key, the width of a bucket, and the blocks."""
    yield np.array([3, 9, 4, 3, 20]), 3, 2, 1
    yield np.full(30, 5), 5, 1, 1
    yield rng.integers(10, 110, size=64), 10, 1, 1
    yield rng.integers(0, 700, size=65), 0, 7, 1
    yield rng.integers(40, 240, size=500), 40, 2, 3
    yield np.minimum(rng.geometric(0.2, size=2000), 300), 1, 3, 4


def _counts(keys: Integers, least: int, width: int, blocks: int) -> Integers:
    return np.bincount((keys - least) // width, minlength=BUCKETS)


block_histogram = Exercise(
    name="block_histogram",
    asks="Count the keys in 100 buckets: key x is in bucket `(x - least) / width`. `result` is 0 "
    "at first, and gets the counts of all blocks. Count in shared memory, not in `result`.",
    specification=_counts,
    cases=_keys_in_buckets,
    hints=(
        "Three parts, with a barrier between them: all counters become 0; the keys are counted; "
        "the counters are added to `result`.",
        "There are 100 counters, and 64 threads. A loop gives each thread its counters: "
        "`for (int b = thread; b < BUCKETS; b += THREADS) counts[b] = 0;`",
        "The keys of this thread: "
        "`for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) { … }`. "
        "In it: `int bucket = (keys[i] - least) / width;`",
        "Two threads may meet a key of the same bucket: `atomicAdd(counts[bucket], 1);` At the end "
        "the loop of the first part again, with `atomicAdd(result[b], counts[b]);`",
    ),
    mistakes=(
        Mistake(
            "every thread adds all counters to `result`, so they are added 64 times",
            lambda *case: THREADS * _counts(*case),
            "The counters are shared out: thread 0 takes the counters 0 and 64.",
        ),
        Mistake(
            "every block counts all keys",
            lambda keys, least, width, blocks: blocks * _counts(keys, least, width, blocks),
            "Which threads share the work: those of a block, or those of all blocks?",
        ),
        Mistake(
            "each thread takes one key only",
            lambda keys, least, width, blocks: _counts(
                keys[: blocks * THREADS], least, width, blocks
            ),
            "There may be more keys than threads. So each thread has a loop.",
        ),
    ),
    runner=KernelRunner(
        setting=Setting(THREADS, numbers=("least", "width"), constants=(("BUCKETS", BUCKETS),)),
        start=lambda n: [0] * BUCKETS,
        rules=(IN_SHARED, NO_ONES),
        text=blank_kernel("shared int counts[BUCKETS];"),
    ),
)


def _in_order_of(answer: Answer, keys: Keys) -> Keys:
    """Return the keys in the order of the answer's codes."""
    bits, given = keys.view(np.uint32), keys.copy()
    made = np.asarray(answer_of(answer(bits))).copy()
    if made.dtype != np.uint32:
        raise WrongKind(f"codes are uint32, as the bits are, not {made.dtype}")
    if made.shape != keys.shape:
        raise WrongKind(f"{len(keys)} codes are wanted, not an array of shape {made.shape}")
    alone = given.view(np.uint32).copy().reshape(-1, 1)
    if not np.array_equal(made, [answer(each)[0] for each in alone]):
        raise WrongKind("a code must depend on its own bits alone, not on the other floats")
    return given[np.argsort(made, kind="stable")]


def _floats(rng: np.random.Generator) -> Iterator[Case]:
    """Yield floats without a zero: positive ones, negative ones, both."""
    yield (np.array([2.0, 0.5, 1.0], np.float32),)
    yield (np.array([1.0, -1.0], np.float32),)
    yield (np.array([-2.0, -0.5, -1.0], np.float32),)
    yield (np.array([3.5, -np.inf, 1e-40, -7.0, np.inf, -1e-40], np.float32),)
    yield (rng.normal(size=200).astype(np.float32),)


def _draw_ranks(case: Case, yours: Any, expected: Any) -> Figure:
    labels = {"xlabel": "place by the codes", "ylabel": "rank of the key"}
    return show_beside(case, np.searchsorted(expected, yours), range(len(expected)), **labels)


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


def _two_places(sample: Keys, rank: int, n: int, wide: float) -> list[int | None]:
    found = [sample_rank(rank, n, len(sample), wide, side) for side in (-1, 1)]
    return [None if each == len(sample) else each for each in found]


def _place(more: float, sample: Any, rank: float, n: int, wide: float) -> tuple[float, float]:
    """Return both ends of the bracket, before they are cut off at those of the sample."""
    m = len(sample)
    middle = rank * m / n
    off = wide * np.sqrt(middle * (1 - middle / m)) + more
    return middle - off, middle + off


def _forget_more(sample: Any, *case: Any) -> list[int | None]:
    ends = _place(0, sample, *case)
    return [int(at) if 0 <= at < len(sample) else None for at in ends]


def _move_inside(sample: Any, rank: int, n: int, wide: float) -> Any:
    return np.clip(_place(wide**2, sample, rank, n, wide), 0, len(sample) - 1).astype(int)


def _numbers_or_none(found: Any) -> list[float | None]:
    parts = parts_of(found, "two places, each a number or None", 2)
    return [None if each is None else number_of(each) for each in parts]


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
    runner=PythonRunner(_numbers_or_none, forbidden=("sample_rank",)),
    mistakes=(
        Mistake(
            "you left out the wide² places more",
            _forget_more,
            "At rank 0 the standard error is 0, and still the sample need not have the smallest.",
        ),
        Mistake(
            "you moved an end that is outside the sample to the sample's first or last key",
            _move_inside,
            "The answer may be smaller than every key of the sample. None says that there is no "
            "end.",
        ),
    ),
)

EXERCISES = (one_round, block_histogram, codes, bracket_places)
