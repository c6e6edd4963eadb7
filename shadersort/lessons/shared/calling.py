"""Calling a student's function: with a time limit, and with what it prints and changes noted."""

import dis
import io
import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType
from typing import Any

MOST_SHOWN = 2000
"""Characters of a function's output that are passed on."""

PACKAGES = (str(Path(__file__).parents[2]), *sysconfig.get_paths().values())
"""The folders of code that is not the student's."""

Tracer = Callable[[FrameType, str, Any], Any]

EMPTY = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP", "COPY_FREE_VARS"}
"""The instructions of a function that does nothing."""


class TookTooLong(BaseException):
    """Raised inside a function whose time is over. `except Exception` does not catch it."""


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """What one call of a student's function did.

    Attributes
    ----------
    result
        What it returned; None if it raised an error.
    error
        The error that it raised, or None.
    printed
        What it printed.
    changed
        The number of the first argument that it changed, from 0; None if it changed none.
    """

    result: Any
    error: BaseException | None
    printed: str
    changed: int | None


def call(
    outcome: Callable[[], Any], arguments: tuple[Any, ...], seconds: float, *, quiet: bool = False
) -> Call:
    """Call a function that uses some arguments; return what it did.

    What it prints is passed on, unless the call is quiet.

    Examples
    --------
    >>> keys = [3, 1]
    >>> call(lambda: keys.sort(), (keys,), 1.0).changed
    0
    """
    before = [pickle.dumps(each) for each in arguments]
    result, error, printed = None, None, io.StringIO()
    try:
        with time_limit(seconds), redirect_stdout(printed):
            result = outcome()
    except (Exception, TookTooLong) as raised:
        error = raised
    if not quiet:
        sys.stdout.write(printed.getvalue()[:MOST_SHOWN])
    after = [pickle.dumps(each) for each in arguments]
    changed = (at for at, each in enumerate(before) if each != after[at])
    return Call(result, error, printed.getvalue(), next(changed, None))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TookTooLong in a function called in this block, once the time is over.

    Python's tracing looks at the clock at each line of code that belongs to no package. So the
    error comes from a line of the student. Python ends the tracing then: an answer that catches
    every error can still go on. One call of NumPy is not interrupted.
    """
    end, before = monotonic() + seconds, sys.gettrace()

    def line(frame: FrameType, event: str, argument: Any) -> Tracer:
        if monotonic() > end:
            raise TookTooLong
        return line

    def function(frame: FrameType, event: str, argument: Any) -> Tracer | None:
        return None if frame.f_code.co_filename.startswith(PACKAGES) else line

    sys.settrace(function)
    try:
        yield
    finally:
        sys.settrace(before)


def is_blank(answer: Callable[..., Any]) -> bool:
    """Return whether a function has nothing but a docstring and dots.

    Examples
    --------
    >>> is_blank(lambda keys: ...), is_blank(lambda keys: print(keys))
    (True, False)
    """
    code = getattr(answer, "__code__", None)
    if code is None:
        return False
    return {each.opname for each in dis.get_instructions(code)} <= EMPTY


def names_used(answer: Callable[..., Any]) -> set[str]:
    """Return the names that a function uses: globals, attributes and what it imports.

    Examples
    --------
    >>> import numpy as np
    >>> sorted(names_used(lambda keys: np.unique(keys)))
    ['np', 'unique']
    """
    code = getattr(answer, "__code__", None)
    return {name for each in _codes(code) for name in each.co_names} if code else set()


def loops(answer: Callable[..., Any]) -> bool:
    """Return whether a function has a loop: `for`, `while`, or a list made by `for`.

    Examples
    --------
    >>> loops(lambda keys: [2 * key for key in keys]), loops(lambda keys: 2 * keys)
    (True, False)
    """
    code = getattr(answer, "__code__", None)
    if code is None:
        return False
    found = (each.opname for inside in _codes(code) for each in dis.get_instructions(inside))
    return any(name == "FOR_ITER" or "BACKWARD" in name for name in found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of all functions inside it."""
    yield code
    for inside in code.co_consts:
        if isinstance(inside, CodeType):
            yield from _codes(inside)
