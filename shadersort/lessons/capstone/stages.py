"""Lesson 17: a checker that takes the statistic that the student chose."""

from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, ClassVar

from shadersort.errors import choices
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS
from shadersort.lessons.exercises import Exercise, Verdict
from shadersort.lessons.exercises.kernel_runner import compare_on_device

FURTHER = (
    "the {} has no checker for this stage. It is a further project: write it, and compare it "
    "with your definition on keys of your own."
)


@dataclass(frozen=True, eq=False, slots=True)
class Stage:
    """An exercise that is another one for each statistic."""

    statistic: ClassVar[str] = COMPLETE[0]  # what the student chose, by `choose`
    name: str  # that of the answer
    of: Mapping[str, Exercise]  # the exercise for each statistic that has one

    def hint(self, number: int) -> str:
        """Return one hint for the chosen statistic, counted from 1."""
        if self.statistic not in self.of:
            raise ValueError(FURTHER.format(self.statistic))
        return self.of[self.statistic].hint(number)

    def check(self, answer: Any) -> Verdict:
        """Try an answer as the chosen statistic; one that is right for another is told so."""
        name = self.statistic
        if name not in self.of:
            return Verdict(self.name, "not yet", FURTHER.format(name))
        verdict = self.of[name].check(answer)
        if verdict.state == "not yet":
            return verdict
        told = f"as the {name}, {verdict.about}".rstrip(".")
        if verdict.state == "wrong" and (other := self._find_other(answer)):
            told += f". It is right as the {other}: is lesson.choose({other!r}) missing?"
        return replace(verdict, about=told)

    def check_on(self, launch: Any, answer: Any) -> str:
        """Launch a right kernel as CUDA C; return what came of it, in one line."""
        if self.statistic not in self.of:
            return FURTHER.format(self.statistic)
        return compare_on_device(self.of[self.statistic], launch, answer)

    def _find_other(self, answer: Any) -> str:
        """Return another statistic for which an answer is right, or ""; print nothing."""
        others = [(name, each) for name, each in self.of.items() if name != self.statistic]
        with redirect_stdout(StringIO()):
            return next((name for name, each in others if each.check(answer).passed), "")


def choose(name: str) -> str:
    """Choose a statistic by its name; return what the checkers now expect, in a sentence."""
    if name not in STATISTICS:
        raise ValueError(f"no statistic is called {name!r}: use {choices(list(STATISTICS))}")
    Stage.statistic = name
    which = "All stages" if name in COMPLETE else "The first two stages"
    return f"Your project is the {name}. {which} are checked."
