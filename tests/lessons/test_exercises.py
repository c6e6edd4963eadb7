"""Every exercise of every lesson: its checker accepts the solution, and names mistakes."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import shadersort as ss
import shadersort.lessons
from scripts.lessons.source import Lesson, lessons, notebook
from shadersort.lessons import Exercise, Verdict
from shadersort.lessons.capstone.choosing import Stage
from shadersort.lessons.shared.comparing import shape
from shadersort.lessons.shared.glsl.exercise import ShaderExercise
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from tests.lessons.wrong_answers import WRONG

Answer = Callable[..., Any]


def module_of(lesson: Lesson) -> Any:
    return importlib.import_module(f"shadersort.lessons.{lesson.module}.exercises")


PATIENCE = 50.0
"""Seconds of a case, and of the search for a mistake."""

PAIRS = [(lesson, each) for lesson in lessons()[1:] for each in module_of(lesson).EXERCISES]
IDS = [f"{lesson.name}: {each.name}" for lesson, each in PAIRS]
every_exercise = pytest.mark.parametrize(("lesson", "exercise"), PAIRS, ids=IDS)


def parts_of(exercise: Any) -> list[Any]:
    """An exercise, or those among which a student chooses."""
    return [*exercise.of.values()] if isinstance(exercise, Stage) else [exercise]


def is_slow(exercise: Any) -> bool:
    """Whether answers are compiled; one shader and one kernel are in the plain run, too."""
    compiled = isinstance(parts_of(exercise)[0], ShaderExercise | KernelExercise)
    return compiled and exercise.name not in ("turned", "distances")


compiled_ones_slowly = pytest.mark.parametrize(
    ("lesson", "exercise"),
    [pytest.param(*pair, marks=[pytest.mark.slow] * is_slow(pair[1])) for pair in PAIRS],
    ids=IDS,
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


def test_every_lesson_has_exercises_and_every_exercise_a_lesson() -> None:
    for lesson in lessons()[1:]:
        assert module_of(lesson).EXERCISES, f"{lesson.name} has no exercise"
    of_lessons = {id(each) for _, exercise in PAIRS for each in parts_of(exercise)}
    for info in pkgutil.walk_packages(shadersort.lessons.__path__, "shadersort.lessons."):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, Exercise):
                assert id(value) in of_lessons, f"{info.name}.{name} is in no lesson"


def patient(exercise: Any) -> Any:
    """The same exercise, which waits longer: a busy machine names every mistake, too."""
    if isinstance(exercise, Stage):
        return replace(exercise, of={name: patient(each) for name, each in exercise.of.items()})
    return replace(exercise, seconds=PATIENCE)


@compiled_ones_slowly
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


@compiled_ones_slowly
def test_other_wrong_answers_are_rejected_and_no_mistake_is_blamed(
    lesson: Lesson, exercise: Exercise
) -> None:
    for answer in WRONG[lesson.module][exercise.name]:
        if isinstance(answer, str) and isinstance(parts_of(exercise)[0], ShaderExercise):
            answer = parts_of(exercise)[0].surroundings.function(answer)
        verdict = patient(exercise).check(answer)
        assert verdict.state == "wrong", f"{answer}: {verdict}"
        assert verdict.mistake is None, f"{answer}: {verdict}"
        assert_shown(verdict, exercise.draw is not None)


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
