"""Lesson 17: the versions of a student run, are counted and measured."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from shadersort.keys.types import Integers
from shadersort.lessons import record
from shadersort.lessons.capstone import exercises as lesson
from shadersort.lessons.capstone import measuring, running
from shadersort.lessons.capstone.buttons import VERSIONS, Bandwidth, Measurement
from shadersort.lessons.capstone.facts import of_run
from shadersort.lessons.capstone.kernels import BY_KERNEL
from shadersort.lessons.capstone.pictures import show_measured, show_task, show_ties
from shadersort.lessons.capstone.project import Project, hand_in, recorded
from shadersort.lessons.capstone.statistics import COMPLETE, STATISTICS
from shadersort.palette import FAINT
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
    assert {row[1:3] for row in table.rows} == {(f"{STATISTICS[name](KEYS):.6g}", "yes")}
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
    button, *shown = (box := Measurement(project, KEYS, VERSIONS).player()).children
    assert not shown
    button.click()
    assert len(box.children) == 2
    assert bytes(box.children[1].value).startswith(b"\x89PNG")
    assert (button.disabled, button.description) == (False, "Measure again")


@pytest.mark.parametrize(
    ("guess", "told"),
    [
        ([...], "Write your guess first"),
        ([*VERSIONS[:3], "by_gpu"], "Your guess names 'by_gpu'"),
        (VERSIONS[:3], "by_kernel 0 times"),
        ("by_order", "by_kernel 0 times"),
    ],
)
def test_nothing_is_measured_without_a_guess(
    guess: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Project, "measured", lambda *_: pytest.fail("it measured"))
    project = hand_in(STATISTICS["trimmed mean"], None, None, None)
    measurement = Measurement(project, KEYS, guess)
    assert told in repr(measurement)
    (button,) = (box := measurement.player()).children
    button.click()
    assert told in box.children[1].value


def test_a_button_measures_memory() -> None:
    sizes = (("in a cache", 1 << 10), ("in memory", 1 << 20))
    (button,) = (box := Bandwidth(sizes).player()).children
    button.click()
    assert "in memory" in box.children[1].value
    for _, size, ms, speed in (table := Bandwidth(sizes).measured()).rows:
        assert float(speed) == pytest.approx(float(size) / float(ms), rel=0.1)
    assert [row[1] for row in table.rows] == ["0.0041", "4.2"]


def test_the_ends_are_selected_and_no_more() -> None:
    """What the grey bars show: no key is counted if both ends are equal."""
    ends = running.prepared("trimmed mean", np.array([1, 2, 2, 2, 5, 9, 9, 9]))
    assert (ends.numbers, ends.copies) == ((2, 9), 2)
    assert running.prepared("trimmed mean", np.full(8, 3)).copies == 0


@pytest.mark.parametrize("name", STATISTICS)
def test_recorded_parts_come_from_the_record(name: str) -> None:
    modern = record("modern-nvidia-h200")
    table = recorded(name, modern)
    assert modern.label in table.caption
    assert all(float(ms) > 0 and float(reads) >= 1 for _, ms, reads in table.rows)


def test_pictures_of_ties_and_of_the_task_show_what_is_right() -> None:
    keys = np.array([4, 1, 1, 1, 1, 7, 7, 9])
    (ax,) = show_ties(keys).axes
    assert [text.get_text() for text in ax.texts] == 3 * [f"{key}" for key in np.sort(keys)]
    colours = [patch.get_facecolor() for patch in ax.patches]
    ends, stay, runs = (colours[at : at + 8] for at in (0, 8, 16))
    faint = to_rgba(FAINT)
    assert [colour != faint for colour in ends] == [True] * 4 + [False] + [True] * 2 + [False]
    assert [colour != faint for colour in stay] == [False] * 2 + [True] * 4 + [False] * 2
    assert [one != other for one, other in pairwise(runs)] == [
        *3 * [False],
        True,
        True,
        False,
        True,
    ]
    texels = np.sort(np.array([1, 2, 2, 3, 4, 5, 5, 6], np.float32)).reshape(1, 2, 4)
    (ax,) = show_task(texels, low=1, high=5).axes
    numbers = [text.get_text() for text in ax.texts]
    assert numbers[8:16] == ["3", "7", "0", "0", "1", "4", "0", "0"]
    assert numbers[16:] == ["1", "1", "0", "1", "1", "1", "0", "1"]


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


def test_an_answer_that_is_not_right_is_marked_and_explained() -> None:
    project = hand_in(*right_answers("trimmed mean"))
    keys = np.arange(1 << 16) * 16
    table = project.counted(keys)
    assert [row[2] for row in table.rows] == ["yes", "yes", "NO"]
    total = keys[(1 << 14) + 1 : 3 * (1 << 14) - 1].sum()
    assert f"The sum of the keys between the ends is {total:,}" in table.caption
