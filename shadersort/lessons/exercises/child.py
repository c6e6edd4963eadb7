"""Runs functions in a child process with a time limit, so that nothing they do can harm a notebook.

A student's shader may never end, or end the process that draws. Python cannot interrupt a driver,
but a process can end. So a `Child` runs such code in a process of its own, by `serve`, and keeps
this process for the next call. Python's `faulthandler` ends it there when a call takes too long.
"""

import faulthandler
import functools
import io
import linecache
import marshal
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from types import CodeType
from typing import Any, NamedTuple

from shadersort.lessons.exercises.watching import is_own

PROCESSES = sys.platform != "emscripten"
"""Whether this system starts processes. Where it does not, calls run in this process."""

SECONDS_TO_START = 60.0
"""The longest time in which a child starts: it imports NumPy, and may open a device."""

LAST_WORDS = 400  # characters that are kept of what a child that ended wrote to its standard error

LATE = "it was stopped{} after {:g} seconds: does a loop never end?"


class ChildUnavailable(RuntimeError):
    """The child process did not start, or it cannot be sent what it is to call."""


class Ended(NamedTuple):
    """How a call in a child ended."""

    result: Any  # what the function returned
    told: str = ""  # why there is no result, in one line; "" if there is one


class Child:
    """A process that runs functions of importable modules, one after the other.

    The process starts at the first call and stays for the next. It ends itself when a call takes
    too long, whatever it does, and is killed when one is interrupted; the next call starts another
    one. It ends with its parent; during a call, not later than the time limit. Several threads may
    call: they take turns.

    The process first calls `prepare`, which opens a device, for example. No time limit counts this.
    """

    def __init__(self, prepare: Callable[[], object] = os.getpid) -> None:
        self._prepare = prepare
        self._process: _Process | None = None
        self._lock = Lock()

    def call(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Ended:
        """Call a function in the child; return how that ended. Errors of it are not raised.

        The function has a name in a module that can be imported: not in `__main__`, where a
        notebook's cells run. Arguments may be functions of a notebook, which are sent with what
        they use. Raises ChildUnavailable if the process did not start, or cannot be sent them.
        """
        if function.__module__ == "__main__":
            raise ValueError(f"{function.__name__} is in no module that a child could import")
        if not PROCESSES:
            return _call(function, arguments)
        request = _send((function, arguments))
        with self._lock:
            if self._process is None or not self._process.is_running():
                self._process = _Process()
                preparing = _send((_prepare, (self._prepare,)))
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
        """Call a function; the process ends itself if this takes too long."""
        try:
            pickle.dump((request, seconds), self.popen.stdin)
            self.popen.stdin.flush()
            reply = pickle.load(self.popen.stdout)
            ended: Ended | None = pickle.loads(reply) if reply else None
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):  # the process has ended
            code, said = self.kill()
        except BaseException:  # Ctrl-C: the child may still be at work
            self.kill()
            raise
        else:
            if ended is None:
                raise ChildUnavailable("it cannot read what it was sent")
            return ended
        if code == 1 and "Timeout (" in said:
            frames = re.findall(r'File "(.+?)", line (\d+)', said)
            lines = (
                linecache.getline(name, int(at)).strip() for name, at in frames if is_own(name)
            )
            where = next((f" at `{line}`" for line in lines if line), "")
            return Ended(None, LATE.format(where, seconds))
        how = f"signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"exit code {code}"
        said = said[-LAST_WORDS:]
        return Ended(None, f"the process ended: {how}{': ' + said if said else ''}")

    def kill(self) -> tuple[int, str]:
        """End the process, if it is still there; return its exit code, and what it said."""
        if self.errors.closed:
            return 0, ""
        try:
            code = self.popen.wait(0.2)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            code = self.popen.wait()
        self.errors.seek(0)
        said = " ".join(self.errors.read().decode(errors="replace").split())
        for file in (self.errors, self.popen.stdin, self.popen.stdout):
            with suppress(OSError):
                file.close()
        return code, said

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
            request, seconds = pickle.load(requests)
        except EOFError:
            os._exit(0)  # a driver's threads may never end
        faulthandler.dump_traceback_later(SECONDS_TO_START, exit=True)
        reply = _answer(request, seconds)
        faulthandler.cancel_dump_traceback_later()
        pickle.dump(reply, replies)
        replies.flush()


def _answer(request: bytes, seconds: float) -> bytes:
    """Call what a request asks for; return how that ended, or b"" if the request is not read."""
    try:
        function, arguments = pickle.loads(request)
    except Exception:
        return b""
    faulthandler.dump_traceback_later(seconds, exit=True)  # modules are imported by now
    try:
        return pickle.dumps(_call(function, arguments))
    except Exception as error:
        return pickle.dumps(Ended(None, _describe(error)))


def _prepare(prepare: Callable[[], object]) -> None:
    prepare()  # what it returns stays here


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Ended:
    """Call a function; return its result, or what went wrong."""
    try:
        return Ended(function(*arguments))
    except (Exception, SystemExit) as error:  # to leave is only the end of the call
        return Ended(None, _describe(error))


def _describe(error: BaseException) -> str:
    return f"it raised {type(error).__name__}: {error}"


def _send(called: Any) -> bytes:
    """Pickle a function and its arguments; raise ChildUnavailable if they cannot be sent."""
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def reducer_override(self, value: Any) -> Any:
            if isinstance(value, CodeType):  # with the names of its file and lines
                return marshal.loads, (marshal.dumps(value),)
            if isinstance(value, functools._lru_cache_wrapper):
                return functools.cache, (value.__wrapped__,)
            if type(value).__module__.startswith(("IPython", "ipykernel")):  # its own `quit`
                return getattr, (sys, "exit")
            return super().reducer_override(value)

    sent = io.BytesIO()
    try:
        Pickler(sent).dump(called)
    except Exception as error:
        raise ChildUnavailable(_describe(error)) from None
    return sent.getvalue()
