"""Lesson 11: what to guess before it is shown."""

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.staging import misses, stage
from shadersort.lessons.shared.guesses import ask
from shadersort.selection.primitives.one_read import WIDE
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


def missed(n: int, samples: int, throws: int = 1000) -> Piece:
    """Ask how often a bracket misses the median."""
    asked = f"{WIDE} standard errors"
    widths = {"1 standard error": 1.0, "2 standard errors": 2.0, asked: WIDE}
    bars = {name: float(misses(n, samples, wide, throws)) for name, wide in widths.items()}
    choices = {"never": 0.0, "about 10 times": 10.0, "about 100 times": 100.0}
    return ask(
        f"In {throws:,} throws, how often does the bracket of {asked} miss the median?",
        choices,
        bars,
        "misses",
        "A number that is drawn at random is hardly ever so far from what is expected.",
        f"Counted here, {throws:,} samples of {samples:,} keys each.",
        asked=asked,
    )
