"""Signals held back while OpenGL, GLFW or an import must not be interrupted.

Python runs the handler of a signal between any two instructions of the main thread, and the handler
of Ctrl-C raises KeyboardInterrupt there. moderngl creates Python objects while it links a program,
and does not check whether that succeeded: an exception at this moment ends the process with a
segmentation fault. An exception in a callback of GLFW is printed and lost. An exception between two
calls that belong together leaves a context current that is destroyed later.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

INTERRUPTED = 130
"""The exit code of a process that Ctrl-C ended: 128 and the number of the signal."""

Handler = Callable[[int, FrameType | None], Any]

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK", "SIGALRM", "SIGUSR1", "SIGUSR2")
"""Signals whose handlers often raise an exception."""
NUMBERS = tuple(int(getattr(signal, name)) for name in NAMES if hasattr(signal, name))

system: Any = getattr(signal, "_signal", signal)
"""The functions below `signal`, which convert no numbers to enumerations: ten times as fast."""


class HeldSignals:
    """A context manager that notes signals in its block, and delivers them right after it.

    Use the one instance, `held_signals`. Blocks nest; the outermost one counts. Only the main
    thread receives signals, so a block in another thread does nothing. A signal whose handler is
    not a Python function is left alone. Entering and leaving takes a few microseconds.

    Examples
    --------
    >>> seen = []
    >>> before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    >>> with held_signals:
    ...     signal.raise_signal(signal.SIGINT)
    ...     print(seen)
    []
    >>> len(seen), signal.signal(signal.SIGINT, before) is None
    (1, False)
    """

    def __init__(self) -> None:
        self._depth, self._thread = 0, 0
        self._handlers: dict[int, Handler] = {}  # as they were before the block
        self._noted: dict[int, None] = {}  # in the order of their arrival

    def __enter__(self) -> None:
        if not _in_main_thread():
            return
        if not self._depth:
            self._hold()
        self._depth += 1

    def __exit__(self, *error: object) -> None:
        if not _in_main_thread():
            return
        self._depth -= 1
        if not self._depth:
            self._give_back()

    def deliver(self) -> None:
        """Deliver the signals noted so far; called inside a block where an exception does no harm.

        So a long block ends soon after Ctrl-C.
        """
        if not self._noted or not _in_main_thread():
            return
        number = next(iter(self._noted))
        del self._noted[number]
        handler = self._handlers.get(number) or system.getsignal(number)
        try:
            if callable(handler):
                handler(number, sys._getframe())
        finally:
            self.deliver()

    def _hold(self) -> None:
        """Put `_note` in the place of every handler."""
        found = ((number, system.getsignal(number)) for number in NUMBERS)
        self._handlers = {number: handler for number, handler in found if callable(handler)}
        self._thread = threading.get_ident()
        try:
            for number in self._handlers:
                system.signal(number, self._note)
        except BaseException:  # a handler that was not replaced yet
            self._give_back()
            raise

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._noted[number] = None

    def _give_back(self) -> None:
        """Put every handler back, even if one of them raises meanwhile; then deliver."""
        try:
            while self._handlers:
                number, handler = next(iter(self._handlers.items()))
                if system.getsignal(number) == self._note:  # else the block has set another
                    system.signal(number, handler)
                del self._handlers[number]
        finally:
            if self._handlers:
                self._give_back()
            else:
                self.deliver()

    def _after_fork(self) -> None:
        """Give up a block of another thread: that thread does not exist in a forked child."""
        if self._depth and self._thread != threading.get_ident():
            self._depth = 0
            self._noted.clear()  # they were sent to the parent
            self._give_back()


def _in_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


held_signals = HeldSignals()
"""The one instance: `with held_signals:`."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=held_signals._after_fork)
