"""Runs functions in a child process with a time limit, so that nothing they do can harm a notebook.

A student's shader may never end, or end the process that draws. Python cannot interrupt a driver,
but the system can end a process. So a `Child` runs such code in a process of its own, by `serve`,
keeps this process for the next call, and kills it when a call takes too long.
"""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Timer
from typing import Any, NamedTuple

PROCESSES = sys.platform != "emscripten"
"""Whether this system starts processes. Where it does not, calls run in this process."""

SECONDS_TO_START = 60.0
"""The longest time in which a child starts: it imports NumPy, and may open a device."""

LAST_WORDS = 400  # characters that are kept of what a child that ended wrote to its standard error

MARGIN = 5.0
"""Seconds after the time limit of a call, after which the process ends even without its parent."""

LATE = "it was stopped after {:g} seconds: does a loop never end?"


class ChildUnavailable(RuntimeError):
    """The child process did not start, or what prepares it raised an error."""


class Ended(NamedTuple):
    """How a call in a child ended."""

    result: Any  # what the function returned
    told: str  # why there is no result, in one line; "" if there is one


class Child:
    """A process that runs functions of importable modules, one after the other.

    The process starts at the first call and stays for the next. It is killed when a call takes too
    long or is interrupted; the next call starts another one. It ends with its parent; during a
    call, a few seconds after the call's time limit. Several threads may call: they take turns.

    The process first calls `prepare`, which opens a device, for example. No time limit counts this.
    """

    def __init__(self, prepare: Callable[[], object] = os.getpid) -> None:
        self._prepare = prepare
        self._process: _Process | None = None
        self._lock = Lock()

    def call(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Ended:
        """Call a function in the child; return how that ended. Errors of it are not raised.

        Function and arguments are pickled, so the function has a name in a module that can be
        imported: not in `__main__`, where a notebook's cells run. Raises ChildUnavailable if the
        process did not start.
        """
        if function.__module__ == "__main__":
            raise ValueError(f"{function.__name__} is in no module that a child could import")
        if not PROCESSES:
            result, told = _call(function, arguments)
            return Ended(result, told)
        request = pickle.dumps((function, arguments, seconds))
        with self._lock:
            if self._process is None or not self._process.is_running():
                self._process = _Process()
                preparing = pickle.dumps((self._prepare, (), 0.0))
                if told := self._process.ask(preparing, SECONDS_TO_START).told:
                    self._process.kill()
                    raise ChildUnavailable(told)
            return self._process.ask(request, seconds)

    def close(self) -> None:
        """End the process, if there is one. A later call starts another."""
        with self._lock:
            self._process = None

    @property
    def pid(self) -> int | None:
        """The number of the process, or None if there is none now."""
        running = self._process is not None and self._process.is_running()
        return self._process.popen.pid if self._process and running else None


class _Process:
    """A running child: requests go to its standard input, replies to its standard output."""

    def __init__(self) -> None:
        self.owner = os.getpid()  # a forked copy of this object owns no process
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (it is closed with the process)
        code = f"import sys; sys.path[:] = {sys.path!r}\nfrom {__name__} import serve\nserve()"
        self.popen: Any = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            start_new_session=True,  # Ctrl-C in a terminal is for the parent alone
        )

    def is_running(self) -> bool:
        """Return whether it is a child of this process, and has not ended."""
        return self.owner == os.getpid() and self.popen.poll() is None

    def ask(self, request: bytes, seconds: float) -> Ended:
        """Call a function; kill the process if this takes too long or is interrupted."""
        late, reply = Event(), None

        def stop() -> None:
            late.set()
            self.popen.kill()

        timer = Timer(seconds, stop)
        timer.start()
        try:
            pickle.dump(request, self.popen.stdin)
            self.popen.stdin.flush()
            reply = pickle.load(self.popen.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            pass  # the process has ended
        except BaseException:  # Ctrl-C: the child may still be at work
            self.kill()
            raise
        finally:
            timer.cancel()
            timer.join()
        if reply is None or late.is_set():
            how = self.kill()
            return Ended(
                None, LATE.format(seconds) if late.is_set() else f"the process ended: {how}"
            )
        result, told = reply
        return Ended(pickle.loads(result) if result else None, told)

    def kill(self) -> str:
        """End the process, if it is still there; return how it ended, if it did so by itself."""
        if self.errors.closed:
            return ""
        try:
            code = self.popen.wait(0.2)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            code = self.popen.wait()
        self.errors.seek(0)
        said = " ".join(self.errors.read().decode(errors="replace").split())[-LAST_WORDS:]
        for file in (self.errors, self.popen.stdin, self.popen.stdout):
            with suppress(OSError):
                file.close()
        how = f"signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"exit code {code}"
        return f"{how}{': ' + said if said else ''}"

    def __del__(self) -> None:
        if self.owner == os.getpid():
            self.kill()


def serve() -> None:
    """Reply to requests of standard input on standard output, until the input ends.

    Code that is called finds no input, and what it writes goes to standard error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            os._exit(0)  # a driver's threads may never end
        pickle.dump(_answer(request), replies)
        replies.flush()


def _answer(request: bytes) -> tuple[bytes, str]:
    """Call what a request asks for; return the pickled result, or what went wrong."""
    try:
        function, arguments, seconds = pickle.loads(request)
        _end_after(seconds and seconds + MARGIN)
        result, told = _call(function, arguments)
        return pickle.dumps(result if seconds else None), told  # what prepares, has no limit
    except Exception as error:
        return b"", _describe(error)
    finally:
        _end_after(0)


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, str]:
    """Call a function; return its result, or None and what went wrong."""
    try:
        return function(*arguments), ""
    except (Exception, SystemExit) as error:  # to leave is only the end of the call
        return None, _describe(error)


def _describe(error: BaseException) -> str:
    return f"it raised {type(error).__name__}: {error}"


def _end_after(seconds: float) -> None:
    """Let the system end this process after some seconds, whatever it does; 0 for not at all."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
