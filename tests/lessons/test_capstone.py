"""Lesson 15: checkers follow the choice; versions run, are counted and measured."""

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
from shadersort.keys.types import Integers
from shadersort.lessons import record
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone import measuring, running
from shadersort.lessons.capstone.facts import of_run
from shadersort.lessons.capstone.kernels import BETWEEN, BY_KERNEL, EQUAL_RUNS
from shadersort.lessons.capstone.pictures import show_measured
from shadersort.lessons.capstone.project import Measurement, Project, hand_in, recorded
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

KEYS = np.minimum(np.random.default_rng(1).geometric(0.1, size=256), 30)


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


def test_a_kernel_that_keeps_no_rule_is_told_which_one() -> None:
    for old, new, words in (
        ("count += 1", "atomicAdd(result[0], 1)", "adds each key to `result` by itself"),
        ("sum += keys[i]", "atomicAdd(result[1], keys[i])", "adds each key to `result` by itself"),
        ("sum += keys[i]", "atomicAdd(second[0], keys[i])", "atomics in shared memory"),
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


def some_keys() -> Iterator[Integers]:
    """Keys with ties at the ends, all equal, all different, few, and many."""
    rng = np.random.default_rng(2)
    yield np.array([5, 1, 5, 9])
    yield np.full(64, 7)
    yield rng.permutation(128)
    yield rng.integers(0, 4, size=100)
    yield KEYS


@pytest.mark.parametrize("name", COMPLETE)
def test_shaders_and_kernels_find_the_statistic(name: str) -> None:
    drawn, kernel = TEXTS[name]
    for keys in some_keys():
        right = pytest.approx(STATISTICS[name](keys))
        by_drawing = running.by_drawing(name, drawn, keys)
        by_kernel = running.by_kernel(name, kernel, keys)
        assert by_drawing.answer == right
        assert by_kernel.answer == right
        assert (by_drawing.launches, by_drawing.back) == (1, 4 * len(keys))
        expected = of_run(len(keys), by_kernel.launches, 1.0)
        assert (by_kernel.read, by_kernel.back) == expected[:2]
    with pytest.raises(ValueError, match="5 keys do not fill texels of 4"):
        running.by_drawing(name, drawn, np.arange(5))


def test_the_length_of_the_longest_run_is_found_by_halving() -> None:
    def ask(numbers: tuple[int, ...]) -> Integers:
        return np.asarray(BY_KERNEL["mode"].specification(keys, *numbers, 1))

    for longest in (1, 2, 3, 7, 8, 33):
        keys = np.sort(np.append(np.arange(20), np.full(longest - 1, 11)))
        found, asked = running.mode_by_lengths(keys, ask)
        assert found == (11 if longest > 1 else 0)
        assert asked <= 2 * longest.bit_length()


def right_answers(name: str) -> tuple[Any, ...]:
    """Right answers to all stages: a definition for stage 1, and nothing for stage 2."""
    return (STATISTICS[name], None, *TEXTS[name])


@pytest.mark.parametrize("name", COMPLETE)
def test_right_versions_are_counted_and_compared_with_the_facts(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    assert repr(project) == f"<Project: the {name}, right: by_definition, by_drawing, by_kernel>"
    table = project.counted(KEYS)
    assert [row[0] for row in table.rows] == ["by_definition", "by_drawing", "by_kernel"]
    assert {row[1] for row in table.rows} == {f"{STATISTICS[name](KEYS):.6g}"}
    compared = project.compared(of_run, KEYS)
    assert len(compared.rows) == 3
    assert all(yours == counted for _, yours, counted in compared.rows)
    assert not project.compared(lambda *case: (0, 0, 0, 0), KEYS).rows
    assert not Project(name, {}).compared(of_run, KEYS).rows


def test_without_answers_nothing_is_run() -> None:
    project = hand_in(None, None, None, None)
    assert repr(project) == "<Project: the trimmed mean, right: no stage yet>"
    assert project.counted(KEYS).caption.endswith("no stage is right yet")
    still, _ = Measurement(project, KEYS, ["by_kernel"])._repr_mimebundle_()
    assert list(still) == ["text/plain"]


@pytest.mark.parametrize("name", COMPLETE)
def test_measured_versions_name_the_device_that_ran(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    rows = project.measured(KEYS)
    with measuring.fastest() as opened:
        device = opened.gl.info["GL_RENDERER"].split(" (")[0]
    assert [row["device"] for row in rows] == ["NumPy", device, device]
    assert all(row["ms"] > 0 for row in rows)
    assert [row["before_ms"] > 0 for row in rows] == [False, True, True]
    for version, text in zip(("by_drawing", "by_kernel"), TEXTS[name], strict=True):
        assert measuring.measured(version, name, text, KEYS).answer == pytest.approx(
            STATISTICS[name](KEYS)
        )


def test_what_cannot_be_measured_says_why() -> None:
    with pytest.raises(RuntimeError):
        measuring.measured("by_kernel", "mode", "void kernel() { oops }", KEYS)


def test_the_picture_has_times_and_the_guess() -> None:
    rows = [
        {"version": "by_order", "ms": 3.0, "before_ms": 0.0, "device": "NumPy"},
        {"version": "by_kernel", "ms": 1.0, "before_ms": 1.0, "device": "a card"},
    ]
    guess = ["by_definition", "by_order", "by_kernel"]
    (ax,) = show_measured("mode", 64, rows, guess).axes
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["2.0 ms (guess: place 2)", "3.0 ms (guess: place 1)"]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "by_kernel\na card",
        "by_order\nNumPy",
    ]


def test_a_button_measures_and_shows_the_picture() -> None:
    project = hand_in(STATISTICS["trimmed mean"], None, None, None)
    button, *shown = (box := Measurement(project, KEYS, ["by_order"]).player()).children
    assert not shown
    button.click()
    assert len(box.children) == 2
    assert bytes(box.children[1].value).startswith(b"\x89PNG")
    assert (button.disabled, button.description) == (False, "Measure again")


@pytest.mark.parametrize("name", STATISTICS)
def test_recorded_parts_come_from_the_record(name: str) -> None:
    modern = record("modern-nvidia-h200")
    table = recorded(name, modern)
    assert modern.label in table.caption
    assert all(float(ms) > 0 and float(reads) >= 1 for _, ms, reads in table.rows)


def test_the_lesson_and_the_page_for_teachers_have_one_rubric() -> None:
    def rubric(text: str) -> list[str]:
        lines = text.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("| criterion |"))
        return lines[start : start + 7]

    shown = rubric(SOURCE.text)
    assert shown == rubric(Path(PAGE).read_text(encoding="utf-8"))
    assert all(line.count("|") == 6 for line in shown)
