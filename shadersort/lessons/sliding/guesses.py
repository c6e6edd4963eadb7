"""Lesson 9: what to guess before it is shown."""

from shadersort.lessons.quantiles.pictures import figure_7
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.guesses import how_long, times
from shadersort.lessons.sliding.paper_figures import FIGURES
from shadersort.web.piece import Piece


def price_of_sliding() -> Piece:
    """Ask how much longer quantiles of a sliding window take than those of the whole stream."""
    figure = FIGURES[-1]
    whole, sliding = (
        {row["epsilon"]: streams.seconds(row) for row in streams.one(found, streams.NUMPY)}
        for found in (figure_7(), figure.series(figure.window))
    )
    epsilon = max(sliding)
    return how_long(
        "A summary of the whole stream forgets nothing. How long does one of the last 10 million "
        "values take?",
        {"the whole stream": whole[epsilon], "the last 10 million": sliding[epsilon]},
        times((1, 2, 10, 100)),
        "seconds",
        "A block that is too old is dropped whole, and nothing in it is looked at again.",
        f"Quantiles of 100 million values by NumPy, ε = {epsilon:g}; the last 10 million"
        f"{figure.rate}. {streams.machines(figure.recorded)}.",
    )
