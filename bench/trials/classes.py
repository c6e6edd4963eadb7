"""The times of trials, by classes in which they can be compared."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

import numpy as np

from bench.shared.machines import Machine
from bench.shared.options import Options
from bench.shared.record import Row
from bench.trials.trial import Trial, call_of, keys_of, quiet

ONE_CLASS = 12
"""A power of two: up to so many keys are one class."""

LEAST = 10
"""Timed trials that a class needs."""

TIMED = ("select", "median", "nanmedian")


@dataclass(frozen=True, slots=True)
class Timed:
    """The time of a trial, and that of `max` of its keys."""

    trial: Trial
    ms: float
    read_ms: float
    again: bool = False  # whether it was measured twice


def timed(machine: Machine, trial: Trial, keys: Any, options: Options) -> Timed:
    """Time a call and `max`, which take turns."""
    calls: tuple[Callable[[], Any], ...] = (call_of(trial, keys), lambda: machine.xp.max(keys))
    with quiet():
        turns = [
            [machine.ms(each, options.repeats) for each in calls] for _ in range(options.turns)
        ]
    ms, read_ms = (median(times) for times in zip(*turns, strict=True))
    return Timed(trial, ms, read_ms)


def class_of(n: int) -> int:
    """Return the class of a number of keys: p for those up to 2^(p/2) that are in no class before.

    Examples
    --------
    >>> [class_of(n) for n in (1, 4096, 4097, 5792, 5793, 8192, 8193)]
    [24, 24, 25, 25, 26, 26, 27]
    """
    return max(2 * ONE_CLASS, math.ceil(2 * math.log2(n)))


def classes(machine: Machine, times: list[Timed], options: Options) -> Iterator[Row]:
    """Yield a row for each class, by the width of the keys and their number."""
    found = defaultdict[tuple[int, int], list[Timed]](list)
    for each in times:
        found[np.dtype(each.trial.dtype).itemsize, class_of(each.trial.n)].append(each)
    for (itemsize, size), some in sorted(found.items()):
        middle = median(each.ms for each in some)
        first, worst, again = _worst(machine, some, options)
        row: Row = {
            "row": "class",
            "key_bytes": itemsize,
            "n_least": 1 if size == 2 * ONE_CLASS else math.floor(2 ** ((size - 1) / 2)) + 1,
            "n_most": math.floor(2 ** (size / 2)),
            "timed": len(some),
            "median_ms": middle,
            "median_reads": median(each.ms / each.read_ms for each in some),
        }
        if len(some) >= LEAST:
            row |= {"worst_ratio": worst.ms / middle, "first_worst_ratio": first.ms / middle}
        row |= {"worst_ms": worst.ms, "worst_reads": worst.ms / worst.read_ms, "again": again}
        yield row | asdict(worst.trial)


def _worst(machine: Machine, some: list[Timed], options: Options) -> tuple[Timed, Timed, int]:
    """Return the slowest at first, and the slowest that is so twice; and how many were repeated."""
    left = list(some)
    first = worst = max(left, key=lambda each: each.ms)
    again = 0
    while not worst.again:
        left.remove(worst)
        second = timed(machine, worst.trial, keys_of(machine, worst.trial), options)
        left.append(replace(min(worst, second, key=lambda each: each.ms), again=True))
        again += 1
        worst = max(left, key=lambda each: each.ms)
    return first, worst, again


def summary(rows: list[Row]) -> Row:
    """Return how many trials have a time, and the worst ratio of all classes with its seed."""
    compared = [row for row in rows if "worst_ratio" in row]
    found: Row = {
        "timed": sum(row["timed"] for row in rows),
        "compared": sum(row["timed"] for row in compared),
    }
    if compared:
        worst = max(compared, key=lambda row: float(row["worst_ratio"]))
        found |= {"worst_ratio": worst["worst_ratio"], "worst_seed": worst["seed"]}
    return found
