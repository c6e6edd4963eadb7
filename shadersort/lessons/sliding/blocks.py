"""Lesson 9: blocks of a stream that can be forgotten."""

import numpy as np

Block = tuple[int, int]
"""The place where a block begins, and the number of its values."""


def whole_blocks(position: int, n: int, size: int) -> list[int]:
    """Return the numbers of the full blocks inside the last n of `position` values.

    Block b holds the values from b · size up to (b + 1) · size, without the end.

    Examples
    --------
    >>> whole_blocks(position=23, n=16, size=4)
    [2, 3, 4]
    """
    blocks = np.arange(position // size)
    return [int(block) for block in blocks[blocks * size >= position - n]]


def covering(start: int, stop: int, largest: int) -> list[Block]:
    """Cover the values from `start` up to `stop` with the largest blocks that fit.

    A block has 1, 2, 4, … or `largest` values, and begins at a multiple of its size.
    """
    first, last = -(-start // largest) * largest, stop // largest * largest
    inside, half = [(at, largest) for at in range(first, last, largest)], largest // 2
    if largest == 1:
        return inside
    if first > last:
        return covering(start, stop, half)
    return [*covering(start, first, half), *inside, *covering(last, stop, half)]
