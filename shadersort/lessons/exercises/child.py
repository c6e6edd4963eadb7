"""Runs functions in a child process with a time limit, so that nothing they do can harm a notebook.

A student's shader or kernel may never end, or end the process that runs it. Python cannot interrupt
a driver, but the system can end a process. So a `Child` runs such code in a process of its own,
keeps this process for the next call, and kills it when a call takes too long.
"""

import atexit
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from weakref import WeakSet

from shadersort.lessons.exercises.serving import read_frame, write_frame

SECONDS_TO_START = 60.0
"""The longest time in which a child starts: it imports NumPy, and may open a device."""

SECONDS_BETWEEN_LOOKS = 0.05
"""How often a call looks whether its process still runs."""

LAST_WORDS = 400
"""Characters that are kept of what a child that ended wrote to its standard error."""

Prepare = Callable[[], object]
State = Literal["returned", "raised", "took too long", "ended"]


class ChildUnavailable(RuntimeError):
    """The child process did not start, or what prepares it raised an error."""


@dataclass(frozen=True, eq=False, slots=True)
class Ended:
    """How a call in a child ended.

    Attributes
    ----------
    state
        "returned"; "raised" an error; "took too long", and was killed; or the process "ended".
    result
        What the function returned.
    error, message
        The name of the type of the error that it raised, and its text.
    printed
        The beginning of what it printed.
    told
        Why there is no result, in one line; "" if there is one.
    """

    state: State
    result: Any = None
    error: str = ""
    message: str = ""
    printed: str = ""
    told: str = ""


