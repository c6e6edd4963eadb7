"""A point to drag: a line of least squares follows it, one of least trimmed squares lets it go.

The page fits nothing. Python records both lines for each place of the point.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.palette import BLACK, GREEN, GREY, LAVENDER, LIME, PINK
from shadersort.web.page import page
from shadersort.web.piece import Piece

Point = tuple[float, float]

POINTS: tuple[Point, ...] = (
    *((1, 2.7), (2, 2.9), (3, 3.2), (4, 4.2), (5, 4.6), (6, 4.8)),
    *((7, 5.8), (8, 5.9), (9, 6.3), (10, 7.2), (11, 7.5), (12, 7.9)),
)
"""The points that stay: lengths of a spring for the weights from 1 to 12."""

ACROSS = tuple(range(15))
UP = tuple(half / 2 for half in range(25))
"""The places of the point that is dragged."""

USUAL: Point = (13, 8.5)
TITLE = "Drag a point: which line follows it?"

SCRIPTS = ("page/chart.js", "charts/outlier.js")

COLOURS = {
    "least squares": LIME,
    "least trimmed squares": LAVENDER,
    "kept": GREEN,
    "left out": GREY,
    "dragged": PINK,
    "cross": BLACK,
}


def outlier_piece() -> Piece:
    """Return the page on which a point is dragged away from a line."""
    data = {
        "points": POINTS,
        "colours": COLOURS,
        "across": ACROSS,
        "up": UP,
        "usual": [places.index(at) for places, at in zip((ACROSS, UP), USUAL, strict=True)],
        "fits": [[fit_lines((*POINTS, (x, y))) for x in ACROSS] for y in UP],
    }
    return Piece(TITLE, page(TITLE, SCRIPTS, data, "OutlierPiece"), 640)


def fit_lines(points: Sequence[Point]) -> dict[str, Any]:
    """Return slope and intercept of both lines, and which points the second one leaves out."""
    from shadersort.robust import LeastTrimmedSquares  # here: scikit-learn takes long to import

    x, y = np.array(points, np.float64).T
    found = LeastTrimmedSquares().fit(x[:, None], y)
    return {
        "least squares": _round_numbers(*np.polyfit(x, y, 1)),
        "least trimmed squares": _round_numbers(found.coef_[0], found.intercept_),
        "left out": np.flatnonzero(found.outliers_).tolist(),
    }


def _round_numbers(*numbers: float) -> list[float]:
    return [round(float(number), 4) + 0.0 for number in numbers]  # no −0
