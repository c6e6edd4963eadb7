"""Whether there is an answer, and whether it returned the kind of thing that the lesson asks."""

import dis
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.lessons.exercises.comparing import describe

DOTS = re.compile(r"^\s*\.\.\.", re.MULTILINE)
"""A line of a text that a student has not finished."""

EMPTY = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP", "COPY_FREE_VARS"}
"""The instructions of a function that does nothing."""


class Unanswered(Exception):
    """Raised by an `outcome` when the answer is still a blank."""


class WrongKind(Exception):
    """Raised by an `outcome` when an answer returned another kind of thing than the lesson asks."""


class Refused(Exception):
    """Raised where an answer does what no answer may do."""


class Specification:
    """Returns the right results of an exercise, but not to an answer."""

    answering = False  # whether an answer runs now

    def __init__(self, results: Callable[..., Any]) -> None:
        self._results = results
        self.__module__ = results.__module__  # of the lesson

    def __call__(self, *case: Any) -> Any:
        """Return the right result of a case; raise Refused where an answer asks for it."""
        if Specification.answering:
            raise Refused("it is the exercise's own specification: write yours")
        return self._results(*case)


def is_blank(answer: Any) -> bool:
    """Return whether the dots still stand in a text, or a function has nothing else."""
    if isinstance(answer, str):
        return DOTS.search(answer) is not None
    if (code := getattr(answer, "__code__", None)) is None:
        return answer is None or answer is ...
    steps = list(dis.get_instructions(code))
    loaded = {each.argval for each in steps if "CONST" in each.opname}
    return {each.opname for each in steps} <= EMPTY and loaded <= {None, ...}


def answer_of(yours: Any) -> Any:
    """Return the result of an answer; raise Unanswered if it is still a blank."""
    if yours is None or yours is ...:
        raise Unanswered
    return yours


def parts_of(yours: Any, asked: str, count: int | None = None) -> Any:
    """Return a list, a tuple or an array, of `count` parts; raise WrongKind for another answer."""
    found = answer_of(yours)
    of_parts = isinstance(found, tuple | list) or (isinstance(found, np.ndarray) and found.ndim)
    if not of_parts or count not in (None, len(found)):
        raise WrongKind(f"return {asked}, not {describe(found)}")
    return found


def number_of(yours: Any) -> float:
    """Return an answer as a float; raise WrongKind if it is not one number."""
    found = answer_of(yours)
    if np.shape(found) != () or np.asarray(found).dtype.kind not in "iuf":
        raise WrongKind(f"return one number, not {describe(found)}")
    return float(found)


def numbers_of(asked: str, count: int) -> Callable[[Any], tuple[float, ...]]:
    """Return a form of `count` numbers, which `asked` names; it raises WrongKind for others."""
    return lambda yours: tuple(map(number_of, parts_of(yours, asked, count)))
