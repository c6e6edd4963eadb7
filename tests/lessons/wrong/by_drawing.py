from collections.abc import Callable
from typing import Any

from shadersort import Quad, Quads, Repeat

Answers = dict[str, list[Callable[..., Any]]]
Step = tuple[Quads, Quads]


def columns_of(block: int, width: int, height: int, *, mirrored: bool) -> Step:
    half = block // 2
    again = Repeat(width // block, dx=block)
    if mirrored:
        minima = Quad(0, 0, half, height, block, 0, half, height)
        return Quads(minima, again), Quads(Quad(half, 0, block, height, half, 0, 0, height), again)
    minima = Quad(0, 0, half, height, half, 0, block, height)
    return Quads(minima, again), Quads(Quad(half, 0, block, height, 0, 0, half, height), again)


def not_mirrored(block: int, width: int, height: int) -> Step:
    return columns_of(block, width, height, mirrored=False)


def larger_first(block: int, width: int, height: int) -> Step:
    minima, maxima = columns_of(block, width, height, mirrored=True)
    return maxima, minima


def first_columns_only(block: int, width: int, height: int) -> Step:
    minima, maxima = columns_of(block, width, height, mirrored=True)
    return Quads(minima.quad), Quads(maxima.quad)


def rows_mirrored_too(block: int, width: int, height: int) -> Step:
    half = block // 2
    again = Repeat(width // block, dx=block)
    minima = Quad(0, 0, half, height, block, height, half, 0)
    return Quads(minima, again), Quads(Quad(half, 0, block, height, half, height, 0, 0), again)


def minima_only(block: int, width: int, height: int) -> Quads:
    return columns_of(block, width, height, mirrored=True)[0]


def quads_that_are_not_repeated(block: int, width: int, height: int) -> tuple[Quad, Quad]:
    minima, maxima = columns_of(block, width, height, mirrored=True)
    return minima.quad, maxima.quad


def one_quad_across_the_row(block: int, width: int, height: int) -> Step:
    return columns_of(width, width, height, mirrored=True)


def one_row_high(block: int, width: int, height: int) -> Step:
    return columns_of(block, width, 1, mirrored=True)


def bands_of(block: int, width: int, height: int, *, mirrored: bool) -> Step:
    rows = block // width
    middle = rows // 2
    again = Repeat(height // rows, dy=rows)
    left, right = (width, 0) if mirrored else (0, width)
    top, bottom = (rows, middle) if mirrored else (middle, rows)
    above, below = (middle, 0) if mirrored else (0, middle)
    minima = Quad(0, 0, width, middle, left, top, right, bottom)
    return Quads(minima, again), Quads(
        Quad(0, middle, width, rows, left, above, right, below), again
    )


def mirrors_again(block: int, width: int, height: int) -> Step:
    of = columns_of if block <= width else bands_of
    return of(block, width, height, mirrored=True)


def columns_are_still_mirrored(block: int, width: int, height: int) -> Step:
    if block <= width:
        return columns_of(block, width, height, mirrored=True)
    return bands_of(block, width, height, mirrored=False)


def a_row_is_a_band(block: int, width: int, height: int) -> Step:
    if block < width:
        return columns_of(block, width, height, mirrored=False)
    return bands_of(block, width, height, mirrored=False)


def never_bands(block: int, width: int, height: int) -> Step:
    return columns_of(block, width, height, mirrored=False)


def neighbours(block: int, width: int, height: int) -> Step:
    return columns_of(2, width, height, mirrored=False)


def one_band_only(block: int, width: int, height: int) -> Step:
    if block <= width:
        return columns_of(block, width, height, mirrored=False)
    minima, maxima = bands_of(block, width, height, mirrored=False)
    return Quads(minima.quad), Quads(maxima.quad)


WRONG: Answers = {
    "columns": [
        not_mirrored,
        larger_first,
        first_columns_only,
        rows_mirrored_too,
        minima_only,
        quads_that_are_not_repeated,
        one_quad_across_the_row,
        one_row_high,
    ],
    "shifted_step": [
        mirrors_again,
        columns_are_still_mirrored,
        a_row_is_a_band,
        never_bands,
        neighbours,
        one_band_only,
    ],
}
