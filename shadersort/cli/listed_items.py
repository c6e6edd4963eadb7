"""Which items `shadersort frequent` lists: those above a support, or the most frequent ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Bounds:
    """An item, and how often it comes, at least and at most."""

    item: Any
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which items are listed.

    Attributes
    ----------
    support
        The share above which items are listed; None lists items of every share.
    top
        How many items are listed at most; None lists all.
    """

    support: float | None
    top: int | None

    def candidates(self, answers: Any) -> tuple[list[Bounds], list[Bounds]]:
        """Return the items that may have to be listed, the most frequent first, and the others.

        Without a support, the first are the `top` items with the largest estimates and those that
        may come as often; the others are all others that are held.
        """
        if self.support is not None:
            table = answers.frequent_items(self.support)
            return bounds(table["item"].tolist(), table["lower"], table["upper"]), []
        found = bounds_of(answers, [item for item, _ in answers.most_common()])
        least = found[self.top - 1].lower if self.top and self.top <= len(found) else 0
        often = [each for each in found if each.upper >= least]
        return often, [each for each in found if each.upper < least]


def bounds(items: Sequence[Any], lower: Any, upper: Any) -> list[Bounds]:
    """Return the bounds of items, given as columns."""
    rows = zip(items, np.asarray(lower).tolist(), np.asarray(upper).tolist(), strict=True)
    return [Bounds(*row) for row in rows]


def bounds_of(answers: Any, items: Sequence[Any]) -> list[Bounds]:
    """Return what a summary knows of some items."""
    dtype = getattr(answers, "dtype", None)
    asked = list(items) if dtype is None else np.array(items, dtype)
    return bounds(items, *answers.bounds(asked))
