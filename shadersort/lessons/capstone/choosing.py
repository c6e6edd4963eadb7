"""Lesson 17: a checker that takes the statistic that the student chose."""

from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from shadersort.errors import choices
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS
from shadersort.lessons.exercises import Exercise, Verdict
from shadersort.lessons.exercises.kernel_runner import compare_on_device

FURTHER = (
    "the {} has no checker for this stage. It is a further project: write it, and compare it "
    "with your definition on keys of your own."
)


@dataclass(slots=True)
class Choice:
    """The statistic that a student works on. A notebook has one; `lesson.choose` changes it."""

    name: str = COMPLETE[0]

    def choose(self, name: str) -> str:
        """Choose a statistic by its name; return what the checkers now expect, in a sentence.

        Raises
        ------
        ValueError
            No statistic has this name.

        Examples
        --------
        >>> Choice().choose("mode")
        'Your project is the mode. All stages are checked.'
        """
        if name not in STATISTICS:
            raise ValueError(f"no statistic is called {name!r}: use {choices(list(STATISTICS))}")
        self.name = name
        which = "All stages" if name in COMPLETE else "The first two stages"
        return f"Your project is the {name}. {which} are checked."


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Stage:
    """An exercise that is another one for each statistic.

    Attributes
    ----------
    name
        The name of the answer.
    of
        The exercise for each statistic that has one.
    choice
        What the student chose.
    """

    name: str
    of: Mapping[str, Any]
    choice: Choice

    def __repr__(self) -> str:
        return f"<Stage {self.name}: the {self.choice.name}>"

    @property
    def chosen(self) -> Any:
        """The exercise for the chosen statistic.

        Raises
        ------
        ValueError
            It has none.
        """
        if self.choice.name not in self.of:
            raise ValueError(FURTHER.format(self.choice.name))
        return self.of[self.choice.name]

    @property
    def specification(self) -> Any:
        """What is right for the chosen statistic, by NumPy."""
        return self.chosen.specification

    @property
    def cases(self) -> Any:
        """Makes the cases of the chosen statistic."""
        return self.chosen.cases

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints for the chosen statistic."""
        hints: tuple[str, ...] = self.chosen.hints
        return hints

    @property
    def mistakes(self) -> Sequence[Any]:
        """The known mistakes with the chosen statistic."""
        mistakes: Sequence[Any] = self.chosen.mistakes
        return mistakes

    @property
    def draw(self) -> Any:
        """Draws "yours" beside "expected", or None."""
        return self.chosen.draw

    def hint(self, number: int) -> str:
        """Return one hint for the chosen statistic, counted from 1."""
        hint: str = self.chosen.hint(number)
        return hint

    def check(self, answer: Any) -> Verdict:
        """Try an answer as the chosen statistic; return the verdict.

        An answer that is right for another statistic is told so.
        """
        name = self.choice.name
        if name not in self.of:
            return Verdict(self.name, "not yet", FURTHER.format(name))
        verdict: Verdict = self.chosen.check(answer)
        if verdict.state == "not yet":
            return verdict
        told = f"as the {name}, {verdict.about}".rstrip(".")
        if verdict.state == "wrong" and (other := self._other(answer)):
            told += f". It is right as the {other}: is lesson.choose({other!r}) missing?"
        return replace(verdict, about=told)

    def check_on(self, launch: Any, answer: Any) -> str:
        """Launch a right kernel as CUDA C; return what came of it, in one line."""
        if self.choice.name not in self.of:
            return FURTHER.format(self.choice.name)
        return compare_on_device(self.chosen, launch, answer)

    def _other(self, answer: Any) -> str:
        """Return another statistic for which an answer is right, or ""; print nothing."""
        others: list[tuple[str, Exercise]] = [
            (name, each) for name, each in self.of.items() if name != self.choice.name
        ]
        with redirect_stdout(StringIO()):
            return next((name for name, each in others if each.check(answer).passed), "")
