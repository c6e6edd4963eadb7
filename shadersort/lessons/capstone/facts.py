"""Lesson 17, stage 6: the arithmetic of an explanation."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.lessons.shared.asked import number_of, parts_of
from shadersort.lessons.shared.exercise import Answer, Case, Exercise
from shadersort.lessons.shared.mistakes import Mistake

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


def _four(answer: Answer, *case: Any) -> list[float]:
    """Return four numbers of nine digits."""
    parts = parts_of(answer(*case), "four numbers", 4)
    return [float(f"{number_of(each):.9g}") for each in parts]


def _changed(**by: float) -> Any:
    """Return the four numbers, some of them multiplied."""
    names = ("read", "back", "drawn", "ms")

    def facts(n: int, launches: int, bandwidth: float) -> list[float]:
        right = of_run(n, launches, bandwidth)
        return [each * by.get(name, 1) for name, each in zip(names, right, strict=True)]

    return facts


def _one_launch(n: int, launches: int, bandwidth: float) -> Facts:
    return of_run(n, 1, bandwidth)


def _one_time(n: int, launches: int, bandwidth: float) -> Facts:
    return (*of_run(n, launches, bandwidth)[:3], of_run(n, 1, bandwidth)[3])


def _one_result(n: int, launches: int, bandwidth: float) -> Facts:
    read, _, drawn, ms = of_run(n, launches, bandwidth)
    return read, 8, drawn, ms


facts = Exercise(
    name="facts",
    specification=lambda *case: [float(f"{each:.9g}") for each in of_run(*case)],
    cases=_runs,
    outcome=_four,
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
        Mistake("your time is that of one launch", _one_time, "Each launch reads all keys anew."),
        Mistake(
            "one launch's result comes back, however many there are",
            _one_result,
            "The host looks at two numbers after each launch.",
        ),
        Mistake("your time is in seconds", _changed(ms=1e-3), "A second has 1000 milliseconds."),
        Mistake("you counted bits", _changed(read=8, back=8, drawn=8, ms=8), "A byte has 8 bits."),
        Mistake(
            "you took 2³⁰ bytes for a GB",
            _changed(ms=1e9 / 2**30),
            "Data sheets count 1 GB as 1e9 bytes.",
        ),
        Mistake(
            "you let each texel of the frame have one channel",
            _changed(drawn=1 / 4),
            "A texel of the frame has four channels, whether you use all of them or not.",
        ),
        Mistake(
            "you let each key have a texel of its own",
            _changed(drawn=4),
            "Four keys share a texel, so the frame has n // 4 texels.",
        ),
        Mistake(
            "a launch returns one number in your count",
            _changed(back=1 / 2),
            "Two numbers come back: result[0] and result[1].",
        ),
    ),
)
