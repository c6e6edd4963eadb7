"""Exercises in GLSL: mistakes are named, errors stand at the student's lines, nothing runs away."""

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scripts.lessons.source import Lesson, lessons
from shadersort.lessons.drawing.shaders import shuffled, turned
from shadersort.lessons.four_sorts.shaders import sorted_texel
from shadersort.lessons.ladder.shaders import largest_of_four
from shadersort.lessons.shared.calling import TookTooLong
from shadersort.lessons.shared.glsl.drawing import artist
from shadersort.lessons.shared.glsl.exercise import ANY, ShaderExercise, drawn_in_child
from shadersort.palette import WRONG
from tests.lessons.test_exercises import module_of

LESSONS = [
    (lesson, each)
    for lesson in lessons()[1:]
    for each in module_of(lesson).EXERCISES
    if isinstance(each, ShaderExercise)
]
SHADERS = [each for _, each in LESSONS]


def lesson_of(exercise: ShaderExercise) -> Lesson:
    return next(lesson for lesson, each in LESSONS if each is exercise)


ERRORS = [
    ("return texel_at(size - 1 - plaice);", "“plaice” is not declared"),
    ("return texel_at(size - 1 - place)", "Perhaps a semicolon is missing at the end"),
    ("return texel_at(place.x // 2);", "// begins a comment."),
    ("return texelat(place);", "There is no function “texelat” here."),
    ("own = texel_at(place); return own + own;", "“own” is new here, so its type stands before"),
    ("return np.flip(place);", "There is no NumPy here"),
    ("return place if true else size;", "is `a ? b : c` here"),
    ("return texel_at(place.x == 0 and place.y == 0);", "`and` is written &&"),
    ("return texel_at([1, 2]);", "A vector is made by its type"),
    ("bvec4 b = equal(plaice, plaice);", "“plaice” is not declared"),
    ("return keys[::-1, ::-1];", "There are no slices"),
    ("vec4 a, b = texel_at(place), texel_at(size);", "Each name has its own value behind it"),
    ("for i in range(3): return vec4(1.0);", "A loop is written for (int i = 0;"),
    ("if (place.x = 0) place.x = 1;", "Two values are compared by =="),
    ("if place.x == 0 place.x = 1;", "A condition stands in round brackets"),
    ("return place;", "It returns ivec2, not vec4."),
    ("int x = 1.5;", "A value of type float stands where int is needed."),
    ("return texel_at(place).xyq;", "“.xyq” names no part of this value."),
    ("# copy", "A comment begins with //, not with #."),
    ("bvec4 b = equal(OWN, OWN) && lessThan(OWN, vec4(1.0));", "Two bvec4 cannot be joined: make"),
    ("bool a = place.x < 2, b = place.y < 2; a = a & b;", "Two bool are joined by &&, or"),
    ("bool a = 0 < place.x < size.x;", "Two comparisons are joined by &&"),
]


@pytest.mark.parametrize(("line", "words"), ERRORS)
def test_an_error_stands_at_the_students_own_line(line: str, words: str) -> None:
    """The text begins after the quotes, so its first line is line 1."""
    line = line.replace("OWN", "texel_at(place)")
    answer = f"\nvec4 new_texel(ivec2 place) {{\n    // a comment\n    {line}\n}}\n"
    verdict = turned.check(answer)
    assert verdict.state == "wrong"
    assert verdict.about.startswith(f"it does not compile: line 3, `{line}`: ")
    assert words in verdict.about
    assert verdict.rows() == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("vec4 a, b; a, b = texel_at(place), vec4(1.0); return a;", "to several names at once"),
        ("vec4 a = texel_at(place); a =+ 1.0; return a;", "=+, which only gives a value"),
        ("if (place.x > 0) { return vec4(1.0); }", "a `return` must stand after it, too"),
    ],
)
def test_what_compiles_and_is_not_meant_is_named(body: str, words: str) -> None:
    assert words in turned.check(ANY.function(body)).about


