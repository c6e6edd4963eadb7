"""`--exact` of `shadersort frequent`: the items that may be frequent, counted by a second read."""

from typing import Any

import numpy as np

from shadersort.cli.inputs import Inputs
from shadersort.cli.item_streams import ItemSummary, read_again
from shadersort.errors import InputChanged
from shadersort.streams import WordFrequencies
from shadersort.streams.exact_counts import ExactNumberCounts, ExactWordCounts
from shadersort.streams.given_words import bytes_of, shown_word


def exact_counts(
    inputs: Inputs, summary: ItemSummary, items: list[Any], skip: int
) -> tuple[dict[Any, int], list[str]]:
    """Return how often items come after the first `skip` ones, and words that share a hash.

    The counts have those words, too: each had the hash of one of the items.
    """
    dtype = None if isinstance(summary, WordFrequencies) else summary.dtype
    words = dtype is None
    wanted: Any = [bytes_of(each) for each in items] if words else np.array(items, dtype)
    exact: Any = ExactWordCounts(wanted) if words else ExactNumberCounts(wanted)
    seen = 0
    for batch in read_again(inputs, words=words, dtype=dtype, skip=skip):
        exact.update(batch)
        seen += len(batch)
    check_unchanged(summary.n - skip, seen)
    counts = dict(zip(items, exact.of(wanted), strict=True))
    others = {shown_word(word): count for word, count in exact.others.items()} if words else {}
    return others | counts, sorted(others)


def check_unchanged(first: int, again: int) -> None:
    """Raise InputChanged unless a second read has found as many items as the first."""
    if first != again:
        raise InputChanged(
            f"there were {first:,} items at first, and {again:,} when they were read again"
        )
