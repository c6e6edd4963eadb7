"""Lesson 5: what to guess before it is computed."""

from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.cost.prices import BASE, CARD, causes, step_cycles
from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece, nearest

NAMES = {
    "blending": "blending",
    "copying": "copying",
    "setup": "setup",
    "bus": "the bus",
}


def largest_cause() -> Piece:
    """Ask what takes most of the time of a sort of 8 million keys."""
    parts = {NAMES[name]: seconds for name, seconds in causes(BASE).items()}
    return guess_piece(
        Guess(
            "What takes most of the time of a sort of 8 million keys?",
            parts,
            max(parts, key=lambda name: parts[name]),
            parts,
            "seconds",
            "All keys cross the bus twice only, and are drawn in hundreds of steps.",
            f"Computed by the data sheet of the {CARD.title}.",
        )
    )


def four_channels() -> Piece:
    """Ask what four keys in a texel cost, beside one."""
    one, four = step_cycles(1), step_cycles(CHANNELS)
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
            f"Computed by the data sheet of the {CARD.title}.",
            asked="four keys in a texel",
        )
    )
