"""Lesson 9, sliding windows: blocks that can be forgotten, how they cover, and the exercises."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.style import subplots
from shadersort.palette import BLUE, SKY, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["EXERCISES", "blocks_inside", "cover", "covering", "rank_error", "whole_blocks"]

Keys = npt.NDArray[Any]
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


def _painted(start: int, stop: int, blocks: list[Block]) -> Keys:
    """Return, for each value of the stream, where its block begins, and its size; −1 for none.

    Values that two blocks have, and blocks that begin before `start`, show.
    """
    painted = np.full((2, stop), -1)
    for begin, size in blocks:
        if begin < start or begin + size > stop:
            raise ValueError(f"a block from {begin} up to {begin + size} lies not inside")
        if np.any(painted[:, begin : begin + size] >= 0):
            raise ValueError(f"the block from {begin} up to {begin + size} covers values again")
        painted[:, begin : begin + size] = [[begin], [size]]
    return painted


def _covered(answer: Answer, start: int, stop: int, largest: int) -> Keys:
    blocks = [(int(begin), int(size)) for begin, size in answered(answer(start, stop, largest))]
    return _painted(start, stop, blocks)


def draw_cover(ax: "Axes", start: int, painted: Keys, title: str) -> None:
    """Draw painted blocks as boxes with their sizes; values that no block has are hatched."""
    begins, sizes = painted
    stop = len(begins)
    style: Any = {"height": 0.8, "align": "edge", "edgecolor": "white"}
    for at in range(start, stop):
        if begins[at] < 0:
            ax.barh(0, 1, left=at, **{**style, "color": "none", "edgecolor": VERMILION}, hatch="//")
    for begin, size in sorted({(int(b), int(s)) for b, s in zip(begins, sizes, strict=True)}):
        if begin >= 0:
            ax.barh(0, size, left=begin, color=BLUE if size > 1 else SKY, **style)
            ax.text(begin + size / 2, 0.4, str(size), color="white", ha="center", va="center")
    ax.set(xlim=(start - 0.5, stop + 0.5), ylim=(-0.1, 1), yticks=[], title=title)
    ax.set_xlabel("place in the stream")
    ax.spines["left"].set_visible(False)


def _beside(case: Case, yours: Any, expected: Any) -> "Figure":
    figure, axes = subplots(2, 1, height=2.6)
    draw_cover(axes[0], case[0], yours, "yours")
    draw_cover(axes[1], case[0], expected, "expected")
    return figure


cover = Exercise(
    name="cover",
    specification=lambda start, stop, largest: _painted(
        start, stop, covering(start, stop, largest)
    ),
    cases=_some_spans,
    hints=(
        "Go from the old end to the new one. At each place take the largest block that may begin "
        "there and does not reach beyond stop; then go on where it ends.",
        "A block of some size may begin at a place if place % size == 0.",
        "Try the sizes from the largest down: while start % size or start + size > stop, halve "
        "it. Size 1 always fits.",
    ),
    outcome=_covered,
    draw=_beside,
)

EXERCISES = (blocks_inside, cover)
