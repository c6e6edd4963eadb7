"""Threads take turns with one summary of any kind, and a forked child can use it."""

import copy
import os
import pickle
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from threading import Barrier, Event, Thread
from typing import Any

import numpy as np
import pytest

from shadersort.errors import UnsupportedKeys
from shadersort.streams import CorrelatedSum, Histogram, QuantileSummary
from shadersort.streams.summary import Summary
from tests.streams.every import LISTS, MAKERS, MERGING, feed, made, no_value, stream_for

THREADS = 8
PARTS = 16
"""Updates of each thread."""
PATIENCE = 60
"""Seconds after which a child is taken for one that hangs."""


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
    """Every thread brings one value only, so no order of the updates is another stream.

    Updates that fail undo nothing of the others.
    """
    value, sizes = stream_for(name, 1), np.random.default_rng(8).integers(1, 400, PARTS)
    summary = made(name, [value])  # so there is something to ask about, and its type is known
    pairs = 1 + isinstance(summary, CorrelatedSum)

    def update() -> None:
        for size in sizes:
            feed(summary, np.repeat(value, size))

    def question() -> None:
        for _ in range(PARTS):
            ask(summary)

    def fail() -> None:
        for _ in range(PARTS):
            with pytest.raises(UnsupportedKeys):
                summary.update(*[iter([np.repeat(value, 90), no_value(summary)])] * pairs)

    at_once(*[update] * (THREADS - 4), question, question, fail, fail)
    whole = made(name, [value] + [np.repeat(value, size) for size in sizes] * (THREADS - 4))
    assert alike(name, summary, whole)
    assert summary.n == 1 + (THREADS - 4) * int(sizes.sum())


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


def in_a_child(work: Callable[[], Any]) -> Any:
    """What a function returns in a forked child."""
    context: Any = get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=lambda: theirs.send(work()))
    with warnings.catch_warnings():  # forking with threads, from Python 3.12 on
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    theirs.close()  # then a child that failed has closed its end, too
    try:
        assert ours.poll(PATIENCE), "the child hangs"
        return ours.recv()
    finally:
        child.kill()
        child.join()


class Paused:
    """Parts of a stream, the second of which waits until it may come."""

    def __init__(self, stream: Any) -> None:
        self._halves = np.array_split(stream, 2)
        self.half_done, self.may_go_on = Event(), Event()

    def __iter__(self) -> Iterator[Any]:
        yield self._halves[0]
        self.half_done.set()
        assert self.may_go_on.wait(PATIENCE)
        yield self._halves[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_a_child_has_the_summary_as_before_the_update(name: str) -> None:
    """It uses a summary that another thread was updating at the fork."""
    summary = made(name, [stream_for(name, 12_345)])
    before, more = summary.to_bytes(), stream_for(name, 30_000, 2)
    paused = Paused(more)
    worker = Thread(target=feed, args=(summary, paused))
    worker.start()
    try:
        assert paused.half_done.wait(PATIENCE)

        def ask() -> tuple[bytes, bytes, str]:
            unchanged = summary.to_bytes()
            feed(summary, np.array_split(more, 2))
            return unchanged, summary.to_bytes(), repr(summary)

        unchanged, updated, told = in_a_child(ask)
    finally:
        paused.may_go_on.set()
        worker.join()
    assert unchanged == before
    assert (updated, told) == (summary.to_bytes(), repr(summary))
