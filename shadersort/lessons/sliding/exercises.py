"""Lesson 9, sliding windows: the exercises."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner, parts_of
from shadersort.lessons.sliding.blocks import Block, covering, whole_blocks


def _some_windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield a window that begins with a block, one that begins inside a block, and others."""
    yield 20, 12, 4
    yield 23, 16, 4
    yield 23, 23, 4
    yield 23, 5, 4
    for size in (1, 7, 10, 100):
        position = int(rng.integers(10 * size, 20 * size))
        yield position, int(rng.integers(2 * size, position)), size


blocks_inside = Exercise(
    name="blocks_inside",
    specification=whole_blocks,
    cases=_some_windows,
    hints=(
        "The window is from position − n to position, block b from b · size to (b + 1) · size.",
        "The first block may not begin before position − n: divide by size, and round up. The last "
        "one must be full: divide position by size, and round down.",
        "Rounding up without floats: -(-a // b).",
    ),
    runner=PythonRunner(
        lambda found: [int(block) for block in parts_of(found, "a list of numbers of blocks")],
        forbidden=("whole_blocks",),
    ),
    mistakes=(
        Mistake(
            "you took the last n // size full blocks, wherever the window begins",
            lambda position, n, size: list(range(position // size))[-(n // size) :],
        ),
        Mistake(
            "your first block begins before the window: you rounded down",
            lambda position, n, size: list(range((position - n) // size, position // size)),
        ),
        Mistake(
            "you left a block out that begins just where the window begins",
            lambda position, n, size: list(range((position - n) // size + 1, position // size)),
            "Adding 1 rounds up only if there is a remainder: -(-a // b) is always right.",
        ),
    ),
)


def _some_spans(rng: np.random.Generator) -> Iterator[Case]:
    yield 0, 8, 8
    yield 0, 20, 8
    yield 3, 16, 8
    yield 3, 18, 8
    yield 5, 6, 4
    for _ in range(8):
        start, stop = np.sort(rng.choice(64, 2, replace=False)).tolist()
        yield start, stop, int(rng.choice([4, 8, 16]))


def _pairs(yours: Any) -> list[Block]:
    asked = "a list of pairs (begin, size)"
    found = (parts_of(each, asked, 2) for each in parts_of(yours, asked))
    return [(int(begin), int(size)) for begin, size in found]


def _shift(start: int, stop: int, largest: int) -> list[Block]:
    return [(start + begin, size) for begin, size in covering(0, stop - start, largest)]


def _run_over(start: int, stop: int, largest: int) -> list[Block]:
    whole = covering(start, -(-stop // largest) * largest, largest)
    return [(begin, size) for begin, size in whole if begin < stop]


cover = Exercise(
    name="cover",
    specification=covering,
    cases=_some_spans,
    hints=(
        "Go from the old end to the new one. At each place take the largest block that may begin "
        "there and does not reach beyond stop; then go on where it ends.",
        "A block of some size may begin at a place if place % size == 0.",
        "While start % size or start + size > stop, halve the size. Size 1 always fits.",
    ),
    runner=PythonRunner(_pairs, forbidden=("covering",)),
    mistakes=(
        Mistake("your blocks begin anywhere, and not at multiples of their size", _shift),
        Mistake(
            "you took blocks of the largest size only, and left gaps at the ends",
            lambda *case: [block for block in covering(*case) if block[1] == case[2]],
        ),
        Mistake("your last block reaches beyond stop", _run_over),
    ),
)

EXERCISES = (blocks_inside, cover)
