"""Every exercise of every lesson: its checker accepts the solution, and names mistakes."""

import ast
import heapq
import importlib
import math
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from inspect import signature
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

import shadersort as ss
import shadersort.lessons
from scripts.lessons.source import Lesson, lessons, notebook
from shadersort.lessons.capstone.exercises import STAGES, STATISTICS
from shadersort.lessons.exercises import Exercise, Outcome, PythonRunner, ShaderRunner, Verdict
from shadersort.lessons.exercises.comparing import same, shape
from shadersort.lessons.exercises.kernel_runner import KernelRunner
from shadersort.lessons.exercises.outcomes import Case
from tests.lessons.right import drawing_and_streams, selection, texts
from tests.lessons.wrong_answers import WRONG
from tests.right_kernels import kernel_text

PATIENCE = 50.0  # seconds of a case on a busy machine


def module_of(lesson: Lesson) -> Any:
    return importlib.import_module(f"shadersort.lessons.{lesson.module}.exercises")


def choices_of(lesson: Lesson, exercise: Exercise) -> dict[str, Exercise]:
    """Those among which a student chooses, by their names; or one exercise."""
    if lesson.module == "capstone" and exercise.name in STAGES:
        return {name: getattr(each, exercise.name) for name, each in STATISTICS.items()}
    return {"": exercise}


EXERCISES = [
    pytest.param(lesson, each, which, id=" ".join([lesson.name, each.name, which]).strip())
    for lesson in lessons()[1:]
    for named in module_of(lesson).EXERCISES
    for which, each in choices_of(lesson, named).items()
]
every_exercise = pytest.mark.parametrize(("lesson", "exercise", "which"), EXERCISES)


def names_of(node: ast.stmt) -> list[str]:
    """The names that a statement gives to a function or to a value."""
    if isinstance(node, ast.Assign):
        return [each.id for each in node.targets if isinstance(each, ast.Name)]
    return [node.name] if isinstance(node, ast.FunctionDef) else []


@cache
def code_of(lesson: Lesson, variant: Any) -> str:
    cells = notebook(lesson, variant).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def answer_of(lesson: Lesson, name: str, text: str) -> Any:
    """The function or text that a notebook defines, run with nothing but what lessons import."""
    found = [node for node in ast.parse(text).body if name in names_of(node)]
    assert len(found) == 1, f"{lesson.name} defines {name} once"
    names: dict[str, Any] = {**vars(module_of(lesson)), "np": np, "ss": ss}
    exec(compile(ast.Module(list(found), []), lesson.name, "exec"), names)
    return names[name]


def solution_of(lesson: Lesson, exercise: Exercise, which: str) -> Any:
    """The answer of the solved notebook: for the first statistic of a lesson, or for the mode."""
    name = f"mode_{exercise.name}" if which == "mode" else exercise.name
    return answer_of(lesson, name, code_of(lesson, "solution"))


def patient(exercise: Exercise) -> Exercise:
    """The same exercise, which waits longer for an answer."""
    runner: Any = exercise.runner
    if isinstance(runner, PythonRunner | ShaderRunner):
        return replace(exercise, runner=replace(runner, seconds=PATIENCE))
    return exercise


def test_every_lesson_has_exercises_and_every_exercise_a_lesson() -> None:
    for lesson in lessons()[1:]:
        assert module_of(lesson).EXERCISES, f"{lesson.name} has no exercise"
    of_lessons = {id(each.values[1]) for each in EXERCISES}
    for info in pkgutil.walk_packages(shadersort.lessons.__path__, "shadersort.lessons."):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, Exercise):
                assert id(value) in of_lessons, f"{info.name}.{name} is in no lesson"


@every_exercise
def test_an_exercise_is_well_made(lesson: Lesson, exercise: Exercise, which: str) -> None:
    assert len(exercise.all_cases()) >= 3
    assert 1 <= len(exercise.hints) <= 5
    assert len(set(exercise.hints)) == len(exercise.hints)
    assert exercise.hint(1) == exercise.hints[0]
    assert which or getattr(module_of(lesson), exercise.name) is exercise


@every_exercise
def test_solutions_pass_and_dots_are_blank(lesson: Lesson, exercise: Exercise, which: str) -> None:
    verdict = patient(exercise).check(solution_of(lesson, exercise, which))
    assert verdict.passed, verdict
    if which != "mode":
        blank = answer_of(lesson, exercise.name, code_of(lesson, "student"))
        assert exercise.check(blank).state == "not yet"


