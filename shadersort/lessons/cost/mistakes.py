"""Lesson 5, what it cost in 2005: known mistakes."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises import Mistake

RATE = 16 * 400e6
"""Cycles of all pipelines in a second."""

SETUP = 5e-6
"""Seconds before each pass."""


def _both_after_each_other(texels: int, bytes_each: float, cycles_each: float) -> float:
    return SETUP + texels * (cycles_each + bytes_each / 5.5) / RATE


def _one_pipeline(texels: int, bytes_each: float, cycles_each: float) -> float:
    return SETUP + texels * max(cycles_each, bytes_each / 5.5) / 400e6


def _setup_for_each_texel(texels: int, bytes_each: float, cycles_each: float) -> float:
    return texels * (SETUP + max(cycles_each, bytes_each / 5.5) / RATE)


def _drawing(texels: int, bytes_each: float, cycles_each: float) -> float:
    return texels * max(cycles_each, bytes_each / 5.5) / RATE


PASS_SECONDS = (
    Mistake(
        "you added the time of the arithmetic and that of the memory",
        _both_after_each_other,
        "Both happen at the same time, so the slower of the two decides: max.",
    ),
    Mistake(
        "you let one pipeline do all the work",
        _one_pipeline,
        "Sixteen pipelines work side by side: divide by 16, too.",
    ),
    Mistake(
        "you added the setup for each texel",
        _setup_for_each_texel,
        "A pass waits for its setup once.",
    ),
    Mistake(
        "you forgot the setup of the pass",
        _drawing,
        "Add 5 microseconds, 5e-6 seconds, whatever is drawn.",
    ),
)


def _in_proportion(seconds: float, base: int, sizes: Any) -> Any:
    return seconds * sizes / base


def _stages(seconds: float, base: int, sizes: Any) -> Any:
    return np.log2(sizes / 4) / np.log2(base / 4)


SCALED = (
    Mistake(
        "you counted the stages, but not the steps of each stage",
        lambda *case: _in_proportion(*case) * _stages(*case),
        "There are log2(n / 4) stages, and each has log2(n / 4) steps: the square.",
    ),
    Mistake(
        "you forgot that four channels share the keys",
        lambda seconds, base, sizes: (
            _in_proportion(seconds, base, sizes) * (np.log2(sizes) / np.log2(base)) ** 2
        ),
        "One channel holds n / 4 keys.",
    ),
    Mistake(
        "you let the time grow in proportion to the keys",
        _in_proportion,
        "More keys need more passes, too, and not only longer ones.",
    ),
    Mistake(
        "you counted the passes, but not that each of them becomes longer",
        lambda *case: case[0] * _stages(*case) ** 2,
        "A pass draws all texels: multiply by sizes / base, too.",
    ),
)
