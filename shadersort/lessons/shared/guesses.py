"""Guesses that several lessons ask for: how long one thing takes beside another."""

from collections.abc import Mapping, Sequence

from shadersort.web.piece import Piece
from shadersort.web.pieces import Guess, guess_piece, nearest


def ask(
    question: str,
    choices: Mapping[str, float],
    bars: Mapping[str, float],
    unit: str,
    why: str,
    source: str,
    asked: str,
) -> Piece:
    """Ask how long a bar is; the right choice is the one that is nearest to it."""
    value = float(bars[asked])
    equal = [name for name, each in choices.items() if each == value]
    some = {name: each for name, each in choices.items() if each}
    right = equal[0] if equal else nearest(some, value)
    return guess_piece(Guess(question, choices, right, bars, unit, why, source, asked))


def how_long(
    question: str,
    bars: Mapping[str, float],
    factors: Mapping[str, float],
    unit: str,
    why: str,
    source: str,
) -> Piece:
    """Ask how long the second of two bars is, as a multiple of the first."""
    first, _ = bars.values()
    choices = {name: first * factor for name, factor in factors.items()}
    return ask(question, choices, bars, unit, why, source, list(bars)[1])


def times(factors: Sequence[float]) -> dict[str, float]:
    """Return choices "as long", "2 times as long", "a tenth of the time" and so on."""
    return {_named(factor): factor for factor in factors}


def _named(factor: float) -> str:
    if factor < 1:
        return f"1/{1 / factor:,.0f} of the time"
    return "about as long" if factor == 1 else f"{factor:,g} times as long"
