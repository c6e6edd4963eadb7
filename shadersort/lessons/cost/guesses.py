"""Lesson 5: what to guess before it is computed."""

from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.cost.prices import BASE, CARD, causes, step_cycles
from shadersort.lessons.shared.guesses import how_long
from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece

SOURCE = f"Computed by the data sheet of the {CARD.title}."


def largest_cause() -> Piece:
    """Ask what takes most of the time of a sort of 8 million keys."""
    parts = causes(BASE)
    question = "What takes most of the time of a sort of 8 million keys?"
    why = "All keys cross the bus twice only, and are drawn in hundreds of steps."
    largest = max(parts, key=lambda name: parts[name])
    return guess_piece(Guess(question, parts, largest, parts, "seconds", why, SOURCE))


def four_channels() -> Piece:
    """Ask what four keys in a texel cost, beside one."""
    return how_long(
        "A step takes some time with one key in each texel. How long does it take with four?",
        {"one key in a texel": step_cycles(1), "four keys in a texel": step_cycles(CHANNELS)},
        {"just as long": 1, "a quarter longer": 1.25, "twice as long": 2, "4 times as long": 4},
        "cycles for a texel",
        "Computing takes as long for four channels as for one. Only the copies wait for the "
        "memory, which has four times as much to move.",
        SOURCE,
    )
