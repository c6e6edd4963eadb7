"""Exercises: a specification in NumPy, cases, a check and hints.

An exercise asks for one function. A missing or wrong answer, one that raises an error, and one that
never ends do not stop a notebook: they give a `Verdict`, which shows "yours" beside "expected".
"""

import copy
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from shadersort.lessons.shared.asked import Unanswered, WrongKind, answer_of, missing
from shadersort.lessons.shared.calling import Call, TookTooLong, call, is_blank, loops, names_used
from shadersort.lessons.shared.comparing import difference, same, shape, size
from shadersort.lessons.shared.mistakes import Case, Mistake, recognised
from shadersort.lessons.shared.verdict import Verdict
from shadersort.pictures.matplotlib_types import Figure

__all__ = ["Answer", "Case", "Exercise", "Mistake", "answer_of"]

Answer = Callable[..., Any]
"""The function that a student writes."""


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
        Makes the cases, from a generator with a fixed seed. They are tried from the smallest to
        the largest, so the case that is shown is the smallest one that fails.
    hints
        From the gentlest hint to the last but one step of the solution.
    outcome
        Called with the answer and a case; returns what is compared with the specification. If an
        answer is a drawing command, `outcome` draws it.
    draw
        Called with a case, "yours" and "expected", which have one shape; returns a figure of both.
        None shows text.
    forbidden
        Names that the answer may not use: as the lesson says, or because they are the answer.
    without_loop
        Whether the answer may not loop, as the lesson says.
    mistakes
        Known wrong answers. An answer that does the same as one of them in every case is told what
        went wrong. So no two of them do the same in every case.
    seconds
        The longest time of one case.

    Examples
    --------
    >>> double = Exercise(
    ...     name="double",
    ...     specification=lambda keys: 2 * keys,
    ...     cases=lambda rng: [(np.array([1, 2]),), (rng.integers(9, size=4),)],
    ...     hints=("Adding works, too.",),
    ...     mistakes=(Mistake("you squared the keys", lambda keys: keys * keys),),
    ... )
    >>> double.check(lambda keys: keys + keys).passed
    True
    >>> double.check(lambda keys: keys**2)
    double: wrong, in case 1 of 2
      given     array([1, 2])
      yours     array([1, 4])
      expected  array([2, 4])
      mistake   It looks as if you squared the keys.
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
    without_loop: bool = False
    mistakes: tuple[Mistake, ...] = ()
    seconds: float = 10.0

    def check(self, answer: Answer) -> Verdict:
        """Try an answer on every case; return the verdict. Errors of the answer are not raised."""
        if broken := self._broken_rule(answer):
            return Verdict(self.name, "wrong", broken, self.hints)
        cases = sorted(self.cases(np.random.default_rng(0)), key=size)
        for number, case in enumerate(cases):
            if verdict := self._tried(answer, case, f"in case {number + 1} of {len(cases)}"):
                rest = cases[number:] + cases[:number]
                return verdict if verdict.state == "not yet" else self._named(verdict, answer, rest)
        return Verdict(self.name, "right", f"in all {len(cases)} cases")

    def _broken_rule(self, answer: Answer) -> str:
        """Return how an answer breaks a rule of the lesson; "" if it keeps them."""
        if used := sorted(names_used(answer) & {*self.forbidden, "specification"}):
            return f"it uses {' and '.join(used)}, which this exercise forbids"
        if self.without_loop and loops(answer):
            return "it has a loop, which this exercise forbids: NumPy works on whole arrays"
        return ""

    def _called(self, answer: Answer, case: Case, *, quiet: bool = True) -> Call:
        """Call an answer with a copy of a case."""
        given = copy.deepcopy(case)
        return call(lambda: self.outcome(answer, *given), given, self.seconds, quiet=quiet)

    def _tried(self, answer: Answer, case: Case, where: str) -> Verdict | None:
        """Return the verdict on an answer that fails in a case; None if it is right."""
        expected = self.specification(*copy.deepcopy(case))
        done = self._called(answer, case, quiet=False)
        if isinstance(done.error, Unanswered) or (done.error is None and missing(done.result)):
            return Verdict(self.name, "not yet", _unreturned(answer, done.printed), self.hints)
        if done.error is not None:
            about = f"{where}: {_described(done.error, self.seconds)}"
            return self._wrong(about, case, None, expected)
        if not same(done.result, expected):
            about = ": ".join(filter(None, (where, difference(done.result, expected))))
            return self._wrong(about, case, done.result, expected)
        if done.changed is not None:
            about = (
                f"{where}: the result is right, but it changed {_argument(answer, done.changed)}"
            )
            return self._wrong(f"{about}; work on a copy", case, done.result, expected)
        return None

    def _named(self, verdict: Verdict, answer: Answer, cases: Sequence[Case]) -> Verdict:
        """Return a verdict with the mistake behind it, if it is known; `cases` are all cases."""
        known = recognised(answer, self.mistakes, cases, self._did, self.seconds)
        return replace(verdict, mistake=known)

    def _did(self, answer: Answer, case: Case) -> Call:
        """Call an answer; return what is compared with what known mistakes do."""
        return self._called(answer, case)

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
        if self.draw is None or yours is None or shape(yours) != shape(expected):
            return None
        drawn = np.asarray(yours) if isinstance(expected, np.ndarray) else yours
        return self.draw(case, drawn, expected)


def _unreturned(answer: Answer, printed: str) -> str:
    """Return what is said of an answer that returned nothing; "" if it is still a blank."""
    if is_blank(answer):
        return ""
    said = f" It printed {printed.strip()[:60]!r}." if printed.strip() else ""
    return f"it returned nothing.{said} End it with `return` and the result."


def _argument(answer: Answer, number: int) -> str:
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
    if isinstance(error, WrongKind):
        return str(error)
    return f"it raised {type(error).__name__}{where}: {error}"
