"""What the checker of an exercise asks about an answer, whatever language it is written in."""

from dataclasses import dataclass
from typing import Any, Protocol

Case = tuple[Any, ...]
"""The arguments of an exercise's specification; what an answer is given follows from them."""


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What an answer did in a case."""

    result: Any = None  # what is compared with the specification's result; None if there is none
    told: str = ""  # what is wrong besides the result, or why there is none
    unanswered: bool = False  # the answer is not finished; `told` may say what it lacks
    printed: str = ""  # what it printed
    remark: str = ""  # is added to the verdict on a right answer


class Runner(Protocol):
    """Runs the answers to an exercise. It never raises an error that an answer caused."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of a case's arguments after the first, to show them with; there may be fewer."""

    def refuse(self, answer: Any, case: Case) -> str:
        """Return how an answer breaks a rule of the lesson or of its language; "" if it does not.

        If the answer must be compiled for a case, `case` is the smallest one.
        """

    def run(self, answer: Any, case: Case) -> Outcome:
        """Run the answer in a case; it may change the arguments, which nobody else has."""
