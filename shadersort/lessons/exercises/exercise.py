"""Exercises: a specification in NumPy, cases, a check and hints.

An exercise asks for a function or a text. A missing or wrong answer, one that raises an error, and
one that never ends do not stop a notebook: they give a `Verdict`, which shows "yours" beside
"expected".
"""

import copy
import pickle
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.errors import DeviceUnavailable
from shadersort.lessons.exercises.answers import Specification, is_blank
from shadersort.lessons.exercises.comparing import difference, same, shape
from shadersort.lessons.exercises.outcomes import Case, Mistake, Outcome, Runner, find_mistake
from shadersort.lessons.exercises.python_runner import PythonRunner
from shadersort.lessons.exercises.verdict import Verdict
from shadersort.pictures.matplotlib_types import Figure

if TYPE_CHECKING:
    from shadersort.web.piece import Piece


USUAL = PythonRunner()


@dataclass(frozen=True, eq=False, slots=True)
class Exercise:
    """Something to write: a function in Python, or a text in the language of its runner.

    `notebooks/README.md` has a complete example.
    """

    name: str  # of the answer, in the lesson and in its solution
    specification: Callable[..., Any]  # returns the right result of a case, by NumPy
    # Makes the cases, from a generator with a fixed seed. They are tried from the smallest to the
    # largest, so the case that is shown is the smallest one that fails.
    cases: Callable[[np.random.Generator], Iterable[Case]]
    hints: tuple[str, ...]  # from the gentlest hint to the last but one step of the solution
    # An answer that gives the same as one of them in every case is told what went wrong.
    mistakes: tuple[Mistake, ...] = ()
    runner: Runner = USUAL
    # Called with a case, "yours" and "expected", which have one shape; returns a figure of both.
    # None takes that of the runner, if it has one.
    draw: Callable[[Case, Any, Any], Figure] | None = None
    asks: str = ""  # what it asks for, in a sentence or two, if it has a page of its own

    def __post_init__(self) -> None:
        object.__setattr__(self, "specification", Specification(self.specification))
        object.__setattr__(self, "draw", self.draw or getattr(self.runner, "draw", None))

    def all_cases(self) -> list[Case]:
        """Return all cases, from the smallest to the largest."""
        made = self.cases(np.random.default_rng(0))
        return sorted(made, key=lambda case: len(pickle.dumps(case)))

    def check(self, answer: Any) -> Verdict:
        """Try an answer on every case; return the verdict. Errors of the answer are not raised."""
        if is_blank(answer):
            return Verdict(self.name, "not yet", hints=self.hints)
        cases, remark = self.all_cases(), ""
        for number, case in enumerate(cases, start=1):
            try:
                outcome = self._run(answer, case)
            except DeviceUnavailable:
                told = "Python has no OpenGL. Check it here, where the browser draws"
                return Verdict(self.name, "not yet", told, piece=self.piece(answer))
            sys.stdout.write(outcome.printed)
            if outcome.verdict == "wrong" or (outcome.verdict and number == 1):
                return Verdict(self.name, outcome.verdict, outcome.told, self.hints)
            expected = self.specification(*copy.deepcopy(case))
            if outcome.told or outcome.costs or not same(outcome.result, expected):
                return self._wrong(answer, cases, number, outcome, expected)
            remark = remark or outcome.remark
        return Verdict(self.name, "right", f"in all {len(cases)} cases{remark}")

    def _run(self, answer: Any, case: Case) -> Outcome:
        return self.runner.run(answer, copy.deepcopy(case))

    def _wrong(
        self, answer: Any, cases: list[Case], number: int, outcome: Outcome, expected: Any
    ) -> Verdict:
        """Return the verdict on an answer that fails in a case, with its mistake if it is known."""
        case, yours = cases[number - 1], outcome.result
        told, mistake = outcome.told, None
        if yours is not None and same(yours, expected):
            told = f"the result is right, but {told or outcome.costs}"
        elif yours is not None:
            told = told or difference(yours, expected)
            tried = cases[number - 1 :] + cases[: number - 1]
            mistake = find_mistake(self.mistakes, tried, partial(self._run, answer))
        about = ": ".join(filter(None, (f"in case {number} of {len(cases)}", told)))
        figure = partial(self.picture, case, yours, expected)
        return Verdict(
            *(self.name, "wrong", about, self.hints, case, yours, expected, figure, mistake),
            names=self.runner.names,
        )

    def hint(self, number: int) -> str:
        """Return one hint, counted from 1."""
        if not 1 <= number <= len(self.hints):
            raise IndexError(f"{self.name} has {len(self.hints)} hints, from 1")
        return self.hints[number - 1]

    def piece(self, answer: str = "") -> "Piece":
        """Return a page of its own, on which a browser runs and judges a shader or a kernel."""
        if hasattr(self.runner, "launch"):
            from shadersort.lessons.exercises.kernels.piece import exercise_piece as kernel_piece

            return kernel_piece(self)
        from shadersort.lessons.exercises.shaders.page import exercise_piece

        return exercise_piece(self, answer)

    def picture(self, case: Case, yours: Any, expected: Any) -> Figure | None:
        """Return a figure of both, or None where the exercise or "yours" cannot be drawn."""
        if self.draw is None or yours is None or shape(yours) != shape(expected):
            return None
        drawn = np.asarray(yours) if isinstance(expected, np.ndarray) else yours
        return self.draw(case, drawn, expected)
