"""Lesson 9, sliding windows: known mistakes."""

from shadersort.lessons.exercises import Mistake
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
        "you left a block out that begins just where the window begins",
        lambda position, n, size: list(range((position - n) // size + 1, position // size)),
        "Adding 1 rounds up only if there is a rest: -(-a // b) is always right.",
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
        "your last block reaches beyond stop",
        _runs_over,
        "Halve the size while start + size > stop, too.",
    ),
    Mistake(
        "you took blocks that are larger than `largest`",
        lambda start, stop, largest: _right(start, stop, 1 << stop.bit_length()),
        "Begin with size = largest at each place.",
    ),
)
