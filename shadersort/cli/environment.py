"""What the command line changes in Python: signals and standard streams."""

import os
import signal
import sys
import threading
from _thread import interrupt_main
from io import TextIOWrapper
from types import FrameType
from typing import Any

from shadersort.cli.failures import Interrupted


def replace_closed_streams() -> None:
    """Replace standard streams that the caller has closed, so that no other file takes their place.

    Reading or writing then fails as it does for any file; what goes to a closed standard error is
    lost.
    """
    flags = {"stdin": os.O_WRONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
    for name, flag in flags.items():
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            stream = os.fdopen(os.open(os.devnull, flag), mode, encoding="utf-8")
            setattr(sys, name, stream)


def escape_unknown_characters() -> None:
    """Let the standard output take any text: as escapes, if its encoding lacks a character."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def handle_signals() -> None:
    """End the process by exceptions, so that files are closed and no part of an output is left.

    Where Python can only print an exception, in finalizers and callbacks of C, the signal is sent
    again.
    """
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    sys.unraisablehook = _send_again


def _leave(number: int, frame: FrameType | None) -> None:
    raise Interrupted if number == signal.SIGINT else SystemExit(128 + number)


def _send_again(lost: Any) -> None:
    """Send a signal again whose exception was lost; print other exceptions."""
    code = getattr(lost.exc_value, "code", None)
    if not isinstance(lost.exc_value, SystemExit) or not isinstance(code, int) or code <= 128:
        sys.__unraisablehook__(lost)
        return
    timer = threading.Timer(0.01, _signal_main_thread, [code - 128])
    timer.daemon = True
    timer.start()


def _signal_main_thread(number: int) -> None:
    """Send a signal to the main thread; where the system can, a call that waits ends at once."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        interrupt_main(signal.Signals(number))
