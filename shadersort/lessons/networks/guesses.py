"""Lesson 2: what to guess before it is counted."""

from shadersort.drawing.networks import NETWORKS, network
from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece, nearest

KEYS = 1 << 10


def steps() -> Piece:
    """Ask how many steps the bitonic network takes, beside PBSN."""
    depths: dict[str, float] = {name: network(name, KEYS).depth for name in NETWORKS}
    pbsn, bitonic = depths["pbsn"], depths["bitonic"]
    asked = (
        f"PBSN takes {pbsn:.0f} steps for {KEYS:,} keys. How many does the bitonic network take?"
    )
    choices = {f"about {pbsn * part:.0f}": pbsn * part for part in (0.25, 0.5, 1, 2)}
    return guess_piece(
        Guess(
            asked,
            choices,
            nearest(choices, bitonic),
            depths,
            "steps",
            "Each stage of PBSN has log₂ n steps. The first merges of the bitonic network are "
            "small, and take fewer.",
            f"Counted, for {KEYS:,} keys.",
            asked="bitonic",
        )
    )
