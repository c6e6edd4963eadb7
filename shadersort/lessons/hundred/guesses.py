"""Lesson 13: what to guess before it is shown."""

from shadersort.lessons.hundred.times import recorded_times
from shadersort.lessons.shared.guesses import how_long, times
from shadersort.lessons.shared.records import record
from shadersort.web.piece import Piece


def price_of_ranks() -> Piece:
    """Ask how long 101 order statistics take, beside 5."""
    recorded = record("reproduce-nvidia-h200")
    _, now = recorded_times(recorded)
    few, many = 5, 101
    return how_long(
        f"bucketMultiSelect finds {few} order statistics of 2²⁸ keys. How long does it take for "
        f"{many}?",
        {f"{count} order statistics": now["bucket-multi", count] for count in (few, many)},
        times((1, 2, 5, 20)),
        "ms",
        "Most of the time goes into reading the keys, and that is done once for all ranks.",
        recorded.label,
    )
