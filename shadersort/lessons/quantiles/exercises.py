"""Lesson 7, quantiles of a stream: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import (
    Answer,
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    WrongKind,
    parts_of,
)
from shadersort.lessons.quantiles.entries import Entries, bounds_of, sampled, united_entries
from shadersort.lessons.quantiles.pictures import show_entries


def _sampled(rng: np.random.Generator, first: int, every: int, count: int, step: int) -> Entries:
    """Return entries of different values: `first` plus multiples of `every`."""
    return sampled(first + every * rng.permutation(3 * count)[:count], step)


def _cases_of_bounds(rng: np.random.Generator) -> Iterator[Case]:
    """Yield points between entries, on entries, before the first entry and after the last."""
    simple = sampled(np.arange(10, 90, 10), 4)
    for x in (45, 40, 10, 80, 5, 95):
        yield simple, x
    blurred = united_entries(_sampled(rng, 0, 2, 12, 4), _sampled(rng, 1, 2, 12, 4))
    for x in (*blurred.values.tolist(), *(blurred.values + 1).tolist(), -1):
        yield blurred, x


def _bounds(entries: Entries, x: float) -> Any:
    return [int(each) for each in bounds_of(entries, x)]


def _two_numbers(found: Any) -> Any:
    yours = parts_of(found, "two numbers, a lower and an upper bound", 2)
    return [each.item() if isinstance(each, np.generic) else each for each in yours]


bounds_at = Exercise(
    name="bounds_at",
    specification=_bounds,
    cases=_cases_of_bounds,
    hints=(
        "i = np.searchsorted(entries.values, x, side='right') is the number of entries that are at "
        "most x. So entry i − 1 is the last that is at most x, and entry i the first larger one.",
        "Entry i − 1 and all values before it are at most x: at least smallest[i − 1] values. "
        "Without such an entry, i is 0, and the lower bound is 0.",
        "Entry i is larger than x, so at most largest[i] − 1 values are at most x. Without such an "
        "entry, i is len(entries.values), and all n values are at most x.",
    ),
    runner=PythonRunner(_two_numbers, forbidden=("bounds_of", "united_entries")),
    mistakes=(
        Mistake(
            "you returned the rank of the entry before x for both bounds",
            lambda entries, x: _bounds(entries, x)[:1] * 2,
            "Forgotten values may lie between this entry and x: the next entry limits them.",
        ),
        Mistake(
            "you did not count an entry that is equal to x",
            lambda entries, x: _bounds(entries, np.nextafter(x, -np.inf)),
            "Values that are at most x are asked for: side='right'.",
        ),
    ),
)


def _cases_of_merging(rng: np.random.Generator) -> Iterator[Case]:
    """Yield pairs of sets without a common value."""
    yield sampled(np.array([2, 4, 6, 8]), 1), sampled(np.array([1, 3, 5, 7]), 1)
    yield sampled(np.array([2, 4, 6, 8]), 2), sampled(np.array([11, 13, 15, 17]), 2)
    yield sampled(np.arange(2, 26, 2), 4), sampled(np.arange(7, 23, 2), 4)
    for count, other in ((8, 8), (16, 8)):
        yield _sampled(rng, 0, 2, count, 4), _sampled(rng, 1, 2, other, 4)
    one, two = (_sampled(rng, first, 4, 8, 4) for first in (0, 2))
    yield united_entries(one, two), _sampled(rng, 1, 2, 16, 8)


def _rows_of(entries: Any) -> Keys:
    """Return the columns of entries as the rows of one array; raise WrongKind for other things."""
    asked = "Entries(values, smallest, largest, n), with arrays of one length"
    columns = [np.asarray(column) for column in parts_of(entries, asked, 4)[:3]]
    if len({column.shape for column in columns}) > 1:
        raise WrongKind(f"return {asked}")
    return np.stack(columns)


def _merged_rows(answer: Answer, a: Entries, b: Entries) -> Keys:
    yours = answer(a, b)
    rows = _rows_of(yours)
    if yours[3] != a.n + b.n:
        raise WrongKind(f"n is {yours[3]}, and both sets together have {a.n + b.n} values")
    return rows


def _joined(a: Entries, b: Entries) -> Any:
    """Return the rows of both sets with new bounds, not in order."""
    halves = []
    for own, other in ((a, b), (b, a)):
        low, high = bounds_of(other, own.values)
        halves.append([own.values, own.smallest + low, own.largest + high])
    return np.hstack(halves)


def _keep_ranks(a: Entries, b: Entries) -> Any:
    rows = np.hstack([a[:3], b[:3]])
    return rows[:, np.argsort(rows[0])]


merged = Exercise(
    name="merged",
    specification=lambda a, b: _rows_of(united_entries(a, b)),
    cases=_cases_of_merging,
    hints=(
        "How many values of the union are at most an entry of a? Some of a, and some of b. The "
        "entry's own bounds limit the first number, and bounds_of(b, a.values) the second.",
        "For the entries of a: low, high = bounds_of(b, a.values), and their new bounds are "
        "a.smallest + low and a.largest + high. For the entries of b, exchange a and b.",
        "np.concatenate([a.values, b.values]) joins both; do the same with the bounds. "
        "order = np.argsort(values) sorts all three: values[order], and so on.",
    ),
    runner=PythonRunner(outcome=_merged_rows, forbidden=("united_entries",)),
    draw=lambda case, yours, right: show_entries([("yours", yours), ("expected", right)]),
    mistakes=(
        Mistake(
            "you kept the ranks that the entries had in their own sets",
            _keep_ranks,
            "Values of the other set come before an entry, too: bounds_of(b, a.values).",
        ),
        Mistake("you joined the entries of both sets, and did not sort them", _joined),
    ),
)

EXERCISES = (bounds_at, merged)
