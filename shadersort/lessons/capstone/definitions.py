"""Lesson 17, stage 1: a statistic by its definition, for each that a student may choose."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from shadersort.lessons.capstone.statistics import (
    STATISTICS,
    cases,
    lower_median,
    one_number,
)
from shadersort.lessons.exercises import Exercise, Mistake, PythonRunner


def _kept(keys: Any, below: int, above: int) -> Any:
    """Return the keys in order without some at both ends."""
    return np.sort(keys)[below : len(keys) - above]


TRIMMED_MEAN = (
    Mistake(
        "you dropped the first and the last keys as they were given, without sorting",
        lambda keys: keys[len(keys) // 4 : len(keys) - len(keys) // 4].mean(),
        "The smallest keys may stand anywhere. np.sort(keys) puts them first.",
    ),
    Mistake(
        "you cut with [d:-d], which keeps nothing where d is 0",
        lambda keys: np.sort(keys)[len(keys) // 4 : -(len(keys) // 4)].mean(),
        "-0 is 0, so [0:-0] is empty. Write the end as len(keys) - d.",
    ),
    Mistake(
        "you dropped a quarter of the keys in all, and not at each end",
        lambda keys: _kept(keys, len(keys) // 8, len(keys) // 8).mean(),
        "len(keys) // 4 keys go at each end, so about a half stays.",
    ),
    Mistake(
        "you took the mean of all keys",
        lambda keys: keys.mean(),
        "An outlier would move it. Drop a quarter of the keys at each end first.",
    ),
)


def _counted(keys: Any) -> Any:
    return np.unique(keys, return_counts=True)


def _of_most(keys: Any) -> Any:
    """Return all keys that are the most frequent, in order."""
    different, counts = _counted(keys)
    return different[counts == counts.max()]


def _first_given(keys: Any) -> Any:
    most = _of_most(keys)
    return next(key for key in keys if key in most)


MODE = (
    Mistake(
        "you took the largest of several keys that are equally frequent",
        lambda keys: _of_most(keys)[-1],
        "Take the smallest of them: argmax finds the first largest count.",
    ),
    Mistake(
        "you took the one that comes first of several keys that are equally frequent",
        _first_given,
        "Take the smallest of them, in whatever order the keys are given.",
    ),
    Mistake(
        "you returned how often the key occurs, and not the key",
        lambda keys: _counted(keys)[1].max(),
        "argmax of the counts is the place of the key.",
    ),
    Mistake(
        "you returned the place of the key among the different ones",
        lambda keys: _counted(keys)[1].argmax(),
        "The key at this place is asked for.",
    ),
)


def _percentiles(keys: Any) -> Any:
    high, low = np.percentile(keys, [75, 25])
    return high - low


INTERQUARTILE_RANGE = (
    Mistake(
        "you took percentiles, which lie between two keys",
        _percentiles,
        "Here both ends are keys: those of the ranks d and n - 1 - d, where d is n // 4.",
    ),
    Mistake(
        "you did not sort",
        lambda keys: keys[len(keys) - 1 - len(keys) // 4] - keys[len(keys) // 4],
        "A rank is a place among the keys in order.",
    ),
    Mistake("you took the range of all keys", np.ptp, "Drop a quarter of the keys at each end."),
    Mistake(
        "you dropped one key more at the upper end",
        lambda keys: (lambda one: one[len(keys) * 3 // 4 - 1] - one[len(keys) // 4])(np.sort(keys)),
        "Of n keys the last that stays has the rank n - 1 - n // 4.",
    ),
)


def _deviation(first: Any, second: Any) -> Any:
    """Return the function that takes two middles: of keys, and of distances to the first."""
    return lambda keys: second(np.abs(keys - first(keys)))


DEVIATION = (
    Mistake(
        "you took the distances to the mean",
        _deviation(np.mean, lower_median),
        "An outlier moves the mean. The distances to the median are asked for.",
    ),
    Mistake(
        "you took the mean of the distances",
        _deviation(lower_median, np.mean),
        "Twice a median: that of the keys, and that of the distances.",
    ),
    Mistake(
        "you left out the absolute value",
        lambda keys: lower_median(keys - lower_median(keys)),
        "The median of the differences is 0. A distance is np.abs of a difference.",
    ),
    Mistake(
        "you took np.median, which is a mean where the number of keys is even",
        _deviation(np.median, np.median),
        "The lower of the two keys in the middle has the rank (n - 1) // 2.",
    ),
)

HINTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "trimmed mean": (
            "In order, the keys to drop stand at both ends: np.sort(keys).",
            "len(keys) // 4 keys go at each end. Call this number d.",
            "A slice keeps the places from d to len(keys) - d; .mean() is the rest.",
        ),
        "mode": (
            "Which keys are there, and how often does each occur?",
            "np.unique(keys, return_counts=True) returns both, with the keys in order.",
            "counts.argmax() is the place of the largest count, and of several the first.",
        ),
        "interquartile range": (
            "Sort, and drop len(keys) // 4 keys at each end, as for the trimmed mean.",
            "The last key that is left minus the first.",
        ),
        "median absolute deviation": (
            "Two medians: one of the keys, and one of the distances to it.",
            "The lower median is the key of rank (len(keys) - 1) // 2 in order.",
        ),
    }
)

MISTAKES = {
    "trimmed mean": TRIMMED_MEAN,
    "mode": MODE,
    "interquartile range": INTERQUARTILE_RANGE,
    "median absolute deviation": DEVIATION,
}

BY_DEFINITION: Mapping[str, Exercise] = MappingProxyType(
    {
        name: Exercise(
            name="by_definition",
            specification=STATISTICS[name],
            cases=cases,
            hints=HINTS[name],
            runner=PythonRunner(outcome=one_number),
            mistakes=MISTAKES[name],
        )
        for name in STATISTICS
    }
)
"""The exercise of stage 1 for each statistic."""
