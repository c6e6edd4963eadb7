"""Exercises: a specification in NumPy, cases, a check and hints.

An exercise asks for one function. A missing or wrong answer, one that raises an error, and one that
never ends do not stop a notebook: they give a `Verdict`, which shows "yours" beside "expected".
"""

import copy
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shadersort.lessons.shared.calling import TookTooLong, call, is_blank, names_used
from shadersort.lessons.shared.verdict import Verdict
from shadersort.pictures.matplotlib_types import Figure

Answer = Callable[..., Any]
"""The function that a student writes."""

Case = tuple[Any, ...]
"""The arguments of one call of the answer."""


def called(answer: Answer, *case: Any) -> Any:
    """Call the answer with a case; return the result. This is the usual `outcome`."""
    return answer(*case)


@dataclass(frozen=True, eq=False, slots=True)
class Exercise:
    """One function to write.

    Attributes
    ----------
    name
        The name of the function, in the lesson and in its solution.
    specification
        Returns the right result of a case, by NumPy.
    cases
        Makes the cases, from a generator with a fixed seed. The simplest case comes first, because
        the first case that fails is shown.
    hints
        From the gentlest hint to the last but one step of the solution.
    outcome
        Called with the answer and a case; returns what is compared with the specification. If an
        answer is a drawing command, `outcome` draws it.
    draw
        Called with a case, "yours" and "expected", which have one shape; returns a figure of both.
        None shows text.
    forbidden
        Names that the answer may not use, as the lesson says.
    seconds
        The longest time of one case.

    Examples
    --------
    >>> double = Exercise(
    ...     name="double",
    ...     specification=lambda keys: 2 * keys,
    ...     cases=lambda rng: [(np.array([1, 2]),), (rng.integers(9, size=4),)],
    ...     hints=("Adding works, too.",),
    ... )
    >>> double.check(lambda keys: keys + keys).passed
    True
    >>> double.check(lambda keys: keys**2)
    double: wrong, in case 1 of 2
      given     array([1, 2])
      yours     array([1, 4])
      expected  array([2, 4])
      hints     lesson.double.hint(1)
    >>> double.check(lambda keys: ...)
    double: not yet. Write it in place of the dots, and run the cell again.
      hints     lesson.double.hint(1)
    """

    name: str
    specification: Callable[..., Any]
    cases: Callable[[np.random.Generator], Iterable[Case]]
    hints: tuple[str, ...]
    outcome: Callable[..., Any] = called
    draw: Callable[[Case, Any, Any], Figure] | None = None
    forbidden: tuple[str, ...] = ()
    seconds: float = 10.0

    def check(self, answer: Answer) -> Verdict:
        """Try an answer on every case; return the verdict. Errors of the answer are not raised."""
        if broken := sorted(names_used(answer) & set(self.forbidden)):
            about = f"it uses {' and '.join(broken)}, which this exercise forbids"
            return Verdict(self.name, "wrong", about, self.hints)
        cases = list(self.cases(np.random.default_rng(0)))
        for number, case in enumerate(cases, start=1):
            if verdict := self._tried(answer, case, f"in case {number} of {len(cases)}"):
                return verdict
        return Verdict(self.name, "right", f"in all {len(cases)} cases")

    def _tried(self, answer: Answer, case: Case, where: str) -> Verdict | None:
        """Return the verdict on an answer that fails in a case; None if it is right."""
        expected = self.specification(*copy.deepcopy(case))
        given = copy.deepcopy(case)
        done = call(lambda: self.outcome(answer, *given), given, self.seconds)
        if isinstance(done.error, Unanswered) or (done.error is None and missing(done.result)):
            return Verdict(self.name, "not yet", _unreturned(answer, done.printed), self.hints)
        if done.error is not None:
            about = f"{where}: {_described(done.error, self.seconds)}"
            return self._wrong(about, case, None, expected)
        if not same(done.result, expected):
            return self._wrong(where, case, done.result, expected)
        if done.changed is not None:
            about = f"{where}: the result is right, but it changed {_named(answer, done.changed)}"
            return self._wrong(f"{about}; work on a copy", case, done.result, expected)
        return None

    def _wrong(self, about: str, case: Case, yours: Any, expected: Any) -> Verdict:
        figure = partial(self.picture, case, yours, expected)
        return Verdict(self.name, "wrong", about, self.hints, case, yours, expected, figure)

    def hint(self, number: int) -> str:
        """Return one hint, counted from 1."""
        if not 1 <= number <= len(self.hints):
            raise IndexError(f"{self.name} has {len(self.hints)} hints, from 1")
        return self.hints[number - 1]

    def picture(self, case: Case, yours: Any, expected: Any) -> Figure | None:
        """Return a figure of both, or None where the exercise or "yours" cannot be drawn."""
        if self.draw is None or yours is None or np.shape(yours) != np.shape(expected):
            return None
        return self.draw(case, yours, expected)


class Unanswered(Exception):
    """Raised by an `outcome` when the answer is still a blank."""


def missing(yours: Any) -> bool:
    """Return whether an answer is still a blank."""
    return yours is None or yours is ...


def answer_of(yours: Any) -> Any:
    """Return the result of an answer; raise Unanswered if it is still a blank."""
    if missing(yours):
        raise Unanswered
    return yours


def same(yours: Any, expected: Any) -> bool:
    """Return whether shape and values of an outcome are the expected ones; NaN equals NaN.

    Examples
    --------
    >>> same([1.0, float("nan")], np.array([1.0, np.nan])), same([[1]], [1]), same([[1], [1, 2]], 1)
    (True, False, False)
    """
    try:
        one, other = np.asarray(yours), np.asarray(expected)
    except ValueError:  # lists of unequal lengths are no array
        return isinstance(yours, list) and isinstance(expected, list) and yours == expected
    if one.shape != other.shape:
        return False
    floats = one.dtype.kind in "fc" and other.dtype.kind in "fc"
    return np.array_equal(one, other, equal_nan=floats)


def _unreturned(answer: Answer, printed: str) -> str:
    """Return what is said of an answer that returned nothing; "" if it is still a blank."""
    if is_blank(answer):
        return ""
    said = f" It printed {printed.strip()[:60]!r}." if printed.strip() else ""
    return f"it returned nothing.{said} End it with `return` and the result."


def _named(answer: Answer, number: int) -> str:
    """Return an argument by its name in the answer."""
    code = getattr(answer, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code else ()
    return f"its argument `{names[number]}`" if number < len(names) else "an argument"


def _described(error: BaseException, seconds: float) -> str:
    """Return the name of an error and the line of the answer that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.line for frame in frames if "ipykernel" in frame.filename and frame.line]
    where = f" at `{lines[-1]}`" if lines else ""
    if isinstance(error, TookTooLong):
        return f"it was stopped{where} after {seconds:g} seconds: does a loop never end?"
    return f"it raised {type(error).__name__}{where}: {error}"
