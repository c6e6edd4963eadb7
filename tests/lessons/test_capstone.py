"""Lesson 18: the definitions are right, checkers follow the choice, and versions are measured."""

from collections.abc import Iterator
from statistics import multimode
from typing import Any

import numpy as np
import pytest

from scripts.lessons.source import lessons
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone import project as versions
from shadersort.lessons.capstone.exercises import STAGES, STATISTICS
from shadersort.lessons.capstone.parts import cases
from shadersort.lessons.capstone.project import hand_in
from shadersort.lessons.shared.opengl import device_name
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


@pytest.mark.parametrize("name", STATISTICS)
def test_definitions_are_right(name: str) -> None:
    """The statistics once more, without NumPy."""
    for (keys,) in cases(np.random.default_rng(3)):
        kept = sorted(keys.tolist())[len(keys) // 4 : len(keys) - len(keys) // 4]
        mode = min(multimode(keys.tolist()))
        expected = sum(kept) / len(kept) if name == "trimmed mean" else mode
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


KEYS = np.minimum(np.random.default_rng(1).geometric(0.1, size=256), 30)


@pytest.mark.parametrize("name", STATISTICS)
def test_shaders_and_kernels_find_the_statistic(name: str) -> None:
    """For keys with ties at the ends, all equal, all different, few, and many."""
    rng = np.random.default_rng(2)
    some = np.array([5, 1, 5, 9]), np.full(64, 7), rng.permutation(128), rng.integers(0, 4, 100)
    for keys in (*some, KEYS):
        for version, text in zip(STAGES[2:], TEXTS[name], strict=True):
            ran = versions.run(name, version, text, keys, timed=False)
            assert ran is not None
            assert ran.answer == pytest.approx(STATISTICS[name].definition(keys))
            assert ran.launches == 1 or name == "mode"


def right_answers(name: str) -> tuple[Any, ...]:
    """Right answers to all stages: a definition for stage 1, and nothing for stage 2."""
    return (STATISTICS[name].definition, None, *TEXTS[name])


@pytest.mark.parametrize("name", STATISTICS)
def test_right_versions_are_counted(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    assert repr(project) == f"<Project: the {name}, right: by_definition, by_drawing, by_kernel>"
    table = project.table(KEYS)
    assert [row[0] for row in table.rows] == ["by_definition", "by_drawing", "by_kernel"]
    right = f"{STATISTICS[name].definition(KEYS):.6g}"
    assert {row[1:3] for row in table.rows} == {(right, "yes")}
    launches, read, back = (int(each.replace(",", "")) for each in table.rows[2][3:])
    assert (read, back) == (4 * KEYS.size * launches, 8 * launches)
    assert table.rows[1][3:] == ("1", f"{4 * KEYS.size:,}", f"{4 * KEYS.size:,}")


@pytest.mark.parametrize("name", STATISTICS)
def test_measured_versions_name_the_device_that_ran_and_the_guess(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    for guess in (..., [...], "by_order", ["by_gpu", *STAGES[1:]]):
        table = project.table(KEYS, guess)
        assert table.rows == project.table(KEYS).rows
        assert "Write your guess first" in table.caption
    rows = {row[0]: row[6:] for row in project.table(KEYS, [*STAGES]).rows}
    for at, version in enumerate(STAGES):
        if version != "by_order":
            device, _, ms, place = rows[version]
            assert device == ("NumPy" if version == "by_definition" else device_name())
            assert float(ms) > 0
            assert place == str(at + 1)


def test_without_compute_shaders_the_kernel_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "run", lambda *_, **__: None)
    project = hand_in(STATISTICS["trimmed mean"].definition, None, None, TEXTS["trimmed mean"][1])
    table = project.table(KEYS, [*STAGES])
    assert [row[0] for row in table.rows] == ["by_definition"]
    assert "by_kernel is left out: only a device can be timed" in table.caption


def test_keys_that_a_version_cannot_take_are_refused_in_a_sentence() -> None:
    project = hand_in(*right_answers("trimmed mean"))
    cases: list[tuple[Any, list[str], str]] = [
        (np.linspace(0, 1, 64), ["by_drawing", "by_kernel"], "takes whole numbers"),
        (np.arange(65_535), ["by_drawing"], "65,535 is no multiple of 4: leave out 3, or add 1"),
        (np.arange(64) - (1 << 33), ["by_drawing", "by_kernel"], "a float32 has all of these"),
    ]
    for keys, refused, why in cases:
        table = project.table(keys)
        assert why in table.caption
        taken = [each for each in project.answers if each not in refused]
        assert [row[0] for row in table.rows] == taken
        assert {row[2] for row in table.rows} == {"yes"}
