"""Known mistakes: a mistake is recognised by what a wrong answer of its kind would give."""

import copy
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from shadersort.lessons.exercises.comparing import same
from shadersort.lessons.exercises.runner import Case, Outcome

MOST_SECONDS = 10.0
"""The longest search for a mistake."""


@dataclass(frozen=True, eq=False, slots=True)
class Mistake:
    """A known mistake, in an answer of any language."""

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
