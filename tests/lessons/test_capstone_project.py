"""Lesson 17: the versions of a student run, are counted and measured."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shadersort.keys.types import Integers
from shadersort.lessons import record
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone import running
from shadersort.lessons.capstone.project import VERSIONS, hand_in, recorded_parts
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS
from shadersort.lessons.shared.opengl import device_name
from tests.lessons.test_capstone import TEXTS

KEYS = np.minimum(np.random.default_rng(1).geometric(0.1, size=256), 30)


@pytest.fixture(autouse=True)
def _first_choice() -> Iterator[None]:
    """Leave the choice as it was: the other tests take the first one."""
    yield
    lesson.choose(COMPLETE[0])


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
        by_drawing = running.count_drawing(name, drawn, keys)
        by_kernel = running.count_kernel(name, kernel, keys)
        assert by_drawing.answer == right
        assert by_kernel.answer == right
        assert (by_drawing.launches, by_drawing.back) == (1, 4 * len(keys))
        expected = lesson.facts_of(len(keys), by_kernel.launches, 1.0)
        assert (by_kernel.read, by_kernel.back) == expected[:2]


def right_answers(name: str) -> tuple[Any, ...]:
    """Right answers to all stages: a definition for stage 1, and nothing for stage 2."""
    return (STATISTICS[name], None, *TEXTS[name])


@pytest.mark.parametrize("name", COMPLETE)
def test_right_versions_are_counted(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    assert repr(project) == f"<Project: the {name}, right: by_definition, by_drawing, by_kernel>"
    table = project.counted(KEYS)
    assert [row[0] for row in table.rows] == ["by_definition", "by_drawing", "by_kernel"]
    assert {row[1:3] for row in table.rows} == {(f"{STATISTICS[name](KEYS):.6g}", "yes")}


@pytest.mark.parametrize("name", COMPLETE)
def test_measured_versions_name_the_device_that_ran_and_the_guess(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    for guess in (..., [...], "by_order", ["by_gpu", *VERSIONS[1:]]):
        assert not project.measured(KEYS, guess).rows
    rows = {row[0]: row[1:] for row in project.measured(KEYS, [*VERSIONS]).rows}
    for at, version in enumerate(VERSIONS):
        if version != "by_order":
            device, _, ms, place = rows[version]
            assert device == ("NumPy" if version == "by_definition" else device_name())
            assert float(ms) > 0
            assert place == str(at + 1)
    for version, text in zip(VERSIONS[2:], TEXTS[name], strict=True):
        timed = running.time_on_device(version, name, text, KEYS)
        assert timed is not None
        assert timed.answer == pytest.approx(STATISTICS[name](KEYS))


def test_without_compute_shaders_the_kernel_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "time_on_device", lambda *_: None)
    project = hand_in(STATISTICS["trimmed mean"], None, None, TEXTS["trimmed mean"][1])
    table = project.measured(KEYS, [*VERSIONS])
    assert [row[0] for row in table.rows] == ["by_definition"]
    assert "by_kernel is left out: only a device can be timed" in table.caption


def test_recorded_parts_come_from_the_record() -> None:
    modern = record("modern-nvidia-h200")
    table = recorded_parts(modern)
    assert modern.label in table.caption
    assert all(float(ms) > 0 and float(reads) >= 1 for _, ms, reads in table.rows)


def test_keys_that_a_version_cannot_take_are_refused_in_a_sentence() -> None:
    project = hand_in(*right_answers("trimmed mean"))
    cases: list[tuple[Any, list[str], str]] = [
        (np.linspace(0, 1, 64), ["by_drawing", "by_kernel"], "takes whole numbers"),
        (np.arange(65_535), ["by_drawing"], "65,535 is no multiple of 4: leave out 3, or add 1"),
        (np.arange(64) + (1 << 24), ["by_drawing"], "a float32 has all of these"),
        (np.arange(64) - (1 << 33), ["by_drawing", "by_kernel"], "does not fit in 32 bits"),
        (10**9 * np.arange(1, 3).repeat(4), ["by_drawing"], "a float32 has all of these"),
        (10**8 * np.arange(-20, 20), ["by_drawing"], "a float32 has all of these"),
        (10**8 * np.arange(20), ["by_drawing", "by_kernel"], "the sum between the ends is"),
    ]
    for keys, refused, why in cases:
        assert list(project.faults(keys)) == refused
        table = project.counted(keys)
        assert why in table.caption
        assert not {row[0] for row in table.rows} & set(refused)
        assert {row[2] for row in table.rows} == {"yes"}
