"""Lesson 14: what to guess before it is shown."""

from shadersort.lessons.shared.guesses import how_long, times
from shadersort.lessons.shared.records import record
from shadersort.web.piece import Piece

KEYS = 1 << 26


def _asked(step: str, question: str, factors: tuple[float, ...], why: str) -> Piece:
    """Ask how long a step takes by drawing, as a multiple of computing it on the same chip."""
    recorded = record("steps-nvidia-h200")
    bars = {
        name: recorded.where(step=step, by=by, keys=KEYS)[0]["ms"]
        for name, by in (("computed", "CUDA"), ("drawn", "GLSL"))
    }
    source = f"64 million float32 keys; {recorded.label}."
    return how_long(question, bars, times(factors), "ms", why, source)


def counting() -> Piece:
    """Ask how much longer counting takes by drawing."""
    return _asked(
        "counts",
        "How long does it take to count the keys below a pivot by drawing, compared with computing "
        "on the same chip?",
        (5, 30, 150, 1000),
        "Every key needs a run of a shader, for a few instructions only.",
    )


def histogram() -> Piece:
    """Ask how much longer a histogram takes by drawing."""
    return _asked(
        "histogram",
        "And how long does a histogram of 256 buckets take, by 255 questions?",
        (150, 5000, 20_000, 100_000),
        "Each question draws all keys again.",
    )
