"""Lesson 17: the definitions are right, and the checkers follow the choice."""

from collections.abc import Iterator
from statistics import multimode

import numpy as np
import pytest

from scripts.lessons.source import lessons
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone.exercises import STAGES, STATISTICS
from shadersort.lessons.capstone.parts import cases
from tests.lessons.test_exercises import answer_of, code_of
from tests.right_kernels import BETWEEN, RUNS

SOURCE = next(each for each in lessons()[1:] if each.module == "capstone")
SOLVED = code_of(SOURCE, "solution")

TEXTS = {
    "trimmed mean": (answer_of(SOURCE, "by_drawing", SOLVED), BETWEEN),
    "mode": (answer_of(SOURCE, "mode_by_drawing", SOLVED), RUNS),
}
"""A right function of a shader, and a right kernel."""


@pytest.fixture(autouse=True)
def _first_choice() -> Iterator[None]:
    """Leave the choice as it was: the other tests take the first one."""
    yield
    lesson.choose("trimmed mean")


def by_hand(name: str, keys: list[float]) -> float:
    """The statistics once more, without NumPy."""
    kept = sorted(keys)[len(keys) // 4 : len(keys) - len(keys) // 4]
    return sum(kept) / len(kept) if name == "trimmed mean" else min(multimode(keys))


@pytest.mark.parametrize("name", STATISTICS)
def test_definitions_are_right(name: str) -> None:
    for (keys,) in cases(np.random.default_rng(3)):
        expected = by_hand(name, keys.tolist())
        assert STATISTICS[name].definition(keys) == pytest.approx(expected)


def test_a_choice_changes_the_checkers_and_who_forgot_it_is_told_so() -> None:
    """The solutions of the mode stand in the solved notebook only."""
    assert "mode_by_" not in code_of(SOURCE, "student")
    solutions = {stage: answer_of(SOURCE, f"mode_{stage}", SOLVED) for stage in STAGES}
    told = repr(lesson.by_definition.check(solutions["by_definition"]))
    assert 'as if you computed the mode. Is the cell with lesson.choose("mode") missing' in told
    assert lesson.choose("mode") == "Your project is the mode."
    for stage in STAGES:
        assert getattr(lesson, stage).check(solutions[stage]).passed
    with pytest.raises(ValueError, match="no statistic is called 'mean'"):
        lesson.choose("mean")
