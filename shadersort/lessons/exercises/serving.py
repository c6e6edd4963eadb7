"""What runs in the process of a `Child`: it calls what it is told to, until its parent ends."""

import io
import os
import pickle
import signal
import sys
from contextlib import redirect_stdout
from typing import IO, Any

HEAD = 8
"""Bytes that say how many follow."""

MOST_PRINTED = 10_000
"""Characters of a call's output that are kept."""

MARGIN = 5.0
"""Seconds after the time limit of a call, after which the process ends even without its parent."""


class Beginning(io.TextIOBase):
    """A text file that keeps the beginning of what is written.

    Examples
    --------
    >>> file = Beginning(4)
    >>> print("some text", file=file)
    >>> file.text
    'some'
    """

    def __init__(self, most: int = MOST_PRINTED) -> None:
        super().__init__()
        self.most, self.text = most, ""

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, text: str) -> int:
        """Keep what there is room for; return the number of characters, as all files do."""
        self.text += text[: self.most - len(self.text)]
        return len(text)


def serve(life: int) -> None:
    """Answer requests of standard input on standard output, until the input ends.

    Code that is called finds no input, and what it writes past Python goes to standard error.
    `life` is a pipe of which the parent holds the other end, and writes nothing.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    own = os.getpid()
    while (request := read_frame(requests)) is not None:
        with Leash(life):
            answer = _answer(request)
        if os.getpid() != own:  # the call forked, and this is the copy
            os._exit(0)
        try:
            write_frame(answers, pickle.dumps(answer))
        except BrokenPipeError:  # its parent has ended
            break
    os._exit(0)  # a driver's threads may never end


def _answer(request: bytes) -> tuple[bool, bytes, str, str, str]:
    """Call what a request asks for; return the fields of an `_Answer`."""
    printed = Beginning()
    try:
        function, arguments, seconds = pickle.loads(request)
        end_after(seconds and seconds + MARGIN)
        with redirect_stdout(printed):
            result = pickle.dumps(function(*arguments))
    except BaseException as error:  # SystemExit, too: it is only the end of the call
        return False, b"", type(error).__name__, str(error), printed.text
    finally:
        end_after(0)
    return True, result, "", "", printed.text


def end_after(seconds: float) -> None:
    """Let the system end this process after some seconds, whatever it does; 0 for not at all."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


class Leash:
    """While a call runs, end this process as soon as its parent has ended.

    Between calls the process waits for a request, and finds the end of its input by itself. During
    a call nobody reads the input. Linux sends a signal when the other end of a pipe is closed, and
    this signal ends a process even inside a driver. Elsewhere the timer of `end_after` does.

    The pipe is not that of the requests: Linux also sends the signal for what is written, and it
    may do so when that has been read already.
    """

    def __init__(self, life: int) -> None:
        self._file = life

    def __enter__(self) -> None:
        self._set(True)

    def __exit__(self, *error: Any) -> None:
        self._set(False)

    def _set(self, on: bool) -> None:
        if not sys.platform.startswith("linux"):
            return
        import fcntl

        fcntl.fcntl(self._file, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(self._file, fcntl.F_GETFL)
        fcntl.fcntl(self._file, fcntl.F_SETFL, flags | os.O_ASYNC if on else flags & ~os.O_ASYNC)


def write_frame(file: IO[bytes], content: bytes) -> None:
    """Write bytes, after how many they are, to a file without a buffer."""
    left = memoryview(len(content).to_bytes(HEAD, "little") + content)
    while left:
        left = left[file.write(left) :]


def read_frame(file: IO[bytes]) -> bytes | None:
    """Return what one `write_frame` wrote, or None at the end of the file."""
    head = _read(file, HEAD)
    return None if head is None else _read(file, int.from_bytes(head, "little"))


def _read(file: IO[bytes], count: int) -> bytes | None:
    """Return this many bytes, or None if the file ends before."""
    content = bytearray()
    while len(content) < count:
        part = file.read(count - len(content))
        if not part:
            return None
        content += part
    return bytes(content)
