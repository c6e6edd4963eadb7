"""Lesson 11: what to guess before it is shown."""

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.staging import stage
from shadersort.lessons.shared.guesses import ask
from shadersort.web.piece import Piece


def staged(keys: Keys, samples: int) -> Piece:
    """Ask how many keys one read stages."""
    found = stage(keys, keys.size // 2, samples)
    choices = {f"about {count:,}": float(count) for count in (400, 4_000, 40_000, 400_000)}
    bars = {"all keys": keys.size, "the sample": len(found.sample), "staged": len(found.staged)}
    return ask(
        f"Of {keys.size:,} keys {len(found.sample):,} are the sample. How many are staged?",
        choices,
        {name: float(count) for name, count in bars.items()},
        "keys",
        "The bracket is a few percent of the sample, and so of all keys.",
        "Counted here, with the package's sample and bracket.",
        asked="staged",
    )
