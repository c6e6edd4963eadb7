"""Central exercises: right answers in many styles are accepted, plausible wrong ones are not."""

import ast
import copy
import os
import re
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
import pytest

from scripts.lessons.source import Lesson, lessons
from shadersort.lessons.exercises import Exercise, KernelRunner, PythonRunner
from shadersort.lessons.exercises.comparing import same
from tests.lessons import test_exercises as each
from tests.lessons.answers import applications, passes, selection, sorting, streams
from tests.lessons.answers.slips import slips
from tests.lessons.right import drawing_and_streams, texts
from tests.lessons.right import selection as selected
from tests.right_kernels import changed, kernel_text

TABLES: tuple[Any, ...] = (sorting, passes, streams, selection, applications)
RIGHT = {name: some for table in TABLES for name, some in table.RIGHT.items()}
RIGHT.update(selection.RIGHT_KERNELS)
WRONG = {name: some for table in TABLES for name, some in table.WRONG.items()}
OTHERS: dict[str, Any] = {**drawing_and_streams.RIGHT, **selected.RIGHT, **texts.RIGHT}
MOST = int(os.environ.get("MOST", 60))  # slips that are tried in one exercise
SECONDS = 1.0  # of an answer with a slip: some never end

pytestmark = pytest.mark.slow
every_exercise = pytest.mark.parametrize(
    ("lesson", "exercise"),
    [
        pytest.param(lesson, getattr(each.module_of(lesson), name), id=f"{lesson.module}.{name}")
        for lesson in lessons()[1:]
        for module, name in (key.split(".") for key in RIGHT)
        if module == lesson.module
    ],
)


def split(some: str | list[str]) -> list[str]:
    """The answers of a table: each begins at the margin."""
    parts = re.split(r"\n(?=\S)", some.strip()) if isinstance(some, str) else some
    return [part.strip() for part in parts]


def to_answer(lesson: Lesson, exercise: Exercise, text: str) -> Any:
    """The answer that a text of the tables stands for."""
    if not isinstance(exercise.runner, PythonRunner):
        return each.from_text(lesson, exercise, text)
    names = each.names_known(lesson)
    if " ->" in text:
        source = each.code_of(lesson, "solution")
        found = next(n for n in ast.parse(source).body if exercise.name in each.names_of(n))
        code = changed(ast.get_source_segment(source, found) or "", text)
        exec(compile(code, "<an answer>", "exec"), names)
        return names[exercise.name]
    blank = each.answer_of(lesson, exercise.name, each.code_of(lesson, "student"))
    body = text if re.search(r"\breturn\b|^while", text) else f"return {text}"
    code = f"def {exercise.name}({', '.join(signature(blank).parameters)}):\n    {body}\n"
    exec(compile(code, "<an answer>", "exec"), names)
    return names[exercise.name]


@every_exercise
def test_ten_right_answers_are_accepted(lesson: Lesson, exercise: Exercise) -> None:
    name = f"{lesson.module}.{exercise.name}"
    answers = [to_answer(lesson, exercise, text) for text in split(RIGHT[name])]
    answers += [
        each.from_text(lesson, exercise, other) if isinstance(other, str) else other
        for other in OTHERS[name]
    ]
    answers.append(each.solution_of(lesson, exercise, ""))
    assert len(answers) >= 10
    for text, answer in zip([*split(RIGHT[name]), *OTHERS[name], "solution"], answers, strict=True):
        verdict = each.patient(exercise).check(answer)
        assert verdict.passed, f"{text}: {verdict}"


def is_wrong(exercise: Exercise, answer: Any) -> bool:
    """Whether an answer gives another result than the specification in cases of other seeds."""
    runner: Any = exercise.runner
    for seed in (1, 2, 3):
        for case in exercise.cases(np.random.default_rng(seed)):
            given = copy.deepcopy(case)
            if isinstance(runner, PythonRunner):
                outcome = runner.call(answer, given, SECONDS)
                if "stopped" in outcome.told:
                    return False
            else:
                outcome = runner.run(answer, given)
                if outcome.told:
                    return not outcome.verdict
            if not same(outcome.result, exercise.specification(*copy.deepcopy(case))):
                return "NameError" not in outcome.told
    return False


@every_exercise
def test_twenty_wrong_answers_are_rejected(lesson: Lesson, exercise: Exercise) -> None:
    name = f"{lesson.module}.{exercise.name}"
    hurried: Exercise = exercise
    if isinstance(exercise.runner, PythonRunner):
        hurried = replace(exercise, runner=replace(exercise.runner, seconds=5 * SECONDS))
    wrong = split(WRONG.get(name, []))
    for text in wrong:
        verdict = hurried.check(to_answer(lesson, exercise, text))
        assert verdict.state == "wrong", f"{text}: {verdict}"
        if "while" not in text:
            assert not re.search("NameError|SyntaxError|not compile|stopped", verdict.about), text
    right = split(RIGHT[name])
    some = [*dict.fromkeys(slip for text in right for slip in all_slips(exercise, text))]
    count = len(wrong) + len(exercise.mistakes)
    for text in some[:: max(1, len(some) // MOST)]:
        try:
            answer = to_answer(lesson, exercise, text)
        except SyntaxError:
            continue
        if not is_wrong(exercise, answer):
            continue
        count += 1
        verdict = hurried.check(answer)
        assert verdict.state == "wrong", f"{text}: {verdict}"
    assert count >= 20


def all_slips(exercise: Exercise, text: str) -> list[str]:
    """A right answer with slips; those of a kernel are in all of its text."""
    of_kernel = isinstance(exercise.runner, KernelRunner)
    return [*slips(kernel_text(exercise, text) if of_kernel else text)]
