"""Lesson 12: what to guess before it is shown."""

from shadersort.lessons.adversary.rounds import drawn_places, hostile, pivot_rounds
from shadersort.lessons.shared.guesses import ask, how_long, times
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.selecting import reads_of
from shadersort.web.piece import Piece


def killer() -> Piece:
    """Ask how long our buckets take for their enemy, beside uniform keys."""
    recorded = record("modern-nvidia-h200")
    bars = {
        "uniform keys": reads_of(recorded, "bucket"),
        "the Bucket Killer": reads_of(recorded, "bucket", "bucket-killer"),
    }
    return how_long(
        "How long do our buckets take for the Bucket Killer, beside uniform keys?",
        bars,
        times((1, 2, 20, 135)),
        "× one read",
        "Digits replace rounds that make no progress.",
        f"2²⁸ float32 keys; {recorded.label}.",
    )


def dice(n: int = 10_000) -> Piece:
    """Ask how many rounds quickselect takes with a seed that the adversary does not know."""
    keys = hostile(n, drawn_places(0))
    rounds = {
        seed: float(len(pivot_rounds(keys, n // 2, drawn_places(seed))[1]) - 1) for seed in (0, 1)
    }
    choices = {"about 20": 20.0, "about 200": 200.0, "just as many": rounds[0]}
    return ask(
        f"These {n:,} keys were chosen for seed 0. How many rounds does seed 1 take?",
        choices,
        {"seed 0": rounds[0], "seed 1": rounds[1]},
        "rounds",
        "The keys are bad at three places of each round, and seed 1 looks at other places.",
        "Counted here, with the package's rule for places.",
        asked="seed 1",
    )
