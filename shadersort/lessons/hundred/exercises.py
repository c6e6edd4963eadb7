"""Lesson 13, a hundred order statistics at once: the exercises."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from shadersort.lessons.buckets.bins import find_bucket
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner
from shadersort.lessons.hundred.pictures import densities
from shadersort.lessons.shared.style import show_beside


def _some_counts(rng: np.random.Generator) -> Iterator[Case]:
    """Yield counts of buckets, some of them empty, with ranks at their ends and inside."""
    yield np.array([2, 3]), np.array([0, 1, 2, 4])
    yield np.array([5]), np.array([3])
    yield np.array([0, 4, 0, 0, 2, 0]), np.array([0, 3, 4, 5])
    for buckets in (8, 30):
        counts = rng.integers(6, size=buckets)
        yield counts, np.sort(rng.choice(counts.sum(), buckets // 2, replace=False))


bucket_and_place = Exercise(
    name="bucket_and_place",
    specification=find_bucket,
    cases=_some_counts,
    hints=(
        "ends = np.cumsum(counts) says how many keys are in each bucket or in an earlier one. "
        "Bucket 0 has the ranks from 0 to ends[0] − 1.",
        "The bucket of rank k is the first whose end is larger than k. "
        'np.searchsorted(ends, ks, side="right") finds it for all ranks at once.',
        "Before bucket b there are ends[b] - counts[b] keys. Subtract them from the rank.",
    ),
    mistakes=(
        Mistake(
            "you put the first rank of a bucket into the bucket before it",
            lambda counts, ks: find_bucket(counts, ks, "left"),
            "The first bucket whose end is larger than k: side='right'.",
        ),
        Mistake(
            "you returned the rank among all keys for the place",
            lambda counts, ks: (find_bucket(counts, ks)[0], ks),
            "Subtract the number of keys before the bucket: ends − counts.",
        ),
    ),
)


density = Exercise(
    name="density",
    specification=densities,
    cases=lambda rng: [
        (np.array([0.0, 1.0, 3.0]),),
        (np.array([2.0, 4.0]),),
        (np.array([-3.0, -1.0, 0.0, 0.5, 1.5, 4.0]),),
        (np.quantile(rng.standard_normal(1000), np.linspace(0, 1, 11)),),
    ],
    hints=(
        "How many gaps are there between the numbers? All gaps hold equally many keys.",
        "A gap has the share 1 / (number of gaps). Its height times its width is that share.",
        "np.diff(order_statistics) has all widths.",
    ),
    runner=PythonRunner(forbidden=("densities",)),
    draw=partial(show_beside, xlabel="gap", ylabel="density"),
    mistakes=(
        Mistake(
            "you returned the share of each gap, whatever its width",
            lambda some: np.full(len(some) - 1, 1 / (len(some) - 1)),
            "A density is a share divided by a width: np.diff has the widths.",
        ),
        Mistake(
            "you divided by the number of numbers, and not of gaps",
            lambda some: 1 / len(some) / np.diff(some),
            "Between n numbers there are n − 1 gaps.",
        ),
    ),
)

EXERCISES = (bucket_and_place, density)
