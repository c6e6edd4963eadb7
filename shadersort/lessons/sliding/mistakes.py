"""Lesson 9, sliding windows: known mistakes."""

from shadersort.lessons.shared.mistakes import Mistake
from shadersort.lessons.sliding.blocks import covering

Blocks = list[tuple[int, int]]


def _the_last_few(position: int, n: int, size: int) -> list[int]:
    end = position // size
    return list(range(end - n // size, end))


def _first(position: int, n: int, size: int) -> int:
    """Return the number of the first block that begins inside the window."""
    return -(-(position - n) // size)


BLOCKS_INSIDE = (
    Mistake(
        "you took the last n // size full blocks, wherever the window begins",
        _the_last_few,
        "Neither end of the window need be an end of a block: compute both.",
    ),
    Mistake(
        "you returned where the blocks begin, and not their numbers",
        lambda position, n, size: [
            size * block for block in range(_first(position, n, size), position // size)
        ],
        "Block b begins at b · size.",
    ),
    Mistake(
        "your first block begins before the window: you rounded down",
        lambda position, n, size: list(range((position - n) // size, position // size)),
        "The first block may not begin before position − n: round up, -(-a // b).",
    ),
    Mistake(
        "you counted the block that is not yet full",
        lambda position, n, size: list(range(_first(position, n, size), -(-position // size))),
        "The last block must be full: round position / size down.",
    ),
    Mistake(
        "you took all full blocks from the beginning of the stream",
        lambda position, n, size: list(range(position // size)),
        "Only the last n values are asked for: they begin at position − n.",
    ),
    Mistake(
        "you left a block out that begins just where the window begins",
        lambda position, n, size: list(range((position - n) // size + 1, position // size)),
        "Adding 1 rounds up only if there is a rest: -(-a // b) is always right.",
    ),
    Mistake(
        "you left out the last full block",
        lambda position, n, size: list(range(_first(position, n, size), position // size - 1)),
        "range(first, end) does not include its end.",
    ),
)


def _begins_anywhere(start: int, stop: int, largest: int) -> Blocks:
    blocks, size = [], largest
    while start < stop:
        if start + size > stop:
            size //= 2
        else:
            blocks.append((start, size))
            start += size
    return blocks


def _the_largest_only(start: int, stop: int, largest: int) -> Blocks:
    first = -(-start // largest) * largest
    return [(place, largest) for place in range(first, stop - largest + 1, largest)]


def _only_twice_as_large(start: int, stop: int, largest: int) -> Blocks:
    blocks, size = [], 1
    while start < stop:
        if size < largest and start % (2 * size) == 0 and start + 2 * size <= stop:
            size *= 2
        while start + size > stop:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks


def _runs_over(start: int, stop: int, largest: int) -> Blocks:
    blocks = []
    while start < stop:
        size = largest
        while start % size:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks


def _right(start: int, stop: int, largest: int) -> Blocks:
    return covering(start, stop, largest)  # an answer itself may not use it


COVER = (
    Mistake(
        "your blocks begin anywhere, and not at multiples of their size",
        _begins_anywhere,
        "A block may begin at a place if place % size == 0.",
    ),
    Mistake(
        "you took blocks of the largest size only, and left gaps at the ends",
        _the_largest_only,
        "Cover what is left at both ends with smaller blocks.",
    ),
    Mistake(
        "you let a block be at most twice as large as the one before it",
        _only_twice_as_large,
        "Begin with the largest size again at each place.",
    ),
    Mistake(
        "your last block reaches beyond stop",
        _runs_over,
        "Halve the size while start + size > stop, too.",
    ),
    Mistake(
        "you covered all with blocks of one value",
        lambda start, stop, largest: [(place, 1) for place in range(start, stop)],
        "The fewest blocks are asked for: try the largest size first.",
    ),
    Mistake(
        "you took blocks that are larger than `largest`",
        lambda start, stop, largest: _right(start, stop, 1 << stop.bit_length()),
        "Begin with size = largest at each place.",
    ),
    Mistake(
        "you wrote the pairs as (size, begin)",
        lambda start, stop, largest: [
            (size, begin) for begin, size in _right(start, stop, largest)
        ],
    ),
)