@pytest.mark.parametrize(
    "blank", [None, ..., "\nvec4 new_texel(ivec2 place) {\n    ...  // you\n}"]
)
def test_a_blank_is_not_yet_an_answer(blank: Any) -> None:
    assert turned.check(blank).state == "not yet"


def test_rules_are_enforced() -> None:
    text = sorted_texel.surroundings.function
    for body in ("if (four.r < 1.0) return four;", "four.r < 1.0 ? four : four.abgr;"):
        assert "chooses" in sorted_texel.check(text(body)).about
    for body in (
        "for (int i = 0; i < 3; i++) four.r += 1.0;",
        "while (four.r > 0.0) four.r = 0.0;",
    ):
        assert "has a loop" in sorted_texel.check(text(body)).about
    verdict = sorted_texel.check(text("return four;  // if only! for a while?"))
    assert "forbids" not in verdict.about


def test_the_first_line_has_to_stay() -> None:
    verdict = turned.check("vec4 new_texel(ivec2 p) { return texel_at(p); }")
    assert "must stay as it was given: `vec4 new_texel(ivec2 place) {`" in verdict.about
    assert turned.check("vec4  new_texel( ivec2 place )\n{ return texel_at(place); }").mistake
    assert "is a text, not function" in turned.check(lambda place: place).about


def test_the_picture_crosses_out_what_is_wrong() -> None:
    verdict = turned.check(ANY.function("return texel_at(ivec2(size.x - 1 - place.x, place.y));"))
    figure: Any = verdict.figure()
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["the texture, red", "yours, red", "expected, red"]
    wrong = int((verdict.yours[..., 0] != verdict.expected[..., 0]).sum())
    crosses = [[line for line in ax.lines if line.get_color() == WRONG] for ax in figure.axes]
    assert [len(each) for each in crosses] == [0, wrong, 0]
    assert wrong == verdict.yours[..., 0].size


def test_a_part_of_the_frame_is_compared() -> None:
    texels = shuffled(np.random.default_rng(0), 4, 6)
    answer = largest_of_four.surroundings.function("return texel_at(place);")
    assert np.array_equal(largest_of_four.drawn(answer, texels), texels[:2, :3])


LONG = """
vec4 new_texel(ivec2 place) {
    float x = 1.0 + float(place.x);
    while (x > 0.0) {
        for (int i = 0; i < 100; i++) x = sqrt(x * x + sin(x) * sin(x));
        x += 1.0;
    }
    return vec4(x);
}
"""
"""llvmpipe ends a loop after 65,536 rounds, but not in time for a large texture."""


def test_an_endless_loop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    texels = np.zeros((256, 256, 4), np.float32)
    limited = replace(turned, seconds=0.5)
    with pytest.raises(TookTooLong):
        limited.drawn(LONG, texels)
    tried: list[str] = []

    def counted(work: Any, text: str, *given: Any, seconds: float) -> Any:
        tried.append(text)
        return type(artist).call(artist, work, text, *given, seconds=seconds)

    endless = replace(limited, cases=lambda rng: [(texels,)])
    with monkeypatch.context() as patched:
        patched.setattr(artist, "call", counted)
        assert "it was stopped" in endless.check(LONG).about
    endless_ones = [text for text in tried if "while (x > 0.0)" in text]
    assert len(endless_ones) == 1, "it is tried once, and not for each mistake"
    assert turned.check(turned.mistakes[0].answer).mistake is turned.mistakes[0]


def test_a_crash_of_the_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_in_child.cache_clear()

    def crashes(*request: Any, seconds: float) -> Any:
        return type(artist).call(artist, os.abort, seconds=seconds)

    with monkeypatch.context() as patched:
        patched.setattr(artist, "call", crashes)
        verdict = replace(turned, mistakes=()).check(turned.mistakes[1].answer)
    assert "the process ended: signal 6 (Aborted)" in verdict.about
    assert turned.check(turned.mistakes[1].answer).mistake is turned.mistakes[1]
