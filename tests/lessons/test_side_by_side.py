"""Lesson 13: two columns of source, and steps that are measured here; no GPU is needed."""

from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from modern.primitives.numpy import HostPrimitives
from shadersort import Device
from shadersort.drawing.shaders import directory
from shadersort.lessons import record
from shadersort.lessons.side_by_side.columns import beside, excerpt
from shadersort.lessons.side_by_side.pictures import TITLES, show_times
from shadersort.lessons.side_by_side.sources import PAIRS, columns
from shadersort.lessons.side_by_side.steps import QUESTIONS, measured
from shadersort.selection.primitives.textures import TexturePrimitives

TEXT = "one\n  two\nthree\nfour\nthree"


def glsl(name: str) -> str:
    return (directory() / name).read_text(encoding="utf-8")


def cuda(name: str) -> str:
    return (files("modern.kernels") / name).read_text(encoding="utf-8")


def test_an_excerpt_says_where_lines_are_left_out() -> None:
    assert excerpt(TEXT, ("one", "two"), "four") == "one\n  two\n…\nfour"
    assert excerpt(TEXT, "one", "two") == "one\n  two"
    assert excerpt(TEXT, "three", "three") == "three\n…\nthree"
    assert excerpt("a\n  b\n  c", "a", "c") == "a\n  …\n  c"
    with pytest.raises(ValueError, match="no line from line 5 on has 'one'"):
        excerpt(TEXT, "four", "one")


def test_letters_stand_at_the_lines_that_do_the_same() -> None:
    both = beside(TEXT, "1\n2", titles=("words", "digits"), same=[("two", "2"), ("three", "2")])
    assert both.letters == (("", "A", "B", "", ""), ("", "AB"))
    assert repr(both).splitlines()[:4] == ["--- words", "  one", "A   two", "B three"]
    with pytest.raises(ValueError, match="has 'five'"):
        beside(TEXT, "1", titles=("words", "digits"), same=[("five", "1")])


def test_what_html_means_is_written_as_it_is() -> None:
    html = beside("a < b", "&c", titles=("<left>", "right"), same=[("a", "c")])._repr_html_()
    for part in ("&lt;left&gt;", "a &lt; b", "&amp;c", ">A</b> "):
        assert part in html
    assert html.count("<td") == html.count("</td>") == 2


@pytest.mark.parametrize("name", PAIRS)
def test_every_pair_is_found_in_the_sources(name: str) -> None:
    found = columns(name, glsl, cuda)
    for letters in found.letters:
        assert set("".join(letters)) == set("ABCDEF"[: len(PAIRS[name].same)])
    assert found.titles[1].startswith("CUDA: modern/kernels/")


def test_steps_are_measured_here_and_drawn_as_stars(software: Device) -> None:
    keys = np.random.default_rng(0).random(256, np.float32)
    rows = list(measured(keys, software, HostPrimitives(keys)))
    assert [(row["step"], row["by"]) for row in rows] == [
        (step, by) for by in ("GLSL", "CUDA") for step in QUESTIONS
    ]
    assert all(row["ms"] > 0 and row["keys"] == 256 for row in rows)
    steps = record("steps-nvidia-h200")
    axes: Any = show_times(steps.rows, steps.label, rows).axes
    assert [ax.get_title() for ax in axes] == list(TITLES.values())
    for ax in axes:
        stars = [line for line in ax.lines if line.get_marker() == "*"]
        assert [list(line.get_xdata()) for line in stars] == [[256], [256]]


def test_both_answer_alike(software: Device) -> None:
    keys = np.random.default_rng(1).random(1000, np.float32)
    with TexturePrimitives(keys, software) as texture:
        for step, ask in QUESTIONS.items():
            assert np.array_equal(ask(texture), ask(HostPrimitives(keys))), step
