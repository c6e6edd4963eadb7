"""Lesson 17, stage 6: the arithmetic of an explanation."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.lessons.exercises import (
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    number_of,
    parts_of,
)

Facts = tuple[float, float, float, float]


def of_run(n: int, launches: int, bandwidth: float) -> Facts:
    """Return bytes read by kernels, bytes back from them and from drawing, and milliseconds.

    Examples
    --------
    >>> of_run(1000, 1, 4.0)
    (4000, 8, 4000, 0.001)
    """
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


def _changed(**by: float) -> Any:
    """Return the four numbers, some of them multiplied."""
    names = ("read", "back", "drawn", "ms")

    def facts(n: int, launches: int, bandwidth: float) -> list[float]:
        right = of_run(n, launches, bandwidth)
        return [each * by.get(name, 1) for name, each in zip(names, right, strict=True)]

    return facts


def _one_launch(n: int, launches: int, bandwidth: float) -> Facts:
    return of_run(n, 1, bandwidth)


facts = Exercise(
    name="facts",
    specification=of_run,
    cases=_runs,
    runner=PythonRunner(_four),
    hints=(
        "A key has 4 bytes, and so has a number of `result`. A channel of a texel has 4, too.",
        "Each launch reads all keys, and returns two numbers. A frame of n // 4 texels has n "
        "channels.",
        "A bandwidth of 1 GB/s moves 1e9 bytes in a second, so bytes / (bandwidth * 1e9) are "
        "seconds. Multiply by 1000.",
    ),
    mistakes=(
        Mistake(
            "you counted keys, and not bytes",
            _changed(read=1 / 4, back=1 / 4, drawn=1 / 4, ms=1 / 4),
            "A key has four bytes.",
        ),
        Mistake(
            "you counted one launch, however many there are",
            _one_launch,
            "Each launch reads all keys anew.",
        ),
        Mistake("your time is in seconds", _changed(ms=1e-3), "A second has 1000 milliseconds."),
        Mistake(
            "you let each texel of the frame have one channel",
            _changed(drawn=1 / 4),
            "A texel of the frame has four channels, whether you use all of them or not.",
        ),
    ),
)
