"""Runs a student's function with a time limit; notes what it prints and what it changes."""

import dis
import io
import pickle
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType
from typing import Any

from shadersort.lessons.exercises.answers import Unanswered, WrongKind, answer_of
from shadersort.lessons.exercises.outcomes import Case, Outcome

Answer = Callable[..., Any]
"""The function that a student writes."""

MOST_SHOWN = 2000
"""Characters of a function's output that are passed on."""

PACKAGES = (str(Path(__file__).parents[2]), *sysconfig.get_paths().values())
"""The folders of code that is not the student's."""

END_IT = "End it with `return` and the result."

Tracer = Callable[[FrameType, str, Any], Any]


class TookTooLong(BaseException):
    """Raised inside a function whose time is over. `except Exception` does not catch it."""


@dataclass(frozen=True, eq=False, slots=True)
class PythonRunner:
    """Calls a function with a case."""

    # Takes what the answer returned; returns it in the form of the specification's result. Raises
    # WrongKind if it is of another kind.
    form: Callable[[Any], Any] = answer_of
    # Takes the answer and a case; returns what `form` takes. It may draw a drawing command.
    outcome: Callable[..., Any] = lambda answer, *case: answer(*case)
    forbidden: tuple[str, ...] = ()  # names that the answer may not use
    without_loop: bool = False  # whether the answer may not loop
    seconds: float = 10.0  # the longest time of a case
    names: tuple[str, ...] = ()  # of the arguments of a case after the first

    def refuse(self, answer: Any, case: Case) -> str:
        """Return how a function breaks a rule of the lesson; "" if it keeps them."""
        if used := sorted(find_names(answer) & {*self.forbidden, "specification"}):
            return f"it uses {' and '.join(used)}, which this exercise forbids"
        if self.without_loop and has_loop(answer):
            return "it has a loop, which this exercise forbids: NumPy works on whole arrays"
        return ""

    def run(self, answer: Any, case: Case) -> Outcome:
        """Call a function with a case; say in words what went wrong."""
        before = [pickle.dumps(each) for each in case]
        result, told, unanswered, printed = None, "", False, io.StringIO()
        try:
            with time_limit(self.seconds), redirect_stdout(printed):
                result = self.form(self.outcome(answer, *case))
        except Unanswered:
            unanswered = True
        except (Exception, TookTooLong) as error:
            told = self._describe(error)
        if unanswered:
            said = printed.getvalue().strip()[:60]
            told = f"it returned nothing.{f' It printed {said!r}.' if said else ''} {END_IT}"
        elif changed := [at for at, each in enumerate(case) if pickle.dumps(each) != before[at]]:
            told = told or f"it changed {_name_argument(answer, changed[0])}; work on a copy"
        return Outcome(result, told, unanswered, printed.getvalue()[:MOST_SHOWN])

    def _describe(self, error: BaseException) -> str:
        """Return the name of an error and the line of the answer that raised it."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.line for frame in frames if "ipykernel" in frame.filename and frame.line]
        where = f" at `{lines[-1]}`" if lines else ""
        if isinstance(error, TookTooLong):
            return f"it was stopped{where} after {self.seconds:g} seconds: does a loop never end?"
        if isinstance(error, WrongKind):
            return str(error)
        return f"it raised {type(error).__name__}{where}: {error}"


def _name_argument(answer: Answer, number: int) -> str:
    code = getattr(answer, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code else ()
    return f"its argument `{names[number]}`" if number < len(names) else "an argument"


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


def find_names(answer: Answer) -> set[str]:
    """Return the names that a function uses: globals, attributes and what it imports."""
    return {name for each in _codes(getattr(answer, "__code__", None)) for name in each.co_names}


def has_loop(answer: Answer) -> bool:
    """Return whether a function has a loop: `for`, `while`, or a list made by `for`."""
    codes = _codes(getattr(answer, "__code__", None))
    found = (each.opname for code in codes for each in dis.get_instructions(code))
    return any(name == "FOR_ITER" or "BACKWARD" in name for name in found)


def _codes(code: object) -> Iterator[CodeType]:
    """Yield the code of a function and of all functions inside it."""
    if isinstance(code, CodeType):
        yield code
        for inside in code.co_consts:
            yield from _codes(inside)
