"""Windows of pairs in order, and levels of their summaries: groups of windows, each in a thread."""

from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.streams.correlated.mass_summaries import MassSummaries
from shadersort.streams.correlated.pairs import Pairs
from shadersort.streams.levels import Levels
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros

PART = 1 << 16
"""Pairs that are summarised at once, so that their arrays fit a cache: masses take 48 bytes."""
GROUP, LEAST, GROUPS = 1 << 19, 16, 4
"""A group has this many pairs or windows, but at most one of so many parts of all windows."""


def add_pairs(
    levels: Levels[Any],
    pairs: Pairs,
    step: int,
    slots: int,
    timed: Timed,
    order: Callable[[Any], Integers],
    mapped: Callable[..., Any],
) -> Levels[Any]:
    """Return levels with windows of pairs added, whose `order` and threads (`mapped`) are given.

    Groups of 2^k windows begin at multiples of 2^k, counted from the first window of the stream. So
    each becomes one bucket, the same one as if its windows had come one by one.
    """
    windows, length = pairs.x.shape
    rows = max(1, PART // length)
    most = min(max(GROUP // length, LEAST), windows // GROUPS)
    size = 1 << (max(rows, most).bit_length() - 1)
    empty = Levels(levels.compressed)
    first = -sum(1 << level for level in levels.buckets) % size
    bounds = sorted({0, *range(min(first, windows), windows, size), windows})

    def summarise(part: Pairs) -> MassSummaries:
        places = order(part.x) + np.arange(0, part.x.size, length)[:, None]
        x, y = (each.ravel().take(places) for each in (part.x, part.y))
        return MassSummaries.of_windows(plain_zeros(x), y, step, slots)

    def summarise_group(group: Pairs) -> dict[int, Any]:
        parts = [summarise(group[at : at + rows]) for at in range(0, len(group), rows)]
        stack = parts.pop().preceded_by(*parts)
        if len(group) < size:
            return {0: stack}
        return {**empty.with_stack(0, stack, lambda operation: nullcontext())[0].buckets}

    with timed("sort"):
        groups = list(mapped(summarise_group, [pairs[a:b] for a, b in pairwise(bounds)]))
    for group in groups:
        for level, stack in group.items():
            levels, _ = levels.with_stack(level, stack, timed)
    return levels
