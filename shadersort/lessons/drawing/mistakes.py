"""Lesson 1, a GPU that can only draw: known mistakes."""

from typing import Any

from shadersort.drawing.quads import Quad, Quads, Repeat
from shadersort.lessons.shared.mistakes import Mistake


def _rows_instead_of_columns(width: int, height: int) -> list[Quad]:
    half = height // 2
    above = Quad(0, 0, width, half, 0, half, width, height)
    return [above, Quad(0, half, width, height, 0, 0, width, half)]


def _fractions(width: int, height: int) -> list[Quad]:
    half: Any = width / 2
    left = Quad(0, 0, half, height, half, 0, width, height)
    return [left, Quad(half, 0, width, height, 0, 0, half, height)]


def _halves(width: int, height: int) -> list[Quad]:
    half = width // 2
    left = Quad(0, 0, half, height, half, 0, width, height)
    return [left, Quad(half, 0, width, height, 0, 0, half, height)]


def _halves_in_place(width: int, height: int) -> list[Quad]:
    half = width // 2
    left = Quad(0, 0, half, height, 0, 0, half, height)
    return [left, Quad(half, 0, width, height, half, 0, width, height)]


def _halves_mirrored(width: int, height: int) -> list[Quad]:
    half = width // 2
    left = Quad(0, 0, half, height, width, 0, half, height)
    return [left, Quad(half, 0, width, height, half, 0, 0, height)]


SWAPPED_HALVES = (
    Mistake(
        "you exchanged the upper and the lower half",
        _rows_instead_of_columns,
        "x counts columns, from the left. Divide the width by two, and not the height.",
    ),
    Mistake(
        "you divided by /, which makes a fraction of every number",
        _fractions,
        "width // 2 is a whole number.",
    ),
    Mistake(
        "you wrapped each quad in ss.Quads",
        lambda width, height: [Quads(quad) for quad in _halves(width, height)],
        "Return the two ss.Quad themselves; the checker puts them into a pass.",
    ),
    Mistake(
        "both halves show what was there before",
        _halves_in_place,
        "The left half is drawn from x = 0, and shows the texture from s = width // 2.",
    ),
    Mistake(
        "you exchanged the halves and mirrored each of them",
        _halves_mirrored,
        "Nothing is mirrored here: let s0 be smaller than s1.",
    ),
    Mistake(
        "you drew one half, and forgot the other",
        lambda width, height: _halves(width, height)[:1],
    ),
    Mistake(
        "you wrote the corners of a texture of 4 × 4 texels",
        lambda width, height: _halves(4, 4),
        "Textures of other sizes are tried, too: use width and height.",
    ),
)


def _columns(first: int, second: int, width: int, height: int) -> Quads:
    quad = Quad(first, 0, first + 1, height, second, 0, second + 1, height)
    return Quads(quad, Repeat(width // 2, dx=2))


def _one_pair_only(width: int, height: int) -> tuple[Quads, Quads]:
    return Quads(_columns(0, 1, width, height).quad), Quads(_columns(1, 0, width, height).quad)


def _not_repeated(width: int, height: int) -> tuple[Quad, Quad]:
    return _columns(0, 1, width, height).quad, _columns(1, 0, width, height).quad


def _whole_rows_mirrored(width: int, height: int) -> tuple[Quads, Quads]:
    half = width // 2
    left = Quads(Quad(0, 0, half, height, width, 0, half, height))
    return left, Quads(Quad(half, 0, width, height, half, 0, 0, height))


def _too_often(width: int, height: int) -> tuple[Quads, Quads]:
    minima, maxima = (_columns(at, 1 - at, width, height).quad for at in (0, 1))
    return Quads(minima, Repeat(width - 1, dx=1)), Quads(maxima, Repeat(width - 1, dx=1))


PAIRS_IN_ORDER = (
    Mistake(
        "you compared the columns 0 and 1 only",
        _one_pair_only,
        "ss.Repeat draws the same quad again further to the right, once for each pair.",
    ),
    Mistake(
        "you returned each ss.Quad without ss.Quads around it",
        _not_repeated,
        "ss.Quads(quad, ss.Repeat(…)) says how often a quad is drawn.",
    ),
    Mistake(
        "you compared the halves of each row, mirrored",
        _whole_rows_mirrored,
        "A quad over column 0 reads column 1, and nothing further away.",
    ),
    Mistake(
        "you gave the larger key to the left",
        lambda width, height: (_columns(1, 0, width, height), _columns(0, 1, width, height)),
        "The first of the two is drawn with MIN: it lies over the even columns.",
    ),
    Mistake(
        "you returned the quads of the minima only",
        lambda width, height: _columns(0, 1, width, height),
    ),
    Mistake(
        "each column reads itself, so each key is compared with itself",
        lambda width, height: (_columns(0, 0, width, height), _columns(1, 1, width, height)),
        "A quad over column 0 is drawn at x = 0 and reads from s = 1.",
    ),
    Mistake(
        "you moved each quad by one column, where the next pair is two columns away",
        _too_often,
        "ss.Repeat(width // 2, dx=2).",
    ),
)
