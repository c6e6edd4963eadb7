"""Answers in Python: none harms its checker, and rules hold in whatever they call."""

import functools
import heapq
import os
import re
import sys
import time
from typing import Any

import IPython.core.autocall
import numpy as np
import pytest

from shadersort.lessons.exercises import SORTS, child
from tests.lessons.test_machinery import adds_one, increment, squares, with_runner


def endless_and_careless(keys: Any) -> Any:
    while True:
        try:
            while True:
                keys = keys + 0
        except Exception:
            continue


def slow(answer: Any, keys: Any) -> Any:
    time.sleep(0.01)
    return 2 * answer(keys)


def endless_in_one_line(keys: Any) -> Any:
    while True: pass  # noqa: E701  # fmt: skip


@pytest.mark.parametrize("processes", [True, False])
def test_an_endless_answer_is_stopped(processes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without processes at the next line; Python 3.11 sees none in a loop of one line."""
    monkeypatch.setattr(child, "PROCESSES", processes)
    limited, tracer = with_runner(seconds=0.3), sys.gettrace()
    for answer in (endless_and_careless, *[endless_in_one_line] * processes):
        started = time.monotonic()
        told = limited.check(answer).headline
        assert re.search(r"stopped at `.+` after 0\.3 seconds: does a loop never end\?", told)
        assert time.monotonic() - started < 20, "it runs once, and a new process starts"
    assert sys.gettrace() is tracer
    late = with_runner(outcome=slow, seconds=0.001)
    assert late.check(adds_one).state == "wrong"


def test_no_answer_leaves_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even one of a notebook, whose `quit` is IPython's, and holds the whole shell."""
    answers = [lambda keys: sys.exit(3), lambda keys: os._exit(3)]
    leave: Any = IPython.core.autocall.ExitAutocall(IPython)  # type: ignore[no-untyped-call]
    answers += [lambda keys: leave()]
    for answer, said in zip(answers, ("SystemExit", "exit code 3", "SystemExit"), strict=True):
        verdict = increment.check(answer)
        assert verdict.state == "wrong"
        assert said in verdict.headline
    monkeypatch.setattr(child, "PROCESSES", False)
    assert "SystemExit" in increment.check(answers[0]).headline


@functools.lru_cache
def count_down(n: int) -> int:
    return n and count_down(n - 1)


def test_an_answer_may_use_whatever_its_notebook_has() -> None:
    """Functions that remember, and what no process can be sent: then it runs in this one."""
    opened = sys.stdout
    for answer in (
        lambda keys: keys + 1 + count_down(5),
        lambda keys: keys + 1 + (opened is None),
    ):
        assert increment.check(answer).passed
    given = squares.check(lambda keys: (key**2 for key in keys)).about
    assert "the result is a value of type generator" in given


def test_a_change_is_told_beside_an_error() -> None:
    def pops(keys: Any) -> Any:
        keys[0] = 9
        return keys[99]

    assert "size 3. And it changed its argument `keys`" in increment.check(pops).about


def test_a_forbidden_name_and_the_specification_are_refused() -> None:
    strict = with_runner(forbidden=("concatenate",))
    assert strict.check(adds_one).passed
    verdict = strict.check(lambda keys: [np.concatenate([each]) for each in [keys + 1]])
    assert "uses concatenate" in verdict.headline
    own = increment.specification
    for answer in (
        own,
        functools.partial(own),
        lambda keys: helper(keys),
        lambda keys: [*map(own, [keys])],
    ):
        verdict = increment.check(answer)
        assert "wrong, it is the exercise's own specification: write yours" in verdict.headline
        assert verdict.hints


def helper(keys: Any) -> Any:
    return increment.specification(keys) // 2


def test_a_loop_is_refused_where_the_lesson_says_so() -> None:
    """A loop inside a function or a list counts, a loop of NumPy does not."""
    strict = with_runner(without_loop=True)
    assert strict.check(adds_one).passed

    def by_while(keys: Any) -> Any:
        def inside(at: int) -> None:
            while at < len(keys):
                at += 1

        inside(0)
        return keys + 1

    def one(key: Any) -> Any:
        return key + 1

    for answer in (
        *(by_while, lambda keys: np.array([key + 1 for key in keys])),
        *(lambda keys: by_while(keys), lambda keys: np.vectorize(one)(keys)),
        *(lambda keys: np.array([*map(one, keys)]), lambda keys: np.vectorize(one)(keys)),
        lambda keys: keys + 1 + sum(one(-1) for _ in range(30)),
    ):
        assert increment.check(answer).passed
        assert "has a loop" in strict.check(answer).headline


def test_what_sorts_is_seen_however_it_is_called() -> None:
    strict = with_runner(outcome=lambda answer, keys: 2 * answer(keys.copy()) + 2, forbidden=SORTS)
    alias, name = np.sort, "sort"
    for answer in (
        *(alias, lambda keys: alias(keys), lambda keys: getattr(np, name)(keys)),
        *(lambda keys: keys.sort() or keys, lambda keys: np.partition(keys, range(len(keys)))),
        lambda keys: heapq.nsmallest(len(keys), keys),
    ):
        assert "which this exercise forbids" in strict.check(answer).headline
    assert strict.check(lambda keys: np.partition(keys, 1)).case is not None
