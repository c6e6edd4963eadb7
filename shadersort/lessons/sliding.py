"""Lesson 9, sliding windows: blocks that can be forgotten, how they cover, and the exercises."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.style import subplots
from shadersort.pictures.palette import BLUE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "EXERCISES",
    "blocks_inside",
    "cover",
    "covering",
    "rank_error",
    "show_cover",
    "whole_blocks",
]

Block = tuple[int, int]
"""Where a block begins, and how many values it has."""


def whole_blocks(position: int, n: int, size: int) -> list[int]:
    """Return the numbers of the full blocks that lie inside the last n values of a stream.

    Parameters
    ----------
    position
        How many values have come. Block b holds the values from b · size up to (b + 1) · size.
    n
        How many of the last values are asked about, at most `position`.
    size
        Values in a block.

    Examples
    --------
    >>> whole_blocks(position=23, n=16, size=4)
    [2, 3, 4]
    """
    blocks = np.arange(position // size)
    return [int(block) for block in blocks[blocks * size >= position - n]]


def covering(start: int, stop: int, largest: int) -> list[Block]:
    """Cover the values from `start` up to `stop` with blocks, large ones where they fit.

    A block has 1, 2, 4, … or `largest` values, and begins at a multiple of its size.

    Examples
    --------
    >>> covering(3, 18, largest=8)
    [(3, 1), (4, 4), (8, 8), (16, 2)]
    """
    blocks = []
    while start < stop:
        size = largest
        while start % size or start + size > stop:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks


def rank_error(window: Keys, q: float, answer: float) -> int:
    """Return how many ranks an answer is away from the q-quantile of a window.

    It is negative if the answer is too small. A value that comes several times has several ranks.

    Examples
    --------
    >>> window = np.array([10, 20, 30, 40, 50])
    >>> [rank_error(window, 0.5, answer) for answer in (30, 50, 10)]
    [0, 2, -2]
    """
    wanted = max(1, int(np.ceil(q * len(window))))
    first = int(np.count_nonzero(window < answer)) + 1
    last = max(first, int(np.count_nonzero(window <= answer)))
    return int(np.clip(wanted, first, last)) - wanted


def _some_windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield a window that begins with a block, one that does not, and others."""
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
        "The last n values are those from position − n up to position. Block b holds the values "
        "from b · size up to (b + 1) · size.",
        "The first block may not begin before position − n: divide by size, and round up. The last "
        "one must be full: divide position by size, and round down.",
        "Rounding up without floats: -(-a // b).",
    ),
    outcome=lambda answer, *case: [int(block) for block in answered(answer(*case))],
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


def show_cover(start: int, stop: int, blocks: Sequence[Block]) -> "Figure":
    """Draw the blocks that cover a part of the stream as boxes, with their sizes."""
    figure, (ax,) = subplots(height=1.2)
    ax.barh(0, stop - start, left=start, height=0.8, align="edge", color="#dddddd")
    for begin, size in blocks:
        box: Any = {"height": 0.8, "align": "edge", "edgecolor": "white", "color": BLUE}
        ax.barh(0, size, left=begin, **box)
        ax.text(begin + size / 2, 0.4, str(size), color="white", ha="center", va="center")
    ax.set(xlim=(start - 0.5, stop + 0.5), ylim=(-0.1, 1), yticks=[])
    ax.set(xticks=range(start, stop + 1), xlabel="place in the stream")
    ax.spines["left"].set_visible(False)
    return figure


def _blocks(answer: Answer, *case: Any) -> list[Block]:
    return [(int(begin), int(size)) for begin, size in answered(answer(*case))]


cover = Exercise(
    name="cover",
    specification=covering,
    cases=_some_spans,
    hints=(
        "Go from the old end to the new one. At each place take the largest block that may begin "
        "there and does not reach beyond stop; then go on where it ends.",
        "A block of some size may begin at a place if place % size == 0.",
        "Try the sizes from the largest down: while start % size or start + size > stop, halve "
        "it. Size 1 always fits.",
    ),
    outcome=_blocks,
)

EXERCISES = (blocks_inside, cover)
