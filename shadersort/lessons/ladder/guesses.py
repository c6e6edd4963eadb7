"""Lesson 6: what to guess before it is shown."""

from shadersort.drawing.cost.estimate import estimate
from shadersort.lessons.shared.guesses import how_long
from shadersort.lessons.shared.records import record
from shadersort.web.piece import Piece

KEYS = 1 << 23


def since_2005() -> Piece:
    """Ask how much faster the program of 2005 runs today."""
    recorded = record("sort-nvidia-h200")
    (now,) = recorded.where(keys=KEYS, dtype="float16", network="pbsn", method="blend")
    then = 1e3 * estimate(KEYS).gpu_seconds
    return how_long(
        "How much faster does the sort of 2005, PBSN by blending, run on a GPU of today?",
        {"the card of 2005, by its data sheet": then, "an H200": now["program_ms"]},
        {f"{factor:,} times as fast": 1 / factor for factor in (5, 30, 100, 1000)},
        "ms",
        "This lesson looks for the reason.",
        f"8 million 16-bit keys; {recorded.label}.",
    )
