"""What the checker of an exercise asks about an answer in any language: runners and mistakes."""

import copy
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal, Protocol

from shadersort.lessons.exercises.comparing import same

MOST_SECONDS = 10.0  # the longest search for a mistake

Case = tuple[Any, ...]
"""The arguments of an exercise's specification; what an answer is given follows from them."""


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What an answer did in a case."""

    result: Any = None  # what is compared with the specification's result; None if there is none
    told: str = ""  # what is wrong besides the result, or why there is none
    # "not yet" for an answer that is not finished, "wrong" for one that breaks a rule: `told` says
    verdict: Literal["", "not yet", "wrong"] = ""  # all, and no other case is tried
    printed: str = ""  # what it printed
    remark: str = ""  # is added to the verdict on a right answer
    costs: str = ""  # what it costs too much; this counts only where nothing else is wrong


class Runner(Protocol):
    """Runs the answers to an exercise. It never raises an error that an answer caused."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of a case's arguments after the first, to show them with; there may be fewer."""

    def run(self, answer: Any, case: Case) -> Outcome:
        """Run the answer in a case; it may change the arguments, which nobody else has."""


@dataclass(frozen=True, eq=False, slots=True)
class Mistake:
    """A known mistake; it is recognised by what a wrong answer of its kind would give."""

    said: str  # follows "It looks as if": "you mirrored the rows, too"
    # Takes a case; returns what a wrong answer gives, in the form of the specification's result.
    does: Callable[..., Any]
    hint: str = ""  # what helps; it is shown before the exercise's own hints

    def result(self, case: Case) -> Any:
        """Return what a wrong answer gives in a case, without NumPy's warnings."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return self.does(*copy.deepcopy(case))


def find_mistake(
    mistakes: Iterable[Mistake], cases: Iterable[Case], run: Callable[[Case], Outcome]
) -> Mistake | None:
    """Return the first mistake that gives an answer's results in every case; None if none does.

    `run` runs the answer. The search is given up at a case without a result.
    """
    left, end = list(mistakes), monotonic() + MOST_SECONDS
    for case in cases:
        if not left or monotonic() > end:
            return None
        outcome = run(case)
        if outcome.result is None:
            return None
        left = [each for each in left if same(outcome.result, each.result(case))]
    return left[0] if left else None
