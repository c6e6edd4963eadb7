"""What the command line changes in Python: standard streams, and lost interruptions."""

import codecs
import os
import signal
import sys
import threading
from _thread import interrupt_main
from io import TextIOWrapper
from typing import Any

PLAIN = str.maketrans(
    {
        "²": "^2",
        "×": "x",
        "·": "*",
        "−": "-",
        "–": "-",
        "…": "...",
        "≤": "<=",
        "≥": ">=",
        "≈": "~",
        "→": "->",
        "←": "<-",
        "↑": "up",
        "↓": "down",
        "µ": "u",
        "ε": "epsilon",
        "■": "#",
        "█": "#",
        "▌": ":",
    }
)
"""Characters of our own texts, in ASCII."""


def plainly(error: UnicodeError) -> tuple[str, int]:
    r"""Replace characters that a stream cannot encode: by ASCII that means the same, or escapes.

    Examples
    --------
    >>> "16,384² × é".encode("ascii", "shadersort.plainly")
    b'16,384^2 x \\xe9'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(PLAIN)
    return text.encode("ascii", "backslashreplace").decode(), error.end


codecs.register_error("shadersort.plainly", plainly)

ASCII = "shadersort_ascii"
"""ASCII by another name: click writes UTF-8 to a stream that says that it is ASCII."""


def _ascii(name: str) -> codecs.CodecInfo | None:
    if name != ASCII:
        return None
    found = codecs.lookup("ascii")
    return codecs.CodecInfo(
        found.encode,
        found.decode,
        found.streamreader,
        found.streamwriter,
        found.incrementalencoder,
        found.incrementaldecoder,
        ASCII,
    )


codecs.register(_ascii)


def replace_closed_streams() -> None:
    """Replace standard streams that the caller has closed, so that no other file takes their place.

    Reading or writing then fails as it does for any file; what goes to a closed standard error is
    lost.
    """
    opposite = {"stdin": (os.O_WRONLY, "r"), "stdout": (os.O_RDONLY, "w")}
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            flags, mode = opposite.get(name, (os.O_WRONLY, "w"))
            stream = os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8")
            setattr(sys, name, stream)


def take_any_text() -> None:
    """Let the standard output and error take any text, whatever their encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(
                encoding=ASCII if ascii_only else stream.encoding, errors="shadersort.plainly"
            )


def repeat_lost_interruptions() -> None:
    """Interrupt again where Python can only print an exception: finalizers, callbacks of C."""
    sys.unraisablehook = _on_unraisable


def _on_unraisable(lost: Any) -> None:
    number = _number_of(lost.exc_value)
    if number is None:
        sys.__unraisablehook__(lost)
        return
    timer = threading.Timer(0.01, _interrupt_main_thread, [number])
    timer.daemon = True
    timer.start()


def _interrupt_main_thread(number: int) -> None:
    """Send a signal to the main thread; where the system can, a call that waits ends at once."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        interrupt_main(signal.Signals(number))


def _number_of(error: BaseException | None) -> int | None:
    """Return the signal that raised an exception, or None for another exception."""
    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT
    if isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
        return error.code - 128
    return None
