"""Lesson 5, what it cost in 2005: the exercises."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from shadersort.lessons.cost.pictures import SIZES
from shadersort.lessons.cost.prices import BASE, CARD, scaled_seconds
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner, number_of
from shadersort.lessons.shared.style import show_beside

SETUP = CARD.setup_time.value


def _drawing(texels: int, bytes_each: float, cycles_each: float) -> float:
    """Return the seconds of a pass without its setup."""
    return texels * max(cycles_each, bytes_each / CARD.bytes_per_cycle) / CARD.texel_rate


pass_seconds = Exercise(
    name="pass_seconds",
    specification=lambda *case: SETUP + _drawing(*case),
    cases=lambda rng: [
        (0, 24, 6.5),
        (1 << 20, 24, 6.5),
        (1 << 20, 16, 1.0),
        (1 << 21, 48, 6.5),
        (1 << 12, 24, 53.0),
        (1 << 10, 880, 1.0),
        (1, 0, 1.0),
    ],
    hints=(
        "Begin with one texel: its cycles are the larger of cycles_each and bytes_each / 5.5.",
        "Sixteen pipelines share the texels. A cycle takes 1 / 400e6 seconds.",
        "Every pass waits for its setup first: add 5e-6 seconds, once.",
    ),
    runner=PythonRunner(number_of),
    mistakes=(
        Mistake(
            "you added the time of the arithmetic and that of the memory",
            lambda texels, bytes_each, cycles_each: (
                SETUP + _drawing(texels, 0, cycles_each) + _drawing(texels, bytes_each, 0)
            ),
            "Both happen at the same time, so the slower of the two decides: max.",
        ),
        Mistake("you let one pipeline do all the work", lambda *case: SETUP + 16 * _drawing(*case)),
        Mistake("you forgot the setup of the pass", _drawing),
    ),
)


def _some_growths(rng: np.random.Generator) -> Iterator[Case]:
    """Yield the size of the base, then half of it, then many sizes."""
    yield 1.4, BASE, np.array([BASE])
    yield 1.4, BASE, np.array([BASE // 2])
    yield 1.4, BASE, np.array(SIZES[4:])
    yield 0.008, 1 << 16, np.array(SIZES)


scaled = Exercise(
    name="scaled",
    specification=scaled_seconds,
    cases=_some_growths,
    hints=(
        "Twice as many keys make each pass twice as long. How many more passes are there?",
        "A channel holds n / 4 keys: log2(n / 4) stages of log2(n / 4) steps. Use np.log2.",
        "Multiply the seconds by two ratios: sizes / base, and the square of "
        "np.log2(sizes / 4) / np.log2(base / 4).",
    ),
    draw=partial(show_beside, yscale="log", xlabel="number of a size", ylabel="seconds"),
    mistakes=(
        Mistake(
            "you counted the stages, but not the steps of each stage",
            lambda s, base, sizes: s * sizes / base * np.log2(sizes / 4) / np.log2(base / 4),
        ),
        Mistake(
            "you forgot that four channels share the keys",
            lambda s, base, sizes: s * sizes / base * (np.log2(sizes) / np.log2(base)) ** 2,
        ),
        Mistake(
            "you let the time grow in proportion to the keys",
            lambda s, base, sizes: s * sizes / base,
            "More keys need more passes, too, and not only longer ones.",
        ),
    ),
)

EXERCISES = (pass_seconds, scaled)
