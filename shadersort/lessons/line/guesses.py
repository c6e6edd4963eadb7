"""Lesson 16: what to guess before it is shown."""

from shadersort.lessons.line import lines
from shadersort.lessons.line.data import spring
from shadersort.lessons.shared.guesses import ask
from shadersort.web.piece import Piece


def lost_point(length: float = 8.5) -> Piece:
    """Ask what a lost decimal point does to the slope of least squares."""
    (right, _), (wrong, _) = (lines.least_squares(*spring(each)) for each in (length, 10 * length))
    factors = {"hardly different": 1, "twice as large": 2, "six times as large": 6}
    choices = {name: factor * right for name, factor in factors.items()}
    bars = {"all as measured": right, f"{10 * length:g} for {length:g}": wrong}
    return ask(
        f"The last of thirteen lengths, {length:g}, has lost its decimal point: it is now "
        f"{10 * length:g}. How large is the slope of least squares?",
        choices,
        bars,
        "of length for one of weight",
        "Its residual counts with its square, and it stands at the end, where the lever is "
        "longest.",
        "Computed here, of the points above.",
        asked=list(bars)[1],
    )
