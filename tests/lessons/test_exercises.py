"""Every exercise of every lesson: its checker accepts the solution, and names mistakes."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jupytext
import numpy as np
import pytest

import shadersort as ss
import shadersort.lessons
from scripts.lessons.source import BLANK, Lesson, lessons, notebook
from shadersort.lessons import Exercise, Verdict
from shadersort.lessons.capstone.choosing import Stage
from shadersort.lessons.shared.comparing import shape

Answer = Callable[..., Any]

PATIENCE = 50.0
"""Seconds of a case, and of the search for a mistake: on a busy machine the usual ones, after which
a student is told something, were once too few."""


def module_of(lesson: Lesson) -> Any:
    return importlib.import_module(f"shadersort.lessons.{lesson.module}.exercises")


PAIRS = [(lesson, each) for lesson in lessons()[1:] for each in module_of(lesson).EXERCISES]
every_exercise = pytest.mark.parametrize(
    ("lesson", "exercise"), PAIRS, ids=[f"{lesson.name}: {each.name}" for lesson, each in PAIRS]
)


def answer_of(lesson: Lesson, exercise: Exercise, text: str) -> Answer:
    """The function or text that a notebook defines, run with nothing but what lessons import."""
    found = [node for node in ast.parse(text).body if exercise.name in names_of(node)]
    assert len(found) == 1, f"{lesson.name} defines {exercise.name} once"
    names: dict[str, Any] = {**vars(module_of(lesson)), "np": np, "ss": ss}
    exec(compile(ast.Module(list(found), []), lesson.name, "exec"), names)
    answer: Answer = names[exercise.name]
    return answer


def names_of(node: ast.stmt) -> list[str]:
    """The names that a statement gives to a function or to a value."""
    if isinstance(node, ast.Assign):
        return [each.id for each in node.targets if isinstance(each, ast.Name)]
    return [node.name] if isinstance(node, ast.FunctionDef) else []


def code_of(lesson: Lesson, variant: Any) -> str:
    cells = notebook(lesson, variant).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def parts_of(exercise: Any) -> list[Any]:
    """An exercise, or those among which a student chooses."""
    return [*exercise.of.values()] if isinstance(exercise, Stage) else [exercise]


def patient(exercise: Any) -> Any:
    """The same exercise, which waits longer."""
    if isinstance(exercise, Stage):
        return replace(exercise, of={name: patient(each) for name, each in exercise.of.items()})
    return replace(exercise, seconds=PATIENCE)


def test_every_lesson_has_exercises_and_every_exercise_a_lesson() -> None:
    for lesson in lessons()[1:]:
        assert module_of(lesson).EXERCISES, f"{lesson.name} has no exercise"
    of_lessons = {id(each) for _, exercise in PAIRS for each in parts_of(exercise)}
    for info in pkgutil.walk_packages(shadersort.lessons.__path__, "shadersort.lessons."):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, Exercise):
                assert id(value) in of_lessons, f"{info.name}.{name} is in no lesson"


@every_exercise
def test_the_solution_is_accepted(lesson: Lesson, exercise: Exercise) -> None:
    verdict = patient(exercise).check(answer_of(lesson, exercise, code_of(lesson, "solution")))
    assert verdict.passed, verdict
    assert verdict.mistake is None


@every_exercise
def test_the_blank_is_not_yet_an_answer(lesson: Lesson, exercise: Exercise) -> None:
    text = code_of(lesson, "student")
    assert BLANK in text
    verdict = patient(exercise).check(answer_of(lesson, exercise, text))
    assert verdict.state == "not yet", verdict
    assert verdict.mistake is None


@every_exercise
def test_mistakes_are_rejected_and_named(lesson: Lesson, exercise: Exercise) -> None:
    """So no two mistakes of an exercise do the same in every case."""
    assert len(exercise.mistakes) >= 4
    assert len({each.said for each in exercise.mistakes}) == len(exercise.mistakes)
    for mistake in exercise.mistakes:
        verdict = patient(exercise).check(mistake.answer)
        assert verdict.state == "wrong", f"{mistake.said}: {verdict}"
        assert verdict.mistake is mistake, f"{mistake.said}: {verdict}"
        assert f"It looks as if {mistake.said}." in repr(verdict)
        assert_shown(verdict, exercise.draw is not None)


@every_exercise
def test_other_wrong_answers_are_rejected_and_no_mistake_is_blamed(
    lesson: Lesson, exercise: Exercise
) -> None:
    wrong = importlib.import_module(f"tests.lessons.wrong.{lesson.module}").WRONG
    assert set(wrong) == {each.name for each in module_of(lesson).EXERCISES}
    assert len(set(wrong[exercise.name])) >= 2, "two wrong answers that differ"
    for answer in wrong[exercise.name]:
        verdict = patient(exercise).check(answer)
        assert verdict.state == "wrong", f"{answer}: {verdict}"
        assert verdict.mistake is None, f"{answer}: {verdict}"
        assert_shown(verdict, exercise.draw is not None)


@every_exercise
def test_what_is_said_of_a_mistake_is_the_rest_of_a_sentence(
    lesson: Lesson, exercise: Exercise
) -> None:
    """It follows "It looks as if", and a hint is a sentence of its own."""
    for mistake in exercise.mistakes:
        assert mistake.said[0].islower()
        assert mistake.said[-1] not in ".!?"
        assert not mistake.hint or mistake.hint.endswith((".", "!", "?", ")", "]"))


def assert_shown(verdict: Verdict, draws: bool) -> None:
    """A wrong answer can be seen: what was given, what is expected, and a picture if it draws."""
    if re.search("forbids|does not compile|has no function", verdict.about):  # no case was tried
        return
    names = [name for name, _ in verdict.rows()]
    assert names[0] == "given"
    assert names[-1] == "expected"
    assert "Hint 1" in verdict._repr_html_()
    if verdict.yours is not None:
        assert "yours" in names
        assert verdict.case is not None
        alike = shape(verdict.yours) == shape(verdict.expected)
        assert (verdict.figure() is not None) == (draws and alike)


@every_exercise
def test_an_exercise_is_well_made(lesson: Lesson, exercise: Exercise) -> None:
    cases = list(exercise.cases(np.random.default_rng(0)))
    assert len(cases) >= 3
    assert 1 <= len(exercise.hints) <= 5
    assert len(set(exercise.hints)) == len(exercise.hints)
    assert exercise.hint(1) == exercise.hints[0]
    assert getattr(module_of(lesson), exercise.name) is exercise


def test_sources_are_text_and_python() -> None:
    for lesson in lessons():
        cells = jupytext.reads(lesson.text, fmt="md").cells
        assert cells[0].cell_type == "markdown"
        assert len(cells) > 2
