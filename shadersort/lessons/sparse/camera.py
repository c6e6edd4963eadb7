"""Lesson 17: skies with few stars, a camera with one sensor, and how often a sky is recovered."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from shadersort import sparse
from shadersort.keys.types import Keys
from shadersort.lessons.shared.tables import Table
from shadersort.sparse import normalised_iterative_hard_thresholding, threshold

RIGHT = 0.01
"""A sky is recovered if its error is less than this share of its light."""

STEPS = 60
"""The most steps of a trial."""

Trials = tuple[Any, Any]
"""Numbers of measurements, and (trials, numbers): whether each trial recovered its sky."""


def sky(pixels: int, stars: int, seed: int) -> Keys:
    """Return a sky as a row of pixels: black, but for some stars at random places."""
    rng = np.random.default_rng(seed)
    found = np.zeros(pixels)
    found[rng.choice(pixels, stars, replace=False)] = rng.uniform(0.3, 1, stars)
    return found


def mirrors(measurements: int, pixels: int, seed: int) -> Keys:
    """Return random directions of mirrors: a row of +1 and −1 for each measurement."""
    return np.random.default_rng(seed).choice([-1.0, 1.0], (measurements, pixels))


def error(found: Keys, true: Keys) -> float:
    """Return the length of a difference, as a share of the length of the truth."""
    return float(np.linalg.norm(found - true) / np.linalg.norm(true))


def steps_towards(measured: Keys, directions: Keys, k: int) -> Iterator[Keys]:
    """Yield the picture after each step of hard thresholding, without an end."""
    x = np.zeros(directions.shape[1])
    kept = threshold(directions.T @ measured, k) != 0
    while True:
        gradient = directions.T @ (measured - directions @ x)
        inside = gradient * kept
        seen = directions @ inside
        length = inside @ inside / (seen @ seen) if seen.any() else 0.0
        x = threshold(x + length * gradient, k)
        kept = x != 0
        yield x


def first_steps(measured: Keys, directions: Keys, k: int, count: int) -> list[Keys]:
    """Return the black picture, and the picture after each of some steps."""
    black = np.zeros(directions.shape[1])
    return [black, *islice(steps_towards(measured, directions, k), count)]


@lru_cache
def trials(pixels: int, stars: int, numbers: range, count: int = 10) -> Trials:
    """Return whether skies are recovered, for each number of measurements and each trial.

    A trial has its own sky and its own mirrors. More measurements are the same ones and others.
    """
    tried = [_trial(pixels, stars, numbers, seed) for seed in range(count)]
    return np.array(numbers), np.array(tried)


def _trial(pixels: int, stars: int, numbers: Sequence[int], seed: int) -> list[bool]:
    """Return whether one sky is recovered, for each number of measurements."""
    true, rows = sky(pixels, stars, seed + 100), mirrors(max(numbers), pixels, seed)
    return [
        error(recovered(rows[:each] @ true, rows[:each], stars), true) < RIGHT for each in numbers
    ]


def recovered(measured: Keys, directions: Keys, k: int, steps: int = STEPS) -> Keys:
    """Return the picture with k pixels that the package finds by iterative hard thresholding."""
    found: Keys = normalised_iterative_hard_thresholding(
        measured, directions, k, tolerance=RIGHT / 10, steps=steps
    ).x
    return found


METHODS = (
    sparse.iterative_hard_thresholding,
    sparse.normalised_iterative_hard_thresholding,
    sparse.hard_thresholding_pursuit,
    sparse.subspace_pursuit,
    sparse.compressive_sampling_matching_pursuit,
)


def compare_methods(pixels: int, stars: int, numbers: Sequence[int], count: int = 10) -> Table:
    """Return how many of some skies each method recovers, and its steps (the median)."""
    rows = []
    for method in METHODS:
        cells = []
        for number in numbers:
            right, steps = 0, []
            for seed in range(count):
                true, rows_of_signs = sky(pixels, stars, seed + 100), mirrors(number, pixels, seed)
                directions = rows_of_signs / (1.01 * np.linalg.norm(rows_of_signs, 2))
                given = directions @ true, directions, stars
                found = method(*given, tolerance=RIGHT / 10, steps=3 * STEPS)
                right += error(found.x, true) < RIGHT
                steps.append(found.steps)
            cells.append(f"{right} of {count}, {np.median(steps):.0f} steps")
        rows.append((method.__name__.replace("_", " "), *cells))
    head = ("", *(f"{number} measurements" for number in numbers))
    return Table(head, tuple(rows), f"recovered skies of {pixels} pixels with {stars} stars")


def fewest(tried: Trials, share: float = 0.9) -> int:
    """Return the smallest number of measurements from which on a share of the trials succeed."""
    numbers, successes = tried
    enough = successes.mean(axis=0) >= share
    return int(numbers[len(numbers) - np.argmin(np.append(enough[::-1], False))])
