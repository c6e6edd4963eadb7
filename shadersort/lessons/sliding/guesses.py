"""Lesson 9: what to guess before it is shown."""

from shadersort.lessons.quantiles.pictures import figure_7
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.guesses import how_long, times
from shadersort.lessons.sliding.paper_figures import FIGURES
from shadersort.web.piece import Piece


def price_of_sliding() -> Piece:
    """Ask how much longer quantiles of a sliding window take than those of the whole stream."""
    figure = FIGURES[-1]
    sliding = figure.series(figure.window)
    epsilon = max(row["epsilon"] for row in streams.one(sliding, streams.NUMPY))
    bars = {}
    for name, found in (("the whole stream", figure_7()), ("the last 10 million", sliding)):
        (row,) = (row for row in streams.one(found, streams.NUMPY) if row["epsilon"] == epsilon)
        bars[name] = streams.seconds(row)
    return how_long(
        "A summary of the whole stream forgets nothing. How long does one of the last 10 million "
        "values take?",
        bars,
        times((1, 2, 10, 100)),
        "seconds",
        "A block that is too old is dropped whole, and nothing in it is looked at again.",
        f"Quantiles of 100 million values by NumPy, ε = {epsilon:g}; "
        f"{streams.machines(figure.recorded)}.",
    )
