"""Signals are held back, and none is lost."""

import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from shadersort.drawing.signals import HeldSignals, held_signals


@pytest.fixture
def seen() -> Iterator[list[int]]:
    """The signals that the handlers of this test were called for."""
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        if number == signal.SIGINT:
            raise KeyboardInterrupt

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    before = {number: signal.signal(number, note) for number in numbers}
    yield seen
    for number, handler in before.items():
        signal.signal(number, handler)


def send(*numbers: int) -> None:
    for number in numbers:
        signal.raise_signal(number)


def test_every_signal_is_delivered_once_after_the_outermost_block(seen: list[int]) -> None:
    """Though one raises: an error of the block is the context of the interruption."""
    early: list[int] = []

    def block() -> None:
        with held_signals:
            with held_signals:
                send(signal.SIGTERM, signal.SIGINT, signal.SIGINT, signal.SIGALRM)
            early.extend(seen)
            raise LookupError

    with pytest.raises(KeyboardInterrupt) as caught:
        block()
    assert not early
    assert isinstance(caught.value.__context__, LookupError)
    with held_signals:
        pass
    assert seen == [signal.SIGTERM, signal.SIGINT, signal.SIGALRM]


def test_a_long_block_delivers_where_it_says(seen: list[int]) -> None:
    reached = False
    with held_signals:
        send(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            held_signals.deliver()
        held_signals.deliver()
        send(signal.SIGTERM)
        reached = seen == [signal.SIGINT]
    assert reached
    assert seen == [signal.SIGINT, signal.SIGTERM]
    held_signals.deliver()


def test_handlers_are_as_before(seen: list[int]) -> None:
    def handlers() -> list[Any]:
        return [signal.getsignal(number) for number in signal.valid_signals()]

    before = handlers()
    with held_signals:
        assert handlers() != before
    assert handlers() == before
    with pytest.raises(KeyboardInterrupt), held_signals:
        send(signal.SIGINT)
    assert handlers() == before
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with held_signals:
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


class Meanwhile:
    """The system's functions, where a signal arrives just before or after the n-th call."""

    def __init__(self, call: int, *, after: bool) -> None:
        self._left, self._after = call, after

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                send(signal.SIGINT)
            result = getattr(signal, name)(*arguments)
            if self._left == 0 and self._after:
                send(signal.SIGINT)
            return result

        return call


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", range(1, 40))
def test_a_signal_at_any_moment_of_entering_and_leaving(
    call: int, after: bool, seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It raises once, and the handlers are as before."""
    before = [signal.getsignal(number) for number in signal.valid_signals()]
    monkeypatch.setattr("shadersort.drawing.signals.system", Meanwhile(call, after=after))
    held = HeldSignals()
    raised = 0
    try:
        with held:
            send(signal.SIGTERM)
    except KeyboardInterrupt:
        raised += 1
    assert raised == seen.count(signal.SIGINT) <= 1
    assert [signal.getsignal(number) for number in signal.valid_signals()] == before
    monkeypatch.undo()
    with held:
        pass
    assert seen.count(signal.SIGINT) == raised


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # Python 3.12 on
def test_a_forked_child_gives_up_the_block_of_another_thread(seen: list[int]) -> None:
    """The main thread is in a block; the thread that forks is the main one of the child."""
    answers: list[int] = []

    def fork() -> None:
        child = os.fork()
        if not child:
            held_signals.deliver()
            os._exit(0 if signal.getsignal(signal.SIGINT) == handler else 1)
        answers.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    handler = signal.getsignal(signal.SIGINT)
    with held_signals:
        thread = threading.Thread(target=fork)
        thread.start()
        thread.join()
    assert answers == [0]
