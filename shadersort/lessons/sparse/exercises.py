"""Lesson 17, a picture from few measurements: the exercises."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import (
    SORTS,
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    number_of,
)
from shadersort.lessons.shared.style import show_beside
from shadersort.lessons.sparse.camera import METHODS, fewest
from shadersort.sparse import threshold

_drawn = partial(show_beside, xlabel="place", ylabel="key")


def _some_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys with and without ties, and how many are kept."""
    yield np.array([3.0]), 1
    yield np.array([3.0, -5.0, 1.0, -2.0]), 2
    yield np.array([1.0, -1.0, 1.0, -1.0]), 3
    yield np.array([2.0, -7.0, 2.0, 0.0, -2.0]), 2
    yield np.array([0.0, -4.0, 4.0, 9.0, -4.0, 4.0]), 3
    yield np.array([-6.0, 5.0, 4.0, -3.0]), 4
    yield rng.normal(size=30).round(2), 7
    yield rng.integers(-9, 10, 60).astype(float), 25


def _keep_from(compare: Any) -> Any:
    """Return a threshold that keeps what compares with the k-th magnitude."""

    def keep(x: Any, k: int) -> Any:
        sizes = np.abs(x)
        return np.where(compare(sizes, np.partition(sizes, len(x) - k)[len(x) - k]), x, 0)

    return keep


keep = Exercise(
    name="keep",
    specification=threshold,
    cases=_some_keys,
    hints=(
        "Which magnitude is the k-th largest? With ranks from 0, it has rank n − k among "
        "np.abs(x).",
        "sizes = np.abs(x), and level = np.partition(sizes, n - k)[n - k]. All keys with sizes > "
        "level are kept: there are fewer than k of them.",
        "The rest of the k are ties, sizes == level. np.cumsum(ties) gives the first tie the "
        "number 1, the second one 2, and so on.",
        "kept = above | (ties & (np.cumsum(ties) <= k - above.sum())), and np.where(kept, x, 0).",
    ),
    draw=_drawn,
    runner=PythonRunner(forbidden=("threshold", *SORTS)),
    mistakes=(
        Mistake(
            "you kept every key of the k-th magnitude, so ties make more than k",
            _keep_from(np.greater_equal),
            "Count those above the level. k minus this number is how many ties have room.",
        ),
        Mistake(
            "you kept what is above the k-th magnitude only, and lost the k-th itself",
            _keep_from(np.greater),
            "Keys of exactly this magnitude have room, too, until there are k.",
        ),
        Mistake(
            "you kept the magnitudes, so signs are lost",
            lambda x, k: np.abs(threshold(x, k)),
            "Magnitudes decide what is kept, and x itself is kept.",
        ),
    ),
)


def _steps(rng: np.random.Generator) -> Iterator[Case]:
    """Yield a picture, directions of mirrors, measurements, k, and the length of a step."""
    for measurements, pixels, k in ((2, 3, 1), (3, 3, 1), (4, 6, 2), (10, 24, 3), (30, 80, 5)):
        directions = rng.choice([-1.0, 1.0], (measurements, pixels))
        true, x = (threshold(rng.normal(size=pixels).round(2), k) for _ in range(2))
        yield x, directions, (directions @ true).round(2), k, float(rng.integers(2, 9)) / 16


def _move(x: Keys, directions: Keys, y: Keys, length: float) -> Any:
    return x + length * (directions.T @ (y - directions @ x))


one_step = Exercise(
    name="one_step",
    specification=lambda x, signs, y, k, length: threshold(_move(x, signs, y, length), k),
    cases=_steps,
    hints=(
        "signs @ x is what the sensor would have measured for x. What is missing in it?",
        "measured - signs @ x is what is missing, one number a measurement. signs.T @ … sends it "
        "back to the pixels.",
        "Add length times that to x, and keep the k largest of the sum: threshold(x + …, k).",
    ),
    runner=PythonRunner(
        forbidden=tuple(method.__name__ for method in METHODS),
    ),
    draw=_drawn,
    mistakes=(
        Mistake(
            "you went the other way: signs @ x − measured is the error with the wrong sign",
            lambda x, signs, y, k, length: threshold(_move(x, signs, y, -length), k),
            "What is missing is measured − signs @ x.",
        ),
        Mistake(
            "you did not keep the k largest after the step",
            lambda x, signs, y, k, length: _move(x, signs, y, length),
            "End with threshold(…, k).",
        ),
        Mistake(
            "you forgot to add the picture that you already have",
            lambda x, signs, y, k, length: threshold(_move(x, signs, y, length) - x, k),
            "The step begins at x.",
        ),
    ),
)


