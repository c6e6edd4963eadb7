"""Lesson 17, stage 2: a statistic by order statistics or by runs, for each that may be chosen."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from shadersort.lessons.capstone.order_hints import HINTS
from shadersort.lessons.capstone.statistics import (
    STATISTICS,
    cases,
    dropped,
    key_of_rank,
    one_number,
)
from shadersort.lessons.exercises import Exercise, Mistake, PythonRunner

SORTS = ("sort", "argsort", "lexsort", "sorted", "partition", "argpartition", "unique")
COUNTS = ("unique", "bincount", "Counter", "most_common", "mode", "multimode")


def _bounds(keys: Any) -> tuple[int, Any, Any]:
    """Return how many keys are dropped at each end, and the smallest and largest that stay."""
    d = dropped(len(keys))
    return d, key_of_rank(keys, d), key_of_rank(keys, len(keys) - 1 - d)


def _divided(keys: Any, low_copies: int, high_copies: int) -> float:
    """Return a mean of all between the bounds, and of some copies of both."""
    d, low, high = _bounds(keys)
    inside = keys[(low < keys) & (keys < high)]
    total = inside.sum() + low_copies * low + high_copies * high
    return float(total / (len(keys) - 2 * d))


def _copies(keys: Any) -> tuple[int, int]:
    """Return how many keys equal to the bounds stay."""
    d, low, high = _bounds(keys)
    return int((keys <= low).sum()) - d, int((keys >= high).sum()) - d


def _or_low(copies: Callable[[Any], tuple[int, int]]) -> Callable[[Any], Any]:
    """Return a trimmed mean by its copies of the bounds, right where both bounds are equal."""

    def mean(keys: Any) -> Any:
        _, low, high = _bounds(keys)
        return low if low == high else _divided(keys, *copies(keys))

    return mean


def _inclusive(keys: Any) -> Any:
    _, low, high = _bounds(keys)
    return keys[(low <= keys) & (keys <= high)].mean()


def _strictly(keys: Any) -> Any:
    _, low, high = _bounds(keys)
    return keys[(low < keys) & (keys < high)].mean()


TRIMMED_MEAN = (
    Mistake(
        "you kept all keys that equal one of the bounds",
        _inclusive,
        "Some of these are among the dropped ones. Of the keys up to the lower bound, d are "
        "dropped: np.sum(keys <= low) - d stay.",
    ),
    Mistake(
        "you left out the keys that equal the bounds",
        _strictly,
        "The bounds themselves stay, and perhaps several of each.",
    ),
    Mistake(
        "you kept one key at each bound, however many equal it",
        _or_low(lambda keys: (1, 1)),
        "Ties: np.sum(keys <= low) - d keys equal to the lower bound stay.",
    ),
    Mistake(
        "you counted the same keys twice where both bounds are equal",
        lambda keys: _divided(keys, *_copies(keys)),
        "Where low == high, all that stays equals low: return it.",
    ),
)


def _runs(keys: Any) -> tuple[Any, Any]:
    """Return the first key of each run of equal neighbours, and its length."""
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    return keys[starts], np.diff(np.append(starts, len(keys)))


def _longest(keys: Any) -> Any:
    first, lengths = _runs(keys)
    return first[lengths.argmax()]


def _last_longest(keys: Any) -> Any:
    first, lengths = _runs(np.sort(keys))
    return first[lengths == lengths.max()][-1]


MODE = (
    Mistake(
        "you measured runs of the keys as they were given, without sorting",
        _longest,
        "Equal keys are neighbours only after a sort.",
    ),
    Mistake(
        "you took the last of the longest runs",
        _last_longest,
        "Of keys that are equally frequent the smallest is asked for; argmax finds the first.",
    ),
    Mistake(
        "you returned the length of the longest run",
        lambda keys: _runs(np.sort(keys))[1].max(),
        "The key of this run is asked for.",
    ),
    Mistake(
        "you took the number of the run for a place among the keys",
        lambda keys: np.sort(keys)[_runs(np.sort(keys))[1].argmax()],
        "The run with this number begins at starts[…].",
    ),
)


def _between(keys: Any, low: int, high: int) -> Any:
    return key_of_rank(keys, high) - key_of_rank(keys, low)


INTERQUARTILE_RANGE = (
    Mistake(
        "your upper rank is 3 * n // 4 - 1, which rounds in the other direction",
        lambda keys: _between(keys, len(keys) // 4, max(0, 3 * len(keys) // 4 - 1)),
        "As many keys are dropped above as below: n - 1 - n // 4.",
    ),
    Mistake(
        "you subtracted the larger from the smaller",
        lambda keys: -STATISTICS["interquartile range"](keys),
    ),
    Mistake(
        "you added the two bounds",
        lambda keys: _bounds(keys)[1] + _bounds(keys)[2],
        "A range is a difference.",
    ),
)


def _middle(keys: Any) -> Any:
    return key_of_rank(keys, (len(keys) - 1) // 2)


DEVIATION = (
    Mistake(
        "you took the upper of two keys in the middle",
        lambda keys: key_of_rank(np.abs(keys - key_of_rank(keys, len(keys) // 2)), len(keys) // 2),
        "The lower one has the rank (n - 1) // 2.",
    ),
    Mistake("you returned the median of the keys", _middle, "Select among the distances to it."),
    Mistake(
        "you left out the absolute value",
        lambda keys: _middle(keys - _middle(keys)),
        "A distance is np.abs of a difference.",
    ),
    Mistake(
        "you took the distances to the mean",
        lambda keys: _middle(np.abs(keys - keys.mean())),
        "The first selection gives the median.",
    ),
)

MISTAKES = {
    "trimmed mean": TRIMMED_MEAN,
    "mode": MODE,
    "interquartile range": INTERQUARTILE_RANGE,
    "median absolute deviation": DEVIATION,
}

BY_ORDER: Mapping[str, Exercise] = MappingProxyType(
    {
        name: Exercise(
            name="by_order",
            specification=STATISTICS[name],
            cases=cases,
            hints=HINTS[name],
            runner=PythonRunner(
                outcome=one_number, forbidden=COUNTS if name == "mode" else SORTS, without_loop=True
            ),
            mistakes=MISTAKES[name],
        )
        for name in STATISTICS
    }
)
"""The exercise of stage 2 for each statistic."""
