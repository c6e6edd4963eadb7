"""A fork while another thread uses a summary: the child uses it, without the half of an update."""

import os
import threading
import warnings
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from shadersort.keys.types import Keys
from shadersort.streams import CorrelatedSum, QuantileSummary
from tests.streams.every import MAKERS, stream_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
PATIENCE = 60
"""Seconds after which a child is taken for one that hangs."""


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


def update(summary: Any, stream: Any) -> None:
    """Update a summary, of one number or of pairs of equal ones."""
    if isinstance(summary, CorrelatedSum):
        arrays = [stream] if isinstance(stream, np.ndarray) else list(stream)
        summary.update(iter(arrays), iter(arrays))
    else:
        summary.update(stream)


class Paused:
    """Arrays of a stream whose second half waits until it may come."""

    def __init__(self, stream: Keys) -> None:
        self._halves = stream[: len(stream) // 2], stream[len(stream) // 2 :]
        self.half_done, self.may_go_on = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Keys]:
        yield self._halves[0]
        self.half_done.set()
        assert self.may_go_on.wait(PATIENCE)
        yield self._halves[1]


def paused_update(summary: Any, paused: Paused) -> None:
    """Update a summary by an iterator."""
    if isinstance(summary, CorrelatedSum):
        summary.update(iter(paused), (each.copy() for each in [*paused._halves]))
    else:
        summary.update(iter(paused))


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_a_child_has_the_summary_as_before_the_update(name: str) -> None:
    summary = MAKERS[name]()
    update(summary, stream_for(name, 12_345))
    before, more = summary.to_bytes(), stream_for(name, 30_000, 2)
    paused = Paused(more)
    worker = threading.Thread(target=paused_update, args=(summary, paused))
    worker.start()
    try:
        assert paused.half_done.wait(PATIENCE)

        def ask() -> tuple[bytes, bytes, str]:
            unchanged = summary.to_bytes()
            update(summary, iter(paused._halves))
            return unchanged, summary.to_bytes(), repr(summary)

        unchanged, updated, told = in_a_child(ask)
    finally:
        paused.may_go_on.set()
        worker.join()
    assert unchanged == before
    assert (updated, told) == (summary.to_bytes(), repr(summary))


def test_threads_of_a_child_take_turns() -> None:
    """More threads than the parent had: some of them have the numbers of lost ones."""
    summary = QuantileSummary(0.1).update([1.0])
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with summary._lock.rlock:
            held.set()
            let_go.wait(PATIENCE)

    def race() -> int:
        threads = [threading.Thread(target=summary.update, args=([2.0],)) for _ in range(20)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        return summary.n

    worker = threading.Thread(target=hold)
    worker.start()
    try:
        assert held.wait(PATIENCE)
        assert in_a_child(race) == 21
        assert in_a_child(lambda: in_a_child(race)) == 21
    finally:
        let_go.set()
        worker.join()