def _lengths(rng: np.random.Generator) -> Iterator[Case]:
    """Yield directions, a gradient, and which pixels are kept."""
    for measurements, pixels, k in ((2, 3, 1), (3, 5, 2), (6, 12, 3), (20, 64, 6)):
        directions = rng.choice([-1.0, 1.0], (measurements, pixels))
        gradient = rng.normal(scale=3, size=pixels).round(2)
        directions[:, 0] *= 2.0  # a pixel that the sensor sees better than others
        yield directions, gradient, threshold(gradient, k) != 0


def _ratio(directions: Keys, above: Keys, below: Keys) -> float:
    """Return the square of a change of the picture by the square of what the sensor sees."""
    seen = directions @ below
    return float(above @ above / (seen @ seen))


best_length = Exercise(
    name="best_length",
    specification=lambda signs, g, kept: _ratio(signs, g * kept, g * kept),
    cases=_lengths,
    hints=(
        "Only the kept pixels count. Set all others to zero in the gradient.",
        "inside = gradient * kept is the change of the picture by a step of length 1. signs @ "
        "inside is what the sensor sees of this change.",
        "The sum of squares of an array v is v @ v, or np.sum(v**2). Divide that of `inside` by "
        "that of signs @ inside.",
    ),
    runner=PythonRunner(number_of),
    mistakes=(
        Mistake(
            "you took all pixels, and not only those that are kept",
            lambda signs, g, kept: _ratio(signs, g, g),
            "Set the gradient to zero elsewhere: gradient * kept.",
        ),
        Mistake(
            "you turned the fraction over",
            lambda signs, g, kept: 1 / _ratio(signs, g * kept, g * kept),
            "If the sensor sees a change strongly, a short step is enough. So signs @ … is below.",
        ),
    ),
)


def _trials(rng: np.random.Generator) -> Iterator[Case]:
    """Yield numbers of measurements, the successes of trials, and a share."""
    yes, no = True, False
    yield np.array([10, 20, 30]), np.array([[no, yes, yes], [no, no, yes]]), 0.5
    yield np.array([10, 20]), np.array([[yes, yes], [yes, yes], [no, yes]]), 0.5
    lucky = [[yes, no, yes, yes], [yes, yes, no, yes], [yes, no, yes, yes], [yes, no, yes, yes]]
    yield np.array([40, 60, 90, 99]), np.array(lucky), 0.75
    for trials, count, share in ((10, 7, 0.9), (20, 12, 0.5)):
        middle = np.linspace(-3, 3, count)
        successes = rng.normal(size=(trials, count)) < middle
        successes[:, -1] = True
        yield np.cumsum(rng.integers(5, 30, count)), successes, share


enough = Exercise(
    name="enough",
    specification=lambda numbers, recovered, share: fewest((numbers, recovered), share),
    cases=_trials,
    hints=(
        "recovered.mean(axis=0) is the share of successes of each column.",
        "Where is the last column that does not reach the share? The answer is the number after "
        "it.",
        "np.flatnonzero(shares < share) has the places of all columns that do not reach it. If "
        "there are none, the answer is numbers[0].",
    ),
    runner=PythonRunner(number_of),
    mistakes=(
        Mistake(
            "you took the first number that was enough, though a larger one was not",
            lambda numbers, recovered, share: numbers[np.argmax(recovered.mean(axis=0) >= share)],
            "It was luck, then. Begin at the end, and go down as long as the share is reached.",
        ),
        Mistake(
            "you asked for more than the share, and exactly the share is enough",
            lambda numbers, recovered, share: fewest((numbers, recovered), np.nextafter(share, 1)),
            "At least: ≥.",
        ),
    ),
)

EXERCISES = (keep, one_step, best_length, enough)