@dataclass(frozen=True)
class Gives:
    """Runs a function of a case, as an answer that gives what this function gives."""

    names: tuple[str, ...] = ()

    def run(self, answer: Any, case: Case) -> Outcome:
        return Outcome(answer(case))


@every_exercise
def test_mistakes_differ_and_are_named(lesson: Lesson, exercise: Exercise, which: str) -> None:
    cases, given = exercise.all_cases(), replace(exercise, runner=Gives())
    results = [[mistake.result(case) for case in cases] for mistake in exercise.mistakes]
    for one, other in combinations(range(len(results)), 2):
        pairs = zip(results[one], results[other], strict=True)
        assert not all(same(*pair) for pair in pairs), f"{one} and {other} do the same"
    assert len(results) <= 4
    for mistake in exercise.mistakes:
        assert mistake.said[0].islower()
        assert mistake.said[-1] not in ".!?"
        verdict = given.check(mistake.result)
        assert verdict.mistake is mistake, f"{mistake.said}: {verdict}"
        assert f"It looks as if {mistake.said}." in repr(verdict)
    if results:
        assert_shown(given.check(exercise.mistakes[0].result), exercise.draw is not None)


def shader_text(exercise: Exercise, body: str) -> str:
    """The text of an exercise's function with a body."""
    assert isinstance(exercise.runner, ShaderRunner)
    return exercise.runner.function(body)


def from_text(lesson: Lesson, exercise: Exercise, text: str) -> Any:
    """The answer that a text of the tables of answers stands for."""
    if isinstance(exercise.runner, ShaderRunner):
        return shader_text(exercise, text)
    if isinstance(exercise.runner, KernelRunner):
        return kernel_text(exercise, text)
    blank = answer_of(lesson, exercise.name, code_of(lesson, "student"))
    code = f"lambda {', '.join(signature(blank).parameters)}: {text}"
    return eval(code, names_known(lesson))


def names_known(lesson: Lesson) -> dict[str, Any]:
    """The names that the answers of the tables use."""
    known = {"np": np, "ss": ss, "math": math, "heapq": heapq, "Counter": Counter}
    return {**vars(module_of(lesson)), **known, "pairwise": pairwise}


def verdicts(lesson: Lesson, exercise: Exercise, some: Any) -> Iterator[tuple[Any, Verdict]]:
    """Answers of the tables, and what the checker says of each."""
    for each in some:
        answer = from_text(lesson, exercise, each) if isinstance(each, str) else each
        yield each, patient(exercise).check(answer)


@every_exercise
def test_right_answers_are_accepted(lesson: Lesson, exercise: Exercise, which: str) -> None:
    name = f"{lesson.module}.{'mode_' * (which == 'mode')}{exercise.name}"
    some = [*drawing_and_streams.RIGHT.get(name, ()), *selection.RIGHT.get(name, ())]
    some += texts.RIGHT.get(name, ())
    assert len(some) >= 2
    for answer, verdict in verdicts(lesson, exercise, some):
        assert verdict.passed, f"{answer}: {verdict}"


@every_exercise
def test_other_wrong_answers_are_rejected(lesson: Lesson, exercise: Exercise, which: str) -> None:
    some = WRONG[f"{lesson.module}.{exercise.name}"]
    assert len(exercise.mistakes) + len(some) >= 5
    for answer, verdict in verdicts(lesson, exercise, some):
        assert verdict.state == "wrong", f"{answer}: {verdict}"
        assert "NameError" not in verdict.about
        assert verdict.mistake is None, f"{answer}: {verdict}"
        assert_shown(verdict, exercise.draw is not None)


def assert_shown(verdict: Verdict, draws: bool) -> None:
    """A wrong answer can be seen: what was given, what is expected, and a picture if it draws."""
    assert "Hint 1" in verdict._repr_html_()
    if verdict.case is None:  # no case was tried
        assert re.search("forbids|not compile|has no function|is a text|stopped", verdict.about)
        return
    names = [name for name, _ in verdict.rows()]
    assert names[0] == "given"
    assert names[-1] == "expected"
    if verdict.yours is not None:
        assert "yours" in names
        alike = shape(verdict.yours) == shape(verdict.expected)
        assert (verdict.figure() is not None) == (draws and alike)
