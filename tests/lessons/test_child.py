"""Code of students runs in a child process: it harms nothing, and nothing of it stays behind."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.lessons.exercises.child import Child, ChildUnavailable
from tests.lessons import in_child

ENOUGH = 30.0  # seconds for a call that ends soon

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    kept = Child()
    yield kept
    kept.close()


def is_alive(pid: int) -> bool:
    """Whether a process exists and has not ended; one that nobody waited for has."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def ends(pid: int, seconds: float = ENOUGH) -> bool:
    """Whether a process ends within some seconds."""
    end = time.monotonic() + seconds
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_alive(pid)


def test_a_call_returns_its_result_and_the_process_stays(child: Child) -> None:
    done = child.call(np.sum, np.arange(5), seconds=ENOUGH)
    assert (done.result, done.told) == (10.0, "")
    before = child.pid
    assert child.call(os.getpid, seconds=ENOUGH).result == before != os.getpid()


def test_results_and_arguments_may_be_big(child: Child) -> None:
    keys = child.call(np.ones, 4_000_000, seconds=ENOUGH).result
    assert np.array_equal(keys, np.ones(4_000_000))
    assert child.call(np.sum, keys, seconds=ENOUGH).result == 4e6


@pytest.mark.parametrize("endless", [in_child.loops, in_child.holds_the_interpreter])
def test_an_endless_call_is_killed_and_the_process_replaced(child: Child, endless: Any) -> None:
    child.call(np.sum, np.ones(2), seconds=ENOUGH)
    before = child.pid
    done = child.call(endless, seconds=0.3)
    assert re.fullmatch(r"it was stopped at `.+` after 0\.3 seconds: does a loop .+", done.told)
    assert before is not None
    assert not is_alive(before)
    assert child.pid is None
    assert child.call(np.sum, np.ones(2), seconds=ENOUGH).result == 2.0


def test_a_crash_is_told_with_its_signal_and_its_last_words(child: Child) -> None:
    done = child.call(in_child.abort, seconds=ENOUGH)
    assert done.told == "the process ended: signal 6 (Aborted): the driver gives up"
    assert child.call(os._exit, 7, seconds=ENOUGH).told == "the process ended: exit code 7"
    assert child.call(np.sum, np.ones(2), seconds=ENOUGH).result == 2.0


def test_a_process_that_ended_between_calls_is_replaced(child: Child) -> None:
    child.call(np.sum, np.ones(2), seconds=ENOUGH)
    before = child.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)
    assert child.call(np.sum, np.ones(2), seconds=ENOUGH).result == 2.0


def test_an_error_is_told_and_the_process_stays(child: Child) -> None:
    child.call(np.sum, np.ones(2), seconds=ENOUGH)
    before = child.pid
    done = child.call(divmod, 1, 0, seconds=ENOUGH)
    assert done.told == "it raised ZeroDivisionError: integer division or modulo by zero"
    assert child.call(sys.exit, 3, seconds=ENOUGH).told == "it raised SystemExit: 3"
    assert "pickle" in child.call(eval, "lambda: 1", seconds=ENOUGH).told
    assert child.pid == before


def test_what_is_printed_harms_nothing(child: Child, capfd: pytest.CaptureFixture[str]) -> None:
    assert child.call(in_child.talk, 100_000, seconds=ENOUGH).result == 100_000
    assert child.call(in_child.read_input, seconds=ENOUGH).result == ""
    assert capfd.readouterr().out == ""


def test_a_function_without_a_module_is_refused(child: Child) -> None:
    def written_in_a_notebook() -> None: ...

    written_in_a_notebook.__module__ = "__main__"
    with pytest.raises(ValueError, match="no module that a child could import"):
        child.call(written_in_a_notebook, seconds=ENOUGH)


def test_a_child_is_prepared_once_and_not_within_the_time_limit() -> None:
    child = Child(in_child.prepare)
    assert child.call(in_child.was_prepared, seconds=0.9).result is True
    child.close()
    assert child.pid is None
    with pytest.raises(ChildUnavailable, match="OSError: no device"):
        Child(in_child.fails_to_prepare).call(in_child.was_prepared, seconds=ENOUGH)


def test_a_child_that_nobody_closes_ends_with_its_object() -> None:
    child = Child()
    pid = child.call(os.getpid, seconds=ENOUGH).result
    del child
    assert ends(pid)


def test_threads_take_turns(child: Child) -> None:
    found: list[float] = []

    def ask(number: int) -> None:
        found.append(child.call(np.sum, np.full(3, number), seconds=ENOUGH).result)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(found) == [3.0 * number for number in range(8)]


def started(name: str) -> tuple["subprocess.Popen[str]", int]:
    """A parent in a process of its own, and the number of its child."""
    code = f"from tests.lessons.in_child import {name}; {name}()"
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert parent.stdout
    return parent, int(parent.stdout.readline())


def test_a_child_at_work_ends_after_the_time_of_its_call_if_its_parent_is_killed() -> None:
    parent, pid = started("parent_that_waits")
    with parent:
        time.sleep(0.3)  # it is at work by then
        assert is_alive(pid)
        parent.kill()
        assert ends(pid)


def test_ctrl_c_interrupts_the_call_and_ends_the_process() -> None:
    parent, pid = started("parent_that_is_interrupted")
    with parent:
        time.sleep(0.3)
        parent.send_signal(signal.SIGINT)
        assert ends(pid)
        assert parent.stdout
        following = int(parent.stdout.readline())
        assert parent.wait() == 0
    assert following != pid
    assert ends(following), "the next process ends with its parent"


@forks
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_a_forked_process_has_a_child_of_its_own(child: Child) -> None:
    before = child.call(os.getpid, seconds=ENOUGH).result
    forked = os.fork()
    if not forked:
        other = child.call(os.getpid, seconds=ENOUGH)
        child.close()
        os._exit(0 if other.result not in (None, before) else 1)
    assert os.waitpid(forked, 0)[1] == 0
    assert child.call(os.getpid, seconds=ENOUGH).result == before
