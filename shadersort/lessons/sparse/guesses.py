"""Lesson 17: what to guess before it is shown."""

from math import log2

from shadersort.lessons.shared.guesses import ask
from shadersort.lessons.sparse.camera import fewest, trials
from shadersort.web.piece import Piece


def more_pixels(stars: int, few: int, many: int, numbers: range) -> Piece:
    """Ask how many measurements a sky with more pixels and as many stars takes."""
    enough = {
        f"{pixels:,} pixels": float(fewest(trials(pixels, stars, numbers)))
        for pixels in (few, many)
    }
    least, _ = enough.values()
    factor = many // few
    choices = {
        "about as many": least,
        "1.5 times as many": 1.5 * least,
        f"{factor} times as many": factor * least,
    }
    return ask(
        f"The same {stars} stars, but {factor} times as many pixels: how many measurements?",
        choices,
        enough,
        "measurements",
        f"The place of each star has {int(log2(factor))} more binary digits. Nothing else is new.",
        "Enough: from this number on, 9 of 10 skies were recovered. Computed here.",
        asked=list(enough)[1],
    )
