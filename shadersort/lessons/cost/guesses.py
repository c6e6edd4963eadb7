"""Lesson 5: what to guess before it is computed."""

from shadersort.lessons.cost.prices import BASE, CARD, causes
from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece

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
