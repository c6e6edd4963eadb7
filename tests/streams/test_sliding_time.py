"""Windows that values leave by count or by time: every answer is about those still in it."""

import pickle
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import BadOption, CorruptSummary, EmptyInput, NotMergeable, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.streams import SlidingFrequencies, SlidingQuantiles
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.summary import Summary
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.exact import assert_counts_within, assert_ranks_within

KINDS = [SlidingQuantiles, SlidingFrequencies]
GAPS = {
    "steady": lambda random, n: random.exponential(1, n),
    "all equal": lambda random, n: np.zeros(n),
    "ties": lambda random, n: random.integers(0, 2, n),
    "bursts": lambda random, n: (random.random(n) < 0.02) * random.integers(0, 300, n),
    "long silence": lambda random, n: np.where(random.random(n) < 0.01, 1e4, 0.01),
}
"""How the times of values grow, by name."""


def assert_within(summary: Any, alive: Keys, n: int | None = None) -> None:
    """The answers about the values in the window, or the last n of them, are as promised."""
    if not len(alive):
        with pytest.raises(EmptyInput, match="left the window"):
            summary.last(1).n or summary.last(1)._answer()
        assert "window" in summary._repr_html_()
        return
    values, epsilon = alive if n is None else alive[-n:], summary.epsilon
    asked = summary.last(min(n or summary.window, summary.window))
    least = max(len(values), summary._shortest)
    if isinstance(summary, SlidingQuantiles):
        assert_ranks_within(asked if n else summary, values, epsilon * least, extremes=False)
    elif len(values) == least:
        assert_counts_within(asked, values)
    else:
        items, counts = np.unique(values, return_counts=True)
        off = counts - asked.estimate(items)
        assert off.min() >= 0
        assert off.max() <= asked.count_error <= epsilon * least


@pytest.mark.explores
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ADVERSARIES)
def test_expired_values_count_no_more(name: str, kind: Any) -> None:
    for random, stream in draws(name, 6_000, count=STREAMS // 150):
        window = int(random.integers(2, 3_000))
        printed = bool(random.random() < 0.3)
        summary = kind(random.choice([0.5, 0.2, 0.05]), window, as_printed=printed)
        first = end = 0
        while end < stream.size:
            end += int(random.integers(1, 1_000))
            summary.update(stream[first if not end else end - len(stream[:end][end:]) :][:0])
            break
        for part in np.array_split(stream, 7):
            summary.update(part)
            end = summary.n
            first = max(first, end - window)
            leaving = int(random.integers(0, end - first + 1)) if random.random() < 0.7 else 0
            summary.expire(leaving)
            first += leaving
            assert summary.window_count == end - first
            if random.random() < 0.5:
                summary = Summary.from_bytes(summary.to_bytes())
            assert_within(summary, stream[first:end])
