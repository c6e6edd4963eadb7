"""Lesson 8: what to guess before it is shown."""

from shadersort.lessons.frequent.pictures import figure_5
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import record
from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece, nearest


def share_of_sorting() -> Piece:
    """Ask how much of the time NumPy needs for sorting, for the largest ε of the record."""
    host, drawn = (
        max(streams.one(figure_5(), label), key=lambda row: row["epsilon"])
        for label in (streams.NUMPY, streams.BLENDED)
    )
    share = 100 * host["sort_share"]
    choices = {f"about {percent} %": float(percent) for percent in (10, 35, 60, 85)}
    return guess_piece(
        Guess(
            "In 2005 sorting took 80 to 90 % of the time. How much is it with NumPy today?",
            choices,
            nearest(choices, share),
            {"NumPy on a CPU": share, "drawing, on a GPU of today": 100 * drawn["sort_share"]},
            "% of the time",
            "NumPy sorts such short keys by their digits, which is fast.",
            f"100 million values, ε = {host['epsilon']:g}; "
            f"{streams.machines(record('streams-figures-nvidia-h200'))}.",
            asked="NumPy on a CPU",
        )
    )
