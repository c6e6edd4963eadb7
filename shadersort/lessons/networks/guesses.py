"""Lesson 2: what to guess before it is counted."""

from shadersort.drawing.networks import network
from shadersort.lessons.shared.guesses import how_long
from shadersort.web.piece import Piece

KEYS = 1 << 10


def steps() -> Piece:
    """Ask how many steps the bitonic network takes, beside PBSN."""
    depths: dict[str, float] = {name: network(name, KEYS).depth for name in ("pbsn", "bitonic")}
    pbsn = depths["pbsn"]
    return how_long(
        f"PBSN takes {pbsn:.0f} steps for {KEYS:,} keys. How many does the bitonic network take?",
        depths,
        {f"about {pbsn * part:.0f}": part for part in (0.25, 0.5, 1, 2)},
        "steps",
        "Each stage of PBSN has log₂ n steps. The first merges of the bitonic network are small, "
        "and take fewer.",
        f"Counted, for {KEYS:,} keys.",
    )
