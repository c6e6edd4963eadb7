"""Lesson 17: checkers follow the choice, and accept and reject what they should."""

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import multimode
from typing import Any

import numpy as np
import pytest

from scripts.lessons.nbgrader import assignment
from scripts.lessons.source import BLANK, lessons
from scripts.lessons.teaching import PAGE
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone.kernels import BETWEEN, EQUAL_RUNS
from shadersort.lessons.capstone.shaders import BY_DRAWING, RIGHT_BETWEEN, RIGHT_STARTS
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS, cases, key_of_rank
from shadersort.lessons.shared.kernels.mistakes import changed
from tests.lessons.test_exercises import assert_shown, code_of, names_of
from tests.lessons.test_nbgrader import graded
from tests.lessons.wrong.capstone import OTHERS

SOURCE = next(each for each in lessons()[1:] if each.module == "capstone")
EVERY = [(stage, name) for stage in lesson.STAGES for name in stage.of]
every_stage = pytest.mark.parametrize(
    ("stage", "name"), EVERY, ids=[f"{stage.name}: {name}" for stage, name in EVERY]
)
others = pytest.mark.parametrize(
    ("stage", "name"),
    [(stage, name) for stage, name in EVERY if name != COMPLETE[0]],
    ids=[f"{stage.name}: {name}" for stage, name in EVERY if name != COMPLETE[0]],
)

TEXTS = {
    "trimmed mean": (BY_DRAWING["trimmed mean"].surroundings.function(RIGHT_BETWEEN), BETWEEN),
    "mode": (BY_DRAWING["mode"].surroundings.function(RIGHT_STARTS), EQUAL_RUNS),
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


@others
def test_mistakes_with_other_choices_are_named(stage: Any, name: str) -> None:
    lesson.choose(name)
    assert stage.mistakes is stage.of[name].mistakes
    for mistake in stage.mistakes:
        verdict = stage.check(mistake.answer)
        assert verdict.state == "wrong", f"{mistake.said}: {verdict}"
        assert verdict.mistake is mistake, f"{mistake.said}: {verdict}"
        assert verdict.about.startswith(f"as the {name}, ")
        assert mistake.said[0].islower()
        assert mistake.said[-1] not in ".!?"
        assert_shown(verdict, stage.draw is not None)


@others
def test_other_wrong_answers_with_other_choices(stage: Any, name: str) -> None:
    lesson.choose(name)
    for answer in OTHERS[name][stage.name]:
        verdict = stage.check(answer)
        assert verdict.state == "wrong", f"{answer}: {verdict}"
        assert verdict.mistake is None, f"{answer}: {verdict}"


@every_stage
def test_a_stage_is_well_made_for_every_choice(stage: Any, name: str) -> None:
    lesson.choose(name)
    exercise = stage.of[name]
    least = 6 if stage is lesson.by_definition else 4
    assert len(exercise.mistakes) >= least
    assert len({each.said for each in exercise.mistakes}) == len(exercise.mistakes)
    assert 2 <= len(stage.hints) <= 5
    assert stage.hint(1) == exercise.hints[0]
    assert exercise.name == stage.name
    assert len(list(stage.cases(np.random.default_rng(0)))) >= 3
    blank = BLANK if stage in lesson.STAGES[2:] else lambda keys: ...
    assert stage.check(blank).state == "not yet"


def test_the_solutions_of_the_mode_are_right() -> None:
    """They stand in the solved notebook only."""
    nodes = ast.parse(code_of(SOURCE, "solution")).body
    found = {name: node for node in nodes for name in names_of(node)}
    assert "mode_by_" not in code_of(SOURCE, "student")
    lesson.choose("mode")
    for stage in lesson.STAGES:
        names: dict[str, Any] = {"np": np}
        node = found[f"mode_{stage.name}"]
        exec(compile(ast.Module([node], []), "solution", "exec"), names)
        verdict = stage.check(names[f"mode_{stage.name}"])
        assert verdict.passed, verdict
        assert verdict.about.startswith("as the mode, in all ")


@pytest.mark.parametrize("name", COMPLETE)
def test_an_assignment_grades_the_choice_that_it_was_handed_in_with(name: str) -> None:
    """The tests of nbgrader run in the kernel of the student's notebook, after `choose`."""
    cells = graded(assignment(SOURCE).cells)[2:4]
    lesson.choose(name)
    for (cell, test), text in zip(cells, TEXTS[name], strict=True):
        exec(test.source, {cell.metadata.nbgrader.grade_id: text})
    lesson.choose(next(each for each in COMPLETE if each != name))
    for (cell, test), text in zip(cells, TEXTS[name], strict=True):
        with pytest.raises(AssertionError, match=f"It is right as the {name}"):
            exec(test.source, {cell.metadata.nbgrader.grade_id: text})


def test_a_wrong_answer_prints_once(capsys: pytest.CaptureFixture[str]) -> None:
    def printing(keys: Any) -> Any:
        print(f"{len(keys)} keys")
        return -1

    assert lesson.by_definition.check(printing).state == "wrong"
    assert capsys.readouterr().out == "1 keys\n"


def test_a_sum_of_a_block_may_have_a_name() -> None:
    last = "atomicAdd(result[0], first[0])"
    named = changed(BETWEEN, (last, "int found = first[0];\n        atomicAdd(result[0], found)"))
    assert lesson.by_kernel.check(named).passed


def test_functions_that_sort_are_forbidden_and_others_are_not() -> None:
    def shorter(keys: Any) -> Any:
        d = len(keys) // 4
        low, high = key_of_rank(keys, d), key_of_rank(keys, len(keys) - 1 - d)
        return (np.clip(keys, low, high).sum() - d * (low + high)) / (len(keys) - 2 * d)

    assert lesson.by_order.check(shorter).passed
    for sorting in (lambda keys: np.partition(keys, 0).mean(), lambda keys: np.sort(keys).mean()):
        assert "which this exercise forbids" in lesson.by_order.check(sorting).about


def test_a_kernel_that_keeps_no_rule_is_told_which_one() -> None:
    for old, new, words in (
        ("count += 1", "atomicAdd(result[0], 1)", "adds each key to `result` by itself"),
        ("sum += keys[i]", "atomicAdd(result[1], keys[i])", "adds each key to `result` by itself"),
        ("sum += keys[i]", "atomicAdd(second[0], keys[i])", "atomics in shared memory"),
        ("    first[thread] = count;\n", "atomicAdd(result[0], count);", "what a whole block has"),
        ("(result[1], second[0])", "(result[1], sum)", "only what a whole block has found"),
        ("int count = 0, sum = 0", "int count, sum", "a variable has no value at first"),
    ):
        assert words in lesson.by_kernel.check(changed(BETWEEN, (old, new))).about


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


def test_ranks_outside_are_refused() -> None:
    for rank in (-1, 3):
        with pytest.raises(IndexError, match=f"3 keys have the ranks 0 to 2, not {rank}"):
            key_of_rank(np.arange(3), rank)


def test_the_lesson_and_the_page_for_teachers_have_one_rubric() -> None:
    def rubric(text: str) -> list[str]:
        lines = text.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("| criterion |"))
        return lines[start : start + 8]

    shown = rubric(SOURCE.text)
    assert shown == rubric(Path(PAGE).read_text(encoding="utf-8"))
    assert all(line.count("|") == 6 for line in shown)
