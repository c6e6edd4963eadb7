"""Lesson 16, a picture from few measurements: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake
from shadersort.sparse import threshold


def _kept(x: Any, sizes: Any, k: int, *, last: bool = False) -> Any:
    """Return x where its k largest sizes are, the first or the last of ties, and zero elsewhere."""
    level = np.partition(sizes, len(x) - k)[len(x) - k]
    above, ties = sizes > level, sizes == level
    order = np.cumsum(ties[::-1])[::-1] if last else np.cumsum(ties)
    return np.where(above | (ties & (order <= k - above.sum())), x, 0)


def _level(x: Any, k: int) -> Any:
    return np.partition(np.abs(x), len(x) - k)[len(x) - k]


KEEP = (
    Mistake(
        "you kept every key of the k-th magnitude, so ties make more than k",
        lambda x, k: np.where(np.abs(x) >= _level(x, k), x, 0),
        "Count those above the level. k minus this number is how many ties have room.",
    ),
    Mistake(
        "you kept what is above the k-th magnitude only, and lost the k-th itself",
        lambda x, k: np.where(np.abs(x) > _level(x, k), x, 0),
        "Keys of exactly this magnitude have room, too, until there are k.",
    ),
    Mistake(
        "you kept the largest numbers, and not those of largest magnitude",
        lambda x, k: _kept(x, x, k),
        "−5 has a larger magnitude than 3: compare np.abs(x).",
    ),
    Mistake(
        "you kept the magnitudes, so signs are lost",
        lambda x, k: np.abs(_kept(x, np.abs(x), k)),
        "Magnitudes decide what is kept, and x itself is kept.",
    ),
)


def _gradient(x: Any, signs: Any, y: Any) -> Any:
    return signs.T @ (y - signs @ x)


ONE_STEP = (
    Mistake(
        "you went the other way: signs @ x − measured is the error with the wrong sign",
        lambda x, signs, y, k, length: threshold(x - length * _gradient(x, signs, y), k),
        "What is missing is measured − signs @ x.",
    ),
    Mistake(
        "you did not keep the k largest after the step",
        lambda x, signs, y, k, length: x + length * _gradient(x, signs, y),
        "End with threshold(…, k).",
    ),
    Mistake(
        "you forgot to add the picture that you already have",
        lambda x, signs, y, k, length: threshold(length * _gradient(x, signs, y), k),
        "The step begins at x.",
    ),
    Mistake(
        "you sent the measurements back, and not their errors",
        lambda x, signs, y, k, length: threshold(x + length * (signs.T @ y), k),
        "Subtract what x explains: measured − signs @ x.",
    ),
)


def _square(x: Any) -> Any:
    return np.sum(x * x)


BEST_LENGTH = (
    Mistake(
        "you took all pixels, and not only those that are kept",
        lambda signs, g, kept: _square(g) / _square(signs @ g),
        "Set the gradient to zero elsewhere: gradient * kept.",
    ),
    Mistake(
        "you took all pixels below the line, and those that are kept above it",
        lambda signs, g, kept: _square(g * kept) / _square(signs @ g),
        "Both squares are those of gradient * kept.",
    ),
    Mistake(
        "you turned the fraction over",
        lambda signs, g, kept: _square(signs @ (g * kept)) / _square(g * kept),
        "If the sensor sees a change strongly, a short step is enough. So signs @ … is below.",
    ),
    Mistake(
        "you divided lengths, and not their squares",
        lambda signs, g, kept: np.sqrt(_square(g * kept) / _square(signs @ (g * kept))),
        "A sum of squares needs no root.",
    ),
)


def _from_there_on(numbers: Any, good: Any) -> Any:
    return numbers[np.argmax(np.logical_and.accumulate(good[::-1])[::-1])]


ENOUGH = (
    Mistake(
        "you took the first number that was enough, though a larger one was not",
        lambda numbers, recovered, share: numbers[np.argmax(recovered.mean(axis=0) >= share)],
        "It was luck, then. Begin at the end, and go down as long as the share is reached.",
    ),
    Mistake(
        "you asked for more than the share, and exactly the share is enough",
        lambda numbers, recovered, share: _from_there_on(numbers, recovered.mean(axis=0) > share),
        "At least: ≥.",
    ),
    Mistake(
        "you asked that every trial succeeds",
        lambda numbers, recovered, share: _from_there_on(numbers, recovered.all(axis=0)),
        "Count the trials of each column: recovered.mean(axis=0).",
    ),
    Mistake(
        "you took the largest number that is not enough",
        lambda numbers, recovered, share: numbers[
            np.flatnonzero(recovered.mean(axis=0) < share).max(initial=0)
        ],
        "The next number is the answer.",
    ),
)
