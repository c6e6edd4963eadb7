"""Lesson 4: what to guess before it is computed."""

from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.profiles import PROFILES, Profile
from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece, nearest

HALF = 2
"""The bytes of a 16-bit key."""


def step_cycles(channels: int, card: Profile) -> float:
    """Return the cycles of a step for one texel: a blend and a copy, each by its slower part.

    A blend moves a texel three times, a copy twice.

    Examples
    --------
    >>> round(step_cycles(4, PROFILES["geforce-6800-ultra"]), 1)
    9.4
    """
    parts = ((card.cycles_per_blend, 3), (card.cycles_per_copy, 2))
    moved = channels * HALF / card.bytes_per_cycle
    return sum(max(cycles.of("float16"), times * moved) for cycles, times in parts)


def four_channels() -> Piece:
    """Ask what four keys in a texel cost, beside one."""
    card = PROFILES["geforce-6800-ultra"]
    one, four = step_cycles(1, card), step_cycles(CHANNELS, card)
    factors = {
        "just as long": 1,
        "a quarter longer": 1.25,
        "twice as long": 2,
        "4 times as long": 4,
    }
    choices = {name: one * factor for name, factor in factors.items()}
    return guess_piece(
        Guess(
            "A step takes some time with one key in each texel. How long does it take with four?",
            choices,
            nearest(choices, four),
            {"one key in a texel": one, "four keys in a texel": four},
            "cycles for a texel",
            "Computing takes as long for four channels as for one. Only the copies wait for the "
            "memory, which has four times as much to move.",
            f"Computed by the data sheet of the {card.title}.",
            asked="four keys in a texel",
        )
    )
