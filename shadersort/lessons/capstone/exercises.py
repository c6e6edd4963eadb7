"""Lesson 18, your own statistic: the exercises. Those of the stages follow the student's choice."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from shadersort.errors import choices
from shadersort.lessons.capstone.modes import MODE
from shadersort.lessons.capstone.parts import Statistic
from shadersort.lessons.capstone.trimmed_mean import TRIMMED_MEAN
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner, number_of
from shadersort.lessons.line.lines import key_of_rank as key_of_rank

STATISTICS: Mapping[str, Statistic] = MappingProxyType(
    {each.name: each for each in (TRIMMED_MEAN, MODE)}
)
STAGES = ("by_definition", "by_order", "by_drawing", "by_kernel")

chosen = TRIMMED_MEAN
by_definition, by_order = chosen.by_definition, chosen.by_order
by_drawing, by_kernel = chosen.by_drawing, chosen.by_kernel


def choose(name: str) -> str:
    """Choose a statistic: the exercises of this module become its own. Return a sentence."""
    if name not in STATISTICS:
        raise ValueError(f"no statistic is called {name!r}: use {choices(list(STATISTICS))}")
    statistic = STATISTICS[name]
    globals().update(chosen=statistic, **{each: getattr(statistic, each) for each in STAGES})
    return f"Your project is the {name}."


def _least_ms(n: int, launches: int, bandwidth: float) -> float:
    return 4 * n * launches / (bandwidth * 1e9) * 1e3


def _runs(rng: np.random.Generator) -> Iterator[Case]:
    """Yield numbers of keys and of launches, with bandwidths in GB/s."""
    for power, launches, bandwidth in ((2, 1, 1.0), (16, 1, 35.2), (16, 11, 35.2), (28, 3, 4800.0)):
        yield 1 << power, launches, bandwidth


least_ms = Exercise(
    name="least_ms",
    specification=_least_ms,
    cases=_runs,
    runner=PythonRunner(number_of),
    hints=(
        "A key has 4 bytes, and each launch reads all keys.",
        "1 GB/s moves 1e9 bytes in a second, so bytes / (bandwidth * 1e9) are seconds. Multiply "
        "by 1000.",
    ),
    mistakes=(
        Mistake("you counted keys, and not bytes", lambda *run: _least_ms(*run) / 4, "Each has 4."),
        Mistake(
            "you counted one launch, however many there are",
            lambda n, launches, bandwidth: _least_ms(n, 1, bandwidth),
            "Each launch reads all keys anew.",
        ),
        Mistake(
            "your time is in seconds", lambda *run: _least_ms(*run) / 1e3, "A second has 1000."
        ),
    ),
)

EXERCISES = (by_definition, by_order, by_drawing, by_kernel, least_ms)
