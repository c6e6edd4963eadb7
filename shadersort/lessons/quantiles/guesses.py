"""Lesson 7: what to guess before it is shown."""

from shadersort.lessons.quantiles.pictures import figure_7
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.guesses import how_long, times
from shadersort.lessons.shared.records import Row, record
from shadersort.web.piece import Piece

EPSILON = 0.01


def drawing_beside_numpy() -> Piece:
    """Ask how long the paper's way takes on a GPU of today, beside NumPy on a CPU."""
    found = figure_7()
    bars = {
        name: streams.seconds(_of(streams.one(found, label)))
        for name, label in (
            ("NumPy on a CPU", streams.NUMPY),
            ("drawing, on a GPU of today", streams.BLENDED),
        )
    }
    return how_long(
        "NumPy sorts the windows on a CPU. How long does drawing take, on a GPU of today?",
        bars,
        times((0.01, 0.1, 1, 4)),
        "seconds",
        "The card is new, but it runs the program of 2005, and the stream comes from the host.",
        f"100 million values, ε = {EPSILON:g}; "
        f"{streams.machines(record('streams-figures-nvidia-h200'))}.",
    )


def _of(rows: list[Row]) -> Row:
    """Return the row of `EPSILON`."""
    (row,) = (row for row in rows if row["epsilon"] == EPSILON)
    return row
