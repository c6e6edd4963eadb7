"""Lesson 13, a hundred order statistics at once: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case, Exercise, PythonRunner
from shadersort.lessons.hundred.mistakes import BUCKET_AND_PLACE, DENSITY
from shadersort.lessons.hundred.pictures import densities
from shadersort.lessons.shared.style import subplots
from shadersort.palette import GREEN, WRONG
from shadersort.pictures.matplotlib_types import Figure


def _buckets_and_places(counts: Keys, ks: Keys) -> tuple[Keys, Keys]:
    """Return buckets and places by listing those of all ranks."""
    buckets = np.repeat(np.arange(counts.size), counts)
    places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return buckets[ks], places[ks]


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
    specification=_buckets_and_places,
    cases=_some_counts,
    hints=(
        "ends = np.cumsum(counts) says how many keys are in each bucket or in an earlier one. "
        "Bucket 0 has the ranks from 0 to ends[0] − 1.",
        "The bucket of rank k is the first whose end is larger than k. "
        'np.searchsorted(ends, ks, side="right") finds it for all ranks at once.',
        "Before bucket b there are ends[b] - counts[b] keys. Subtract them from the rank.",
    ),
    mistakes=BUCKET_AND_PLACE,
)


def _drawn(case: Case, yours: Any, expected: Any) -> Figure:
    (some,) = case
    figure, axes = subplots(1, 2, height=2.4, sharey=True)
    both = (("yours", yours, WRONG), ("expected", expected, GREEN))
    for ax, (name, heights, colour) in zip(axes, both, strict=True):
        ax.stairs(np.asarray(heights, float), some, fill=True, color=colour)
        ax.set(title=name, xlabel="key")
    axes[0].set_ylabel("density")
    return figure


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
    runner=PythonRunner(
        forbidden=("densities",),
    ),
    draw=_drawn,
    mistakes=DENSITY,
)

EXERCISES = (bucket_and_place, density)
