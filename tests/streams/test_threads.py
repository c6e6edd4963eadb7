"""Threads: eight of them use one summary of every kind, and take turns."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

from shadersort.errors import UnsupportedKeys
from shadersort.streams import (
    CorrelatedSum,
    Histogram,
    QuantileSummary,
)
from shadersort.streams.summary import Summary
from tests.streams.every import LISTS, MAKERS, MERGING, feed, made, no_value, stream_for

THREADS = 8
PARTS = 16
"""Updates of each thread."""


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Return what functions return that begin together, each in a thread of its own."""
    barrier = Barrier(len(works))

    def begin(work: Callable[[], Any]) -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return [each.result(timeout=60) for each in [pool.submit(begin, work) for work in works]]


def ask(summary: Any) -> None:
    """Ask a summary something, and check that the answer is of one state."""
    again = Summary.from_bytes(summary.to_bytes())
    copy.deepcopy(summary), pickle.loads(pickle.dumps(summary)), len(summary), repr(summary)
    assert again.n <= summary.n
    if hasattr(summary, "quantile"):
        assert 0 <= summary.cdf(7.0) <= 1
        found = Histogram(summary, 5)
        assert found.counts.sum() == found.n
    elif hasattr(summary, "heavy_prefixes"):
        assert summary.heavy_prefixes(0.05)["lower"].min() >= 0
    else:
        asked = ["1", "2"] if summary.dtype == str else [1.0, 2.0]
        low, high = summary.bounds(asked)
        assert np.all(low <= high)


def alike(name: str, summary: Any, other: Any) -> bool:
    """Whether summaries are equal, or answer alike if the order of updates changes them."""
    if name not in LISTS:
        return bool(summary == other)
    counts = [(each.n, each.rank(3), each.minimum, each.maximum) for each in (summary, other)]
    return counts[0] == counts[1]


@pytest.mark.parametrize("name", MAKERS)
def test_eight_threads_lose_nothing(name: str) -> None:
    """Every thread brings one value only, so no order of the updates is another stream."""
    summary = MAKERS[name]()
    sizes = np.random.default_rng(8).integers(1, 400, PARTS)
    value = stream_for(name, 1)
    feed(summary, value)  # so there is something to ask about

    def update() -> None:
        for size in sizes:
            feed(summary, np.repeat(value, size))

    def question() -> None:
        for _ in range(PARTS):
            ask(summary)

    at_once(*[update] * (THREADS - 2), question, question)
    whole = made(name, [value] + [np.repeat(value, size) for size in sizes] * (THREADS - 2))
    assert alike(name, summary, whole)
    assert summary.n == 1 + 6 * int(sizes.sum())


@pytest.mark.parametrize("name", MAKERS)
def test_a_failed_update_undoes_nothing_of_other_threads(name: str) -> None:
    value = stream_for(name, 1)
    summary = made(name, [value])  # so its type is known
    pairs = 1 + isinstance(summary, CorrelatedSum)

    def update() -> None:
        for _ in range(PARTS):
            feed(summary, np.repeat(value, 90))

    def fail() -> None:
        for _ in range(PARTS):
            with pytest.raises(UnsupportedKeys):
                summary.update(*[iter([np.repeat(value, 90), no_value(summary)])] * pairs)

    at_once(*[update, fail] * (THREADS // 2))
    assert alike(name, summary, made(name, [np.repeat(value, 1 + 90 * PARTS * THREADS // 2)]))


@pytest.mark.parametrize("name", MERGING)
def test_merging_both_ways_at_once_ends(name: str) -> None:
    stream = stream_for(name, 30)
    one, other = made(name, [stream]), made(name, [stream])

    def merges(left: Any, right: Any) -> Callable[[], None]:
        def merge() -> None:
            for _ in range(4):
                left.merge(right)
                assert (left + right).n >= left.n - left.n
                assert len(Summary.from_bytes(right.to_bytes())) > 0

        return merge

    at_once(*[merges(one, other), merges(other, one)] * 2, merges(one, one))
    for each in (one, other):
        assert Summary.from_bytes(each.to_bytes()) == each
        assert each.n % np.count_nonzero(stream == stream) == 0


def test_an_iterator_may_ask_the_summary_that_it_updates() -> None:
    summary = QuantileSummary(0.1).update([0.0])

    def values() -> Any:
        for _ in range(3):
            assert summary.copy() == summary + QuantileSummary(0.1)
            yield np.full(1_000, summary.maximum + 1)

    worker = Thread(target=lambda: summary.update(values()), daemon=True)
    worker.start()
    worker.join(60)
    assert not worker.is_alive()
    assert (summary.n, int(summary.maximum)) == (3_001, 3)
    assert abs(summary.rank(1.0) - 1_001) <= 0.1 * summary.n
