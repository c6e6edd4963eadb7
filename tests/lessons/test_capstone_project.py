"""Lesson 17: the versions of a student run, are counted and measured."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shadersort.keys.types import Integers
from shadersort.lessons import record
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone import measuring, running
from shadersort.lessons.capstone.buttons import VERSIONS, Bandwidth, Measurement
from shadersort.lessons.capstone.facts import of_run
from shadersort.lessons.capstone.project import Project, hand_in, recorded
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS
from shadersort.lessons.shared.opengl import context
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
        by_drawing = running.by_drawing(name, drawn, keys)
        by_kernel = running.by_kernel(name, kernel, keys)
        assert by_drawing.answer == right
        assert by_kernel.answer == right
        assert (by_drawing.launches, by_drawing.back) == (1, 4 * len(keys))
        expected = of_run(len(keys), by_kernel.launches, 1.0)
        assert (by_kernel.read, by_kernel.back) == expected[:2]
    with pytest.raises(ValueError, match="5 keys do not fill texels of 4"):
        running.by_drawing(name, drawn, np.arange(5))


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
    assert {row[1:3] for row in table.rows} == {(f"{STATISTICS[name](KEYS):.6g}", "yes")}
    compared = project.compared(of_run, KEYS)
    assert len(compared.rows) == 3
    assert all(yours == counted for _, yours, counted in compared.rows)
    assert not project.compared(lambda *case: (0, 0, 0, 0), KEYS).rows
    assert not Project(name, {}).compared(of_run, KEYS).rows


@pytest.mark.parametrize("name", COMPLETE)
def test_measured_versions_name_the_device_that_ran(name: str) -> None:
    lesson.choose(name)
    project = hand_in(*right_answers(name))
    rows = project.measured(KEYS)
    with context() as opened:
        device = opened.gl.info["GL_RENDERER"].split(" (")[0]
    assert [row["device"] for row in rows] == ["NumPy", device, device]
    assert all(row["ms"] > 0 for row in rows)
    assert [row["before_ms"] > 0 for row in rows] == [False, True, True]
    for version, text in zip(("by_drawing", "by_kernel"), TEXTS[name], strict=True):
        timed = measuring.measured(version, name, text, KEYS)
        assert timed is not None
        assert timed.answer == pytest.approx(STATISTICS[name](KEYS))


def test_a_button_measures_and_shows_the_picture() -> None:
    project = hand_in(STATISTICS["trimmed mean"], None, None, None)
    button, *shown = (box := Measurement(project, KEYS, VERSIONS).player()).children
    assert not shown
    button.click()
    assert len(box.children) == 2
    assert bytes(box.children[1].value).startswith(b"\x89PNG")
    assert (button.disabled, button.description) == (False, "Measure again")


def test_without_compute_shaders_the_kernel_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "measured", lambda *_: None)
    project = hand_in(STATISTICS["trimmed mean"], None, None, TEXTS["trimmed mean"][1])
    button, *_ = (box := Measurement(project, KEYS, VERSIONS).player()).children
    button.click()
    assert box.children[2].value.startswith("by_kernel is left out: only a device can be timed")


def test_a_button_measures_memory() -> None:
    sizes = (("in a cache", 1 << 10), ("in memory", 1 << 20))
    (button,) = (box := Bandwidth(sizes).player()).children
    button.click()
    assert "in memory" in box.children[1].value
    for _, size, ms, speed in (table := Bandwidth(sizes).measured()).rows:
        assert float(speed) == pytest.approx(float(size) / float(ms), rel=0.1)
    assert [row[1] for row in table.rows] == ["0.0041", "4.2"]


@pytest.mark.parametrize("name", STATISTICS)
def test_recorded_parts_come_from_the_record(name: str) -> None:
    modern = record("modern-nvidia-h200")
    table = recorded(name, modern)
    assert modern.label in table.caption
    assert all(float(ms) > 0 and float(reads) >= 1 for _, ms, reads in table.rows)


def test_keys_that_a_version_cannot_take_are_refused_in_a_sentence() -> None:
    project = hand_in(*right_answers("trimmed mean"))
    cases: list[tuple[Any, list[str], str]] = [
        (np.linspace(0, 1, 64), ["by_drawing", "by_kernel"], "takes whole numbers"),
        (np.arange(65_535), ["by_drawing"], "65,535 is no multiple of 4: leave out 3, or add 1"),
        (np.arange(64) + (1 << 24), ["by_drawing"], "a float32 has all of these"),
        (np.arange(64) - (1 << 33), ["by_drawing", "by_kernel"], "does not fit in 32 bits"),
    ]
    for keys, refused, why in cases:
        assert list(project.faults(keys)) == refused
        table = project.counted(keys)
        assert why in table.caption
        assert not {row[0] for row in table.rows} & set(refused)
        assert {row[2] for row in table.rows} == {"yes"}
        assert not {row["version"] for row in project.measured(keys)} & set(refused)
    fractions: Any = np.linspace(0, 1, 64)
    assert project.compared(of_run, fractions).caption.startswith("by_kernel takes whole numbers")
