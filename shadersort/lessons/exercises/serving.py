"""What runs in the process of a `Child`: it calls what it is told to, until its parent ends."""

import os
import pickle
import signal

MARGIN = 5.0
"""Seconds after the time limit of a call, after which the process ends even without its parent."""


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
        pickle.dump(_call(request), replies)
        replies.flush()


def _call(request: bytes) -> tuple[bytes, str]:
    """Call what a request asks for; return the pickled result, or what went wrong."""
    try:
        function, arguments, seconds = pickle.loads(request)
        _end_after(seconds and seconds + MARGIN)
        result = function(*arguments)
        return pickle.dumps(result if seconds else None), ""  # what prepares, has no limit
    except BaseException as error:  # SystemExit, too: it is only the end of the call
        return b"", f"it raised {type(error).__name__}: {error}"
    finally:
        _end_after(0)


def _end_after(seconds: float) -> None:
    """Let the system end this process after some seconds, whatever it does; 0 for not at all."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
