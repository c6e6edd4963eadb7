"""Lesson 12: what to guess before it is shown."""

from shadersort.lessons.shared.guesses import how_long, times
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.selecting import reads_of
from shadersort.web.piece import Piece


def killer() -> Piece:
    """Ask how long our buckets take for their enemy, beside uniform keys."""
    recorded = record("modern-nvidia-h200")
    bars = {
        "uniform keys": reads_of(recorded, "bucket"),
        "the Bucket Killer": reads_of(recorded, "bucket", "bucket-killer"),
    }
    return how_long(
        "How long do our buckets take for the Bucket Killer, beside uniform keys?",
        bars,
        times((1, 3, 20, 135)),
        "× one read",
        "A round of codes follows each round that made no progress.",
        f"2²⁸ float32 keys; {recorded.label}.",
    )
