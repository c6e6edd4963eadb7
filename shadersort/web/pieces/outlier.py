"""A point to drag: a line of least squares follows it, one of least trimmed squares lets it go.

The page fits nothing. Python records both lines for each place of the point.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.errors import BadOption
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

DIGITS = 4
"""Of the numbers in the page, after the point."""

TITLE = "Drag a point: which line follows it?"

COLOURS = {
    "least squares": LIME,
    "least trimmed squares": LAVENDER,
    "kept": GREEN,
    "left out": GREY,
    "dragged": PINK,
    "cross": BLACK,
}


def outlier_piece(
    points: Sequence[Point] = POINTS,
    across: Sequence[float] = ACROSS,
    up: Sequence[float] = UP,
    *,
    still: Any = None,
) -> Piece:
    """Return the page on which a point is dragged away from a line.

    Parameters
    ----------
    points
        The points that stay, at least four.
    across, up
        The places, ascending, of the point that is dragged.
    still
        What a notebook shows as a picture.

    Raises
    ------
    BadOption
        There are fewer than four points, so that an outlier cannot be told from them.

    Examples
    --------
    >>> outlier_piece([(0, 0), (1, 1), (2, 2), (3, 3)], [4], [0, 4])
    <Piece: Drag a point: which line follows it?>
    """
    if len(points) < 4:
        raise BadOption(f"{len(points)} points stay: at least 4 are needed to tell an outlier")
    begins = zip((across, up), USUAL, strict=True)
    data = {
        "points": [list(point) for point in points],
        "colours": COLOURS,
        "across": list(across),
        "up": list(up),
        "usual": [int(np.argmin(np.abs(np.subtract(places, at)))) for places, at in begins],
        "fits": [[fit_lines(points, (x, y)) for x in across] for y in up],
    }
    return Piece(TITLE, page(TITLE, ("page/chart.js", "charts/outlier.js"), data), 640, still)


def fit_lines(points: Sequence[Point], dragged: Point) -> dict[str, Any]:
    """Return slope and intercept of both lines, and which points the second one leaves out.

    The last point is the one that is dragged.
    """
    from shadersort.robust import LeastTrimmedSquares  # here: scikit-learn takes long to import

    x, y = np.array([*points, dragged], np.float64).T
    found = LeastTrimmedSquares().fit(x[:, None], y)
    slope, intercept = np.polyfit(x, y, 1)
    return {
        "least squares": [_rounded(slope), _rounded(intercept)],
        "least trimmed squares": [_rounded(found.coef_[0]), _rounded(found.intercept_)],
        "left out": np.flatnonzero(found.outliers_).tolist(),
    }


def _rounded(number: Any) -> float:
    return round(float(number), DIGITS) + 0.0  # no −0
