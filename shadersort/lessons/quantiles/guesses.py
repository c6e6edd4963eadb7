"""Lesson 7: what to guess before it is shown."""

from shadersort.lessons.quantiles.pictures import RECORDED, figure_7
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.guesses import how_long, times
from shadersort.web.piece import Piece

EPSILON = 0.01


def drawing_beside_numpy() -> Piece:
    """Ask how long the paper's way takes on a GPU of today, beside NumPy on a CPU."""
    host, drawn = (
        streams.seconds(row)
        for label in (streams.NUMPY, streams.BLENDED)
        for row in streams.one(figure_7(), label)
        if row["epsilon"] == EPSILON
    )
    return how_long(
        "NumPy sorts the windows on a CPU. How long does drawing take, on a GPU of today?",
        {"NumPy on a CPU": host, "drawing, on a GPU of today": drawn},
        times((0.01, 0.1, 1, 4)),
        "seconds",
        "The card is new, but it runs the program of 2005, and the stream comes from the host.",
        f"100 million values, ε = {EPSILON:g}; {streams.machines(RECORDED)}.",
    )
