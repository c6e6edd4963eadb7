"""Lesson 17, your own statistic: the exercises. Those of the stages follow the student's choice."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.lessons.capstone import in_numpy, kernels, shaders
from shadersort.lessons.capstone.stages import choose as choose
from shadersort.lessons.capstone.statistics import key_of_rank as key_of_rank
from shadersort.lessons.exercises import (
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    number_of,
    parts_of,
)

Facts = tuple[float, float, float, float]


def facts_of(n: int, launches: int, bandwidth: float) -> Facts:
    """Return bytes read by kernels, bytes back from them and from drawing, and milliseconds."""
    read = 4 * n * launches
    return read, 8 * launches, 4 * n, read / (bandwidth * 1e9) * 1e3


def _runs(rng: np.random.Generator) -> Iterator[Case]:
    """Yield numbers of keys and of launches, with bandwidths in GB/s."""
    yield 4, 1, 1.0
    yield 1 << 16, 1, 35.2
    yield 1 << 16, 11, 35.2
    yield 1 << 28, 3, 4800.0


def _four(found: Any) -> list[float]:
    return [number_of(each) for each in parts_of(found, "four numbers", 4)]


def _times(*factors: float) -> Any:
    """Return the four numbers, each multiplied by a factor."""
    return lambda *case: list(np.multiply(facts_of(*case), factors))


facts = Exercise(
    name="facts",
    specification=facts_of,
    cases=_runs,
    runner=PythonRunner(_four),
    hints=(
        "A key has 4 bytes, and so has a number of `result`. A channel of a texel has 4, too.",
        "Each launch reads all keys, and returns two numbers. A frame of n // 4 texels has n "
        "channels.",
        "1 GB/s moves 1e9 bytes in a second, so bytes / (bandwidth * 1e9) are seconds. Multiply "
        "by 1000.",
    ),
    mistakes=(
        Mistake(
            "you counted keys, and not bytes", _times(1 / 4, 1 / 4, 1 / 4, 1 / 4), "A key has four."
        ),
        Mistake(
            "you counted one launch, however many there are",
            lambda n, launches, bandwidth: facts_of(n, 1, bandwidth),
            "Each launch reads all keys anew.",
        ),
        Mistake(
            "your time is in seconds", _times(1, 1, 1, 1e-3), "A second has 1000 milliseconds."
        ),
        Mistake(
            "you let each texel of the frame have one channel",
            _times(1, 1, 1 / 4, 1),
            "A texel of the frame has four channels, whether you use all of them or not.",
        ),
    ),
)

by_definition, by_order = in_numpy.by_definition, in_numpy.by_order
by_drawing, by_kernel = shaders.by_drawing, kernels.by_kernel

STAGES = (by_definition, by_order, by_drawing, by_kernel)
EXERCISES = (*STAGES, facts)
