"""Lesson 15: what to guess before it is shown."""

from shadersort.lessons.exercises.kernels.simulator import SECTOR
from shadersort.lessons.kernel_costs.pictures import PATTERNS
from shadersort.lessons.shared.guesses import ask
from shadersort.web.piece import Piece


def sectors() -> Piece:
    """Ask how many sectors a warp moves if its lanes read every eighth place."""
    bars = {name: len(set(places // SECTOR)) for name, places in PATTERNS.items()}
    return ask(
        "The 32 lanes of a warp read every eighth int: 0, 8, 16 … How many sectors are moved?",
        {f"{count} sectors": count for count in (4, 8, 16, 32)},
        bars,
        "sectors",
        "No two of them lie in one sector: each of the 32 ints costs a whole sector of eight.",
        "Counted, with an array that begins with a sector.",
        "every eighth",
    )