class Child:
    """A process that runs functions of importable modules, one after the other.

    The process starts at the first call and stays for the next. It is killed when a call takes too
    long or is interrupted; the next call starts another one. It ends with its parent, however the
    parent ends. Several threads may call: they take turns.

    Parameters
    ----------
    prepare
        A function that the process calls once, when it starts: it opens a device, for example. The
        time limit of a call does not count it.
    environment
        Variables that the process sees in addition to those of its parent.

    Examples
    --------
    >>> import math, time
    >>> child = Child()
    >>> child.call(math.sqrt, 4.0, seconds=10).result
    2.0
    >>> child.call(math.sqrt, -4.0, seconds=10).error
    'ValueError'
    >>> child.call(time.sleep, 60, seconds=0.1).told
    'it was stopped after 0.1 seconds'
    >>> child.close()
    """

    def __init__(
        self, prepare: Prepare | None = None, environment: dict[str, str] | None = None
    ) -> None:
        self._prepare, self._environment = prepare, environment or {}
        self._process: _Process | None = None
        self._lock = threading.Lock()
        _children.add(self)

    def call(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Ended:
        """Call a function in the child; return how that ended. Errors of it are not raised.

        Function and arguments are pickled, so the function has a name in a module that can be
        imported: not in `__main__`, where a notebook's cells run.

        Raises
        ------
        ChildUnavailable
            The process did not start.
        """
        if function.__module__ == "__main__":
            raise ValueError(f"{function.__name__} is in no module that a child could import")
        request = pickle.dumps((function, arguments, seconds))
        with self._lock:
            process = self._started()
            try:
                answer = process.asked(request, seconds)
            except BaseException as error:  # also Ctrl-C: the child may still be at work
                self._kill()
                if isinstance(error, queue.Empty):
                    told = f"it was stopped after {seconds:g} seconds"
                    return Ended("took too long", told=told)
                raise
            if answer is None:
                return Ended("ended", told=f"the process ended: {self._kill()}")
        return _ended(answer)

    def close(self) -> None:
        """End the process, if there is one. A later call starts another."""
        with self._lock:
            self._kill()

    @property
    def pid(self) -> int | None:
        """The number of the process, or None if there is none now."""
        return self._process.popen.pid if self._process else None

    def __del__(self) -> None:
        self._kill()

    def _started(self) -> "_Process":
        """Return the process, which may be new; it is ready."""
        if self._process and self._process.popen.poll() is not None:
            self._kill()  # it ended between two calls
        if self._process is None:
            self._process = _Process(self._environment)
            try:
                request = pickle.dumps((_prepared, (self._prepare,), 0.0))
                answer = self._process.asked(request, SECONDS_TO_START)
            except BaseException as error:
                self._kill()
                if isinstance(error, queue.Empty):
                    raise ChildUnavailable(f"not ready after {SECONDS_TO_START:g} s") from None
                raise
            if answer is None:
                raise ChildUnavailable(f"the process did not start: {self._kill()}")
            if not answer.returned:
                self._kill()
                raise ChildUnavailable(_ended(answer).told)
        return self._process

    def _kill(self) -> str:
        """End the process, if there is one; return how it ended."""
        process, self._process = self._process, None
        return process.kill() if process else ""

    def _after_fork(self) -> None:
        """Leave the process to the parent of this one, and let it end when that parent ends."""
        self._lock = threading.Lock()
        if self._process:
            self._process.forget()
            self._process = None


_children: WeakSet[Child] = WeakSet()


def _each_child(act: Callable[[Child], None]) -> None:
    for child in list(_children):
        act(child)


atexit.register(_each_child, Child.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _each_child(Child._after_fork))


class _Answer(NamedTuple):
    """What a child sends back."""

    returned: bool
    result: bytes  # pickled
    error: str
    message: str
    printed: str


def _ended(answer: _Answer) -> Ended:
    if answer.returned:
        return Ended("returned", pickle.loads(answer.result), printed=answer.printed)
    told = f"it raised {answer.error}: {answer.message}"
    return Ended("raised", None, answer.error, answer.message, answer.printed, told)


class _Process:
    """A running child: requests go to its standard input, a thread collects its answers."""

    def __init__(self, environment: dict[str, str]) -> None:
        life, holds = os.pipe()  # the child ends during a call if nobody holds the second end
        code = (
            f"import sys; sys.path[:] = {sys.path!r}\n"
            f"from shadersort.lessons.exercises.serving import serve\nserve({life})"
        )
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (it is closed with the process)
        self.popen = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            bufsize=0,  # a forked process can close a file that has no lock
            env={**os.environ, **environment},
            start_new_session=True,  # Ctrl-C in a terminal is for the parent alone
            pass_fds=(life,) if sys.platform.startswith("linux") else (),
        )
        os.close(life)
        self._holds = os.fdopen(holds, "wb", buffering=0)
        assert self.popen.stdin
        assert self.popen.stdout
        self._requests, self._replies = self.popen.stdin, self.popen.stdout
        self._answers: queue.SimpleQueue[_Answer | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._collect, daemon=True, name="answers")
        self._reader.start()

    def asked(self, request: bytes, seconds: float) -> _Answer | None:
        """Return the answer to a request, or None if the process ended; raise Empty if it is late.

        The process waits for a request, so it takes even a long one at once.
        """
        try:
            write_frame(self._requests, request)
        except OSError:  # it has ended
            return None
        end = time.monotonic() + seconds
        while True:
            ended = self.popen.poll() is not None  # before the look for what it wrote last
            left = end - time.monotonic()
            try:
                return self._answers.get(timeout=max(0.0, min(left, SECONDS_BETWEEN_LOOKS)))
            except queue.Empty:
                if ended:  # what it started may still hold the pipe open
                    return None
                if left <= 0:
                    raise

    def _collect(self) -> None:
        """Collect answers until nothing holds the other end of the pipe."""
        with self._replies:
            while (frame := read_frame(self._replies)) is not None:
                self._answers.put(_Answer(*pickle.loads(frame)))
        self._answers.put(None)

    def kill(self) -> str:
        """End the process and what it started; return how it ended, if it did so by itself."""
        self._requests.close()
        self._holds.close()
        try:
            code = self.popen.wait(0.2)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            code = self.popen.wait()
        if hasattr(os, "killpg"):  # processes that it forked are in its group
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        self._reader.join(SECONDS_BETWEEN_LOOKS)  # it waits on if a process left the group
        said = self._last_words()
        self.errors.close()
        how = f"signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"exit code {code}"
        return f"{how}{': ' + said if said else ''}"

    def forget(self) -> None:
        """Close what a forked process has of it."""
        for each in (self._requests, self._holds, self._replies, self.errors):
            each.close()
        self.popen.returncode = 0  # not a child of this process, so there is nothing to wait for

    def _last_words(self) -> str:
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").split("\n")
        return " ".join(line.strip() for line in lines if line.strip())[-LAST_WORDS:]


def _prepared(prepare: Prepare | None) -> None:
    """Call what prepares a child, in the child."""
    if prepare:
        prepare()
