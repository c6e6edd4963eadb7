"""Lesson 10: what to guess before it is shown."""

from shadersort.lessons.shared.guesses import ask
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.selecting import reads_of
from shadersort.web.piece import Piece


def reads() -> Piece:
    """Ask how many reads the cutting plane takes."""
    recorded = record("modern-nvidia-h200")
    bars = {
        "the limit": 1.0,
        "cutting plane": reads_of(recorded, "cutting-plane"),
        "a full sort": reads_of(recorded, "sort"),
    }
    choices = {"hardly more than one": 1.0, **{f"about {n}": float(n) for n in (6, 25, 100)}}
    return ask(
        "The limit is one read of all keys. How many reads does the cutting plane take?",
        choices,
        bars,
        "× one read",
        "Each cut reads the keys once. Soon few are left, and one last call searches these.",
        f"2²⁸ uniform float32 keys; {recorded.label}.",
        asked="cutting plane",
    )
