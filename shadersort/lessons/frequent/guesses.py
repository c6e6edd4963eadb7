"""Lesson 8: what to guess before it is shown."""

from shadersort.lessons.frequent.pictures import RECORDED, figure_5
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.guesses import how_long
from shadersort.web.piece import Piece


def share_of_sorting() -> Piece:
    """Ask how much of the time NumPy needs for sorting, for the largest ε of the record."""
    host, drawn = (
        {row["epsilon"]: 100 * row["sort_share"] for row in streams.one(figure_5(), label)}
        for label in (streams.NUMPY, streams.BLENDED)
    )
    epsilon = max(host)
    return how_long(
        "In 2005 sorting took 80 to 90 % of the time. How much is it with NumPy today?",
        {"drawing, on a GPU of today": drawn[epsilon], "NumPy on a CPU": host[epsilon]},
        {f"about {percent} %": percent / drawn[epsilon] for percent in (10, 35, 60, 85)},
        "% of the time",
        "NumPy sorts such short keys by their digits, which is fast.",
        f"100 million values, ε = {epsilon:g}; {streams.machines(RECORDED)}.",
    )
