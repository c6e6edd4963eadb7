"""Runs a student's function in a child process; notes what it prints and what it changes."""

import io
import linecache
import pickle
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from time import monotonic
from types import FrameType
from typing import Any, Literal

from shadersort.lessons.exercises import child
from shadersort.lessons.exercises.answers import (
    Refused,
    Specification,
    Unanswered,
    WrongKind,
    answer_of,
)
from shadersort.lessons.exercises.comparing import describe
from shadersort.lessons.exercises.outcomes import Case, Outcome
from shadersort.lessons.exercises.watching import Watch, is_own

Answer = Callable[..., Any]  # the function that a student writes
MOST_SHOWN = 2000  # characters of a function's output that are passed on
END_IT = "End it with `return` and the result."

_student = child.Child(prepare=partial(import_module, "shadersort.lessons.exercises"))
"""The process that runs answers."""


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
    forbidden: tuple[str, ...] = ()  # names of what the answer may not call
    without_loop: bool = False  # whether the answer may not loop
    seconds: float = 10.0  # the longest time of a case
    names: tuple[str, ...] = ()  # of the arguments of a case after the first

    def run(self, answer: Any, case: Case) -> Outcome:
        """Call a function with a case in the child process; say in words what went wrong.

        It runs in this process if there are no others, or if it uses what cannot be sent.
        """
        if child.PROCESSES:
            given = self, answer, lines_of(answer), case
            with suppress(child.ChildUnavailable, OSError):
                result, told = _student.call(call_sent, *given, seconds=self.seconds)
                return result or Outcome(told=told)
        return self.call(answer, case, self.seconds)

    def call(self, answer: Any, case: Case, seconds: float = 0.0) -> Outcome:
        """Call a function with a case in this process; stop it after some seconds, if any."""
        before = [pickle.dumps(each) for each in case]
        result, told, printed, watch = None, "", io.StringIO(), Watch()
        verdict: Literal["", "not yet", "wrong"] = ""
        tracer = sys.gettrace()
        try:
            with redirect_stdout(printed):
                Specification.answering = True
                sys.settrace(_stop_after(seconds) if seconds else tracer)
                sys.setprofile(watch.note if self.forbidden or self.without_loop else None)
                result = self.form(self.outcome(answer, *case))
        except Unanswered:
            said = printed.getvalue().strip()[:60]
            told = f"it returned nothing.{f' It printed {said!r}.' if said else ''} {END_IT}"
            verdict = "not yet"
        except Refused as error:
            told, verdict = str(error), "wrong"
        except (Exception, SystemExit, TookTooLong) as error:
            told = self._describe(error)
        finally:
            sys.setprofile(None)
            sys.settrace(tracer)
            Specification.answering = False
        if broken := watch.find_broken_rule(answer, self.forbidden, self.without_loop):
            result, told, verdict = None, broken, "wrong"
        changed = [at for at, each in enumerate(case) if pickle.dumps(each) != before[at]]
        if changed and not verdict:
            also = f"it changed {_name_argument(answer, changed[0])}; work on a copy"
            told = f"{told}. And {also}" if told else also
        return Outcome(result, told, verdict, printed.getvalue()[:MOST_SHOWN])

    def _describe(self, error: BaseException) -> str:
        """Return the name of an error and the line of the answer that raised it."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.line for frame in frames if is_own(frame.filename) and frame.line]
        where = f" at `{lines[-1]}`" if lines else ""
        if isinstance(error, TookTooLong):
            return child.LATE.format(where, self.seconds)
        if isinstance(error, WrongKind):
            return str(error)
        return f"it raised {type(error).__name__}{where}: {error}"


def call_sent(
    runner: PythonRunner, answer: Any, lines: tuple[str, list[str]], case: Case
) -> Outcome:
    """Call a function that was sent to this process, with the lines of its file."""
    linecache.cache[lines[0]] = (0, None, lines[1], lines[0])  # of a cell: there is no such file
    outcome = runner.call(answer, case)
    try:
        pickle.dumps(outcome.result)
    except Exception:
        return Outcome(told=f"the result is {describe(outcome.result)}, which is not compared")
    return outcome


def lines_of(answer: Any) -> tuple[str, list[str]]:
    """Return the name of the file, or of the cell, in which a function stands, and its lines."""
    name = getattr(getattr(answer, "__code__", None), "co_filename", "")
    return name, linecache.getlines(name)


def _name_argument(answer: Answer, number: int) -> str:
    code = getattr(answer, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code else ()
    return f"its argument `{names[number]}`" if number < len(names) else "an argument"


def _stop_after(seconds: float) -> Any:
    """Return a tracer that raises TookTooLong at the first line of a student after some seconds.

    It ends with the error: an answer that catches every error can still go on.
    """
    end = monotonic() + seconds

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if monotonic() > end and event == "line":
            raise TookTooLong
        return trace if is_own(frame.f_code.co_filename) else None

    return trace
