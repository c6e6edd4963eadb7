from shadersort import Quad, Quads, Repeat
from shadersort.lessons.by_drawing.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders

Step = tuple[Quads, Quads]


def columns_of(block: int, width: int, height: int, *, mirrored: bool) -> Step:
    half = block // 2
    again = Repeat(width // block, dx=block)
    if mirrored:
        minima = Quad(0, 0, half, height, block, 0, half, height)
        return Quads(minima, again), Quads(Quad(half, 0, block, height, half, 0, 0, height), again)
    minima = Quad(0, 0, half, height, half, 0, block, height)
    return Quads(minima, again), Quads(Quad(half, 0, block, height, 0, 0, half, height), again)


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


def quads_that_are_not_repeated(block: int, width: int, height: int) -> tuple[Quad, Quad]:
    minima, maxima = columns_of(block, width, height, mirrored=True)
    return minima.quad, maxima.quad


def bands_of(block: int, width: int, height: int, *, mirrored: bool) -> Step:
    rows = block // width
    middle = rows // 2
    again = Repeat(height // rows, dy=rows)
    left, right = (width, 0) if mirrored else (0, width)
    top, bottom = (rows, middle) if mirrored else (middle, rows)
    above, below = (middle, 0) if mirrored else (0, middle)
    minima = Quad(0, 0, width, middle, left, top, right, bottom)
    maxima = Quad(0, middle, width, rows, left, above, right, below)
    return Quads(minima, again), Quads(maxima, again)


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


def one_band_only(block: int, width: int, height: int) -> Step:
    if block <= width:
        return columns_of(block, width, height, mirrored=False)
    minima, maxima = bands_of(block, width, height, mirrored=False)
    return Quads(minima.quad), Quads(maxima.quad)


WRONG: Answers = {
    "columns": [
        *(larger_first, first_columns_only, rows_mirrored_too, quads_that_are_not_repeated),
        # not mirrored
        lambda block, width, height: columns_of(block, width, height, mirrored=False),
        # minima only
        lambda block, width, height: columns_of(block, width, height, mirrored=True)[0],
        # one quad across the row
        lambda block, width, height: columns_of(width, width, height, mirrored=True),
        lambda block, width, height: columns_of(block, width, 1, mirrored=True),  # one row high
    ],
    "shifted_step": [
        *(mirrors_again, columns_are_still_mirrored, a_row_is_a_band, one_band_only),
        # never bands
        lambda block, width, height: columns_of(block, width, height, mirrored=False),
        lambda block, width, height: columns_of(2, width, height, mirrored=False),  # neighbours
    ],
    **wrong_shaders(SHADERS),
}
