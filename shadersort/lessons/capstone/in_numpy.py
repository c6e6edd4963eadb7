"""Lesson 17, stages 1 and 2: a statistic by its definition, and by order statistics or runs."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.capstone.stages import Stage
from shadersort.lessons.capstone.statistics import STATISTICS, cases, ends_of
from shadersort.lessons.exercises import Answer, Exercise, Mistake, PythonRunner, number_of

SORTS = ("sort", "argsort", "lexsort", "sorted", "partition", "argpartition", "unique")
COUNTS = ("unique", "bincount", "Counter", "most_common", "mode", "multimode")

DEFINITION_HINTS = {
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
ORDER_HINTS = {
    "trimmed mean": (
        "With d = len(keys) // 4, the smallest key that stays has the rank d, and the largest "
        "the rank len(keys) - 1 - d. Call them low and high.",
        "All keys strictly between low and high stay. How many keys equal to low stay, and how "
        "many equal to high?",
        "np.sum(keys <= low) keys lie at the lower end, and d of them are dropped. So "
        "np.sum(keys <= low) - d copies of low stay.",
        "If low == high, everything that stays equals low. Otherwise: (the sum between + "
        "copies of low * low + copies of high * high) / (len(keys) - 2 * d).",
    ),
    "mode": (
        "ordered = np.sort(keys): equal keys are neighbours now, in runs.",
        "ordered[1:] != ordered[:-1] is True where a run begins, but for the first run.",
        "starts = np.flatnonzero(np.append(True, …)). A run ends where the next one begins, "
        "and the last at len(keys).",
        "np.diff(np.append(starts, len(keys))) are the lengths; argmax finds the first of the "
        "longest, and ordered[starts[…]] is its key.",
    ),
    "interquartile range": (
        "Two order statistics, and a difference.",
        "Their ranks are d and len(keys) - 1 - d, with d = len(keys) // 4.",
    ),
    "median absolute deviation": (
        "Select the median first, then select among the distances to it.",
        "Both ranks are (len(keys) - 1) // 2.",
    ),
}


def _take_last_mode(keys: Any) -> Any:
    different, counts = np.unique(keys, return_counts=True)
    return different[counts == counts.max()][-1]


DEFINITION_MISTAKES = {
    "trimmed mean": (
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
            lambda keys: np.sort(keys)[len(keys) // 8 : len(keys) - len(keys) // 8].mean(),
            "len(keys) // 4 keys go at each end, so about a half stays.",
        ),
    ),
    "mode": (
        Mistake(
            "you took the largest of several keys that are equally frequent",
            _take_last_mode,
            "Take the smallest of them: argmax finds the first largest count.",
        ),
        Mistake(
            "you returned how often the key occurs, and not the key",
            lambda keys: np.unique(keys, return_counts=True)[1].max(),
            "argmax of the counts is the place of the key.",
        ),
    ),
}


def _add_copies(keys: Any, low_copies: int, high_copies: int) -> float:
    """Return a trimmed mean of all keys between the ends, and of some copies of both ends."""
    outside, low, high = ends_of(keys)
    inside = keys[(low < keys) & (keys < high)]
    total = inside.sum() + low_copies * low + high_copies * high
    return float(total / (len(keys) - 2 * outside))


def _add_both_ends(keys: Any) -> float:
    outside, low, high = ends_of(keys)
    return _add_copies(keys, (keys <= low).sum() - outside, (keys >= high).sum() - outside)


def _mean_within(lower: Callable[..., Any]) -> Callable[..., Any]:
    """Return the mean of the keys within the ends, which `lower` compares."""

    def mean(keys: Any) -> Any:
        _, low, high = ends_of(keys)
        return keys[lower(low, keys) & lower(keys, high)].mean()

    return mean


def _take_longest_unsorted(keys: Any) -> Any:
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    return keys[starts[np.diff(np.append(starts, len(keys))).argmax()]]


ORDER_MISTAKES = {
    "trimmed mean": (
        Mistake(
            "you kept all keys that equal one of the ends",
            _mean_within(np.less_equal),
            "Some of these are among the dropped ones: np.sum(keys <= low) - d stay.",
        ),
        Mistake(
            "you left out the keys that equal the ends",
            _mean_within(np.less),
            "The ends themselves stay, and perhaps several of each.",
        ),
        Mistake(
            "you counted the same keys twice where both ends are equal",
            _add_both_ends,
            "Where low == high, all that stays equals low: return it.",
        ),
    ),
    "mode": (
        Mistake(
            "you measured runs of the keys as they were given, without sorting",
            _take_longest_unsorted,
            "Equal keys are neighbours only after a sort.",
        ),
        Mistake(
            "you took the last of the longest runs",
            _take_last_mode,
            "Of keys that are equally frequent the smallest is asked for; argmax finds the first.",
        ),
    ),
}


def _one_number(answer: Answer, keys: Keys) -> float:
    """Return the number that an answer returns: of no keys a mean is NaN, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return number_of(answer(keys))


def _exercise(stage: str, name: str, hints: Any, mistakes: Any, **rules: Any) -> Exercise:
    return Exercise(
        name=stage,
        specification=STATISTICS[name],
        cases=cases,
        hints=hints[name],
        mistakes=mistakes.get(name, ()),
        runner=PythonRunner(outcome=_one_number, **rules),
    )


by_definition = Stage(
    "by_definition",
    {
        name: _exercise("by_definition", name, DEFINITION_HINTS, DEFINITION_MISTAKES)
        for name in STATISTICS
    },
)
by_order = Stage(
    "by_order",
    {
        name: _exercise(
            *("by_order", name, ORDER_HINTS, ORDER_MISTAKES),
            forbidden=COUNTS if name == "mode" else SORTS,
            without_loop=True,
        )
        for name in STATISTICS
    },
)
