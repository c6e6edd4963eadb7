"""Guesses that several lessons ask for: how long one thing takes beside another."""

from collections.abc import Mapping, Sequence

from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece, nearest


def how_long(
    question: str,
    bars: Mapping[str, float],
    factors: Mapping[str, float],
    unit: str,
    why: str,
    source: str,
) -> Piece:
    """Ask how long the second of two bars is, as a multiple of the first."""
    first, second = bars.values()
    choices = {name: first * factor for name, factor in factors.items()}
    right = nearest(choices, second)
    asked = list(bars)[1]
    return guess_piece(Guess(question, choices, right, bars, unit, why, source, asked))


def times(factors: Sequence[float]) -> dict[str, float]:
    """Return choices "as long", "2 times as long", "a tenth of the time" and so on."""
    return {_named(factor): factor for factor in factors}


def _named(factor: float) -> str:
    if factor < 1:
        return f"1/{1 / factor:,.0f} of the time"
    return "about as long" if factor == 1 else f"{factor:,g} times as long"
