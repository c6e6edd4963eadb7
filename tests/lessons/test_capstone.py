"""Lesson 17: checkers follow the choice, and accept and reject what they should."""

from collections.abc import Iterator
from statistics import multimode

import numpy as np
import pytest

from scripts.lessons.source import lessons
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS, cases, key_of_rank
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
    lesson.choose(COMPLETE[0])


def by_hand(name: str, keys: list[float]) -> float:
    """The statistics once more, without NumPy."""

    def middle(values: list[float]) -> float:
        return sorted(values)[(len(values) - 1) // 2]

    kept = sorted(keys)[len(keys) // 4 : len(keys) - len(keys) // 4]
    return {
        "trimmed mean": sum(kept) / len(kept),
        "mode": min(multimode(keys)),
        "interquartile range": kept[-1] - kept[0],
        "median absolute deviation": middle([abs(key - middle(keys)) for key in keys]),
    }[name]


@pytest.mark.parametrize("name", STATISTICS)
def test_definitions_are_right(name: str) -> None:
    for (keys,) in cases(np.random.default_rng(3)):
        assert STATISTICS[name](keys) == pytest.approx(by_hand(name, keys.tolist()))


def test_the_solutions_of_the_mode_are_right() -> None:
    """They stand in the solved notebook only."""
    assert "mode_by_" not in code_of(SOURCE, "student")
    lesson.choose("mode")
    for stage in lesson.STAGES:
        verdict = stage.check(answer_of(SOURCE, f"mode_{stage.name}", SOLVED))
        assert verdict.passed, verdict
        assert verdict.about.startswith("as the mode, in all ")


FURTHER = {
    "interquartile range": lambda keys: (
        key_of_rank(keys, len(keys) - 1 - len(keys) // 4) - key_of_rank(keys, len(keys) // 4)
    ),
    "median absolute deviation": lambda keys: key_of_rank(
        np.abs(keys - key_of_rank(keys, (len(keys) - 1) // 2)), (len(keys) - 1) // 2
    ),
}


@pytest.mark.parametrize("name", FURTHER)
def test_further_projects_have_checkers_for_two_stages(name: str) -> None:
    assert lesson.choose(name) == f"Your project is the {name}. The first two stages are checked."
    for stage in (lesson.by_definition, lesson.by_order):
        assert stage.check(FURTHER[name]).passed
    for stage in (lesson.by_drawing, lesson.by_kernel):
        verdict = stage.check("any text")
        assert verdict.state == "not yet"
        assert f"the {name} has no checker for this stage" in verdict.about
        with pytest.raises(ValueError, match="a further project"):
            stage.hint(1)
    assert "further project" in lesson.by_kernel.check_on(None, "any text")


def test_an_answer_for_another_statistic_is_told_so() -> None:
    lesson.choose("mode")
    for stage, text in zip(lesson.STAGES[2:], TEXTS["trimmed mean"], strict=True):
        about = stage.check(text).about
        assert about.endswith(
            ". It is right as the trimmed mean: is lesson.choose('trimmed mean') missing?"
        )
        assert ".." not in about
    with pytest.raises(ValueError, match="no statistic is called 'mean'"):
        lesson.choose("mean")
