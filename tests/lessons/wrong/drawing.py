from typing import Any

from shadersort import Quad, Quads, Repeat
from shadersort.lessons.drawing.shaders import SHADERS
from tests.lessons.wrong import Answers
from tests.lessons.wrong.glsl import wrong_shaders


def rows_instead_of_columns(width: int, height: int) -> list[Quad]:
    half = height // 2
    above = Quad(0, 0, width, half, 0, half, width, height)
    return [above, Quad(0, half, width, height, 0, 0, width, half)]


def fractions(width: int, height: int) -> list[Quad]:
    half: Any = width / 2
    left = Quad(0, 0, half, height, half, 0, width, height)
    return [left, Quad(half, 0, width, height, 0, 0, half, height)]


def wrapped(width: int, height: int) -> list[Quads]:
    half = width // 2
    left = Quad(0, 0, half, height, half, 0, width, height)
    return [Quads(left), Quads(Quad(half, 0, width, height, 0, 0, half, height))]


def columns(first: int, second: int, width: int, height: int) -> Quads:
    quad = Quad(first, 0, first + 1, height, second, 0, second + 1, height)
    return Quads(quad, Repeat(width // 2, dx=2))


def one_pair_only(width: int, height: int) -> tuple[Quads, Quads]:
    return Quads(columns(0, 1, width, height).quad), Quads(columns(1, 0, width, height).quad)


def quads_that_are_not_repeated(width: int, height: int) -> tuple[Quad, Quad]:
    return columns(0, 1, width, height).quad, columns(1, 0, width, height).quad


def whole_rows_mirrored(width: int, height: int) -> tuple[Quads, Quads]:
    half = width // 2
    left = Quads(Quad(0, 0, half, height, width, 0, half, height))
    return left, Quads(Quad(half, 0, width, height, half, 0, 0, height))


WRONG: Answers = {
    "swapped_halves": [
        *(rows_instead_of_columns, fractions, wrapped),
        lambda width, height: [Quad(0, 0, width, height, 0, 0, width, height)],  # left as it is
        lambda width, height: [Quad(0, 0, width, height, width, 0, 0, height)],  # mirrored
        # one half forgotten
        lambda width, height: [Quad(0, 0, width // 2, height, width // 2, 0, width, height)],
        # of four by four only
        lambda width, height: [Quad(0, 0, 2, 4, 2, 0, 4, 4), Quad(2, 0, 4, 4, 0, 0, 2, 4)],
        lambda width, height: width,  # no list
    ],
    "pairs_in_order": [
        *(one_pair_only, quads_that_are_not_repeated, whole_rows_mirrored),
        # larger left
        lambda width, height: (columns(1, 0, width, height), columns(0, 1, width, height)),
        lambda width, height: columns(0, 1, width, height),  # minima only
        # compared with itself
        lambda width, height: (columns(0, 0, width, height), columns(1, 1, width, height)),
    ],
    **wrong_shaders(SHADERS),
}
