"""Exercises in GLSL: mistakes are named, errors stand at the student's lines, nothing runs away."""

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shadersort.lessons.buckets.exercises import block_histogram
from shadersort.lessons.drawing.exercises import turned
from shadersort.lessons.exercises import ShaderRunner, Verdict
from shadersort.lessons.exercises.shader_runner import artist
from shadersort.lessons.four_sorts.exercises import sorted_texel
from shadersort.lessons.ladder.exercises import counts_of_texel, largest_of_four
from shadersort.palette import WRONG
from tests.lessons.test_exercises import shader_text
from tests.right_kernels import HISTOGRAM, without_barrier

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
    ("for i in range(3): return vec4(1.0);", "A loop is written for (int i = 0;"),
    ("if (place.x = 0) place.x = 1;", "Two values are compared by =="),
    ("if place.x == 0 place.x = 1;", "A condition stands in round brackets"),
    ("return place;", "It returns ivec2, not vec4."),
    ("int x = 1.5;", "A value of type float stands where int is needed."),
    ("return texel_at(place).xyq;", "“.xyq” names no part of this value."),
    ("# copy", "A comment begins with //, not with #."),
    ("bvec4 b = equal(OWN, OWN) && lessThan(OWN, vec4(1.0));", "“&&” joins true or false."),
    ("bool a = place.x < 2, b = place.y < 2; a = a & b;", "Two bool are joined by &&"),
    ("bool a = 0 < place.x < size.x;", "Two comparisons are joined by &&"),
    ("int a = 1, in = 2; place.x = in;", "A name in this line is a reserved word: in, out"),
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


def test_what_compiles_and_is_not_meant_is_named() -> None:
    for body, words in (
        ("vec4 a, b; a, b = texel_at(place), vec4(1.0); return a;", "to several names at once"),
        ("if (place.x > 0); return vec4(1.0);", "a semicolon stands right behind"),
        ("if (place.x > 0) { return vec4(1.0); }", "a `return` must stand after it, too"),
        ("while (true) {} return vec4(1.0);", "an endless loop: it has no condition"),
        ("for (;;) { if (place.x > 1) { place.x--; } } return vec4(1.0);", "an endless loop"),
        ("int i = 0; while (i < 4) { place.x += 1; } return vec4(1.0);", "no turn changes what"),
    ):
        assert words in turned.check(shader_text(turned, body)).about


def test_loops_that_end_are_accepted() -> None:
    for loop in (
        "while (true) { if (place.x > 1) { place.y += 0; } if (place.x < 99) break; }",
        *("int i = 0; while (i < size.x) { if (i > 1) { i++; } ++i; }", "while (i < 4) i++;"),
    ):
        body = f"{'' if 'int' in loop else 'int i = 0;'} {loop} return texel_at(size - 1 - place);"
        assert turned.check(shader_text(turned, body)).passed


def test_a_blank_is_not_yet_an_answer() -> None:
    for blank in (None, ..., "\nvec4 new_texel(ivec2 place) {\n    ...  // you\n}"):
        assert turned.check(blank).state == "not yet"


def test_rules_are_enforced() -> None:
    for body in ("if (four.r < 1.0) return four;", "four.r < 1.0 ? four : four.abgr;"):
        assert "chooses" in sorted_texel.check(shader_text(sorted_texel, body)).about
    for body in ("for (int i = 0; i < 3; i++) four.r++;", "while (four.r > 0.0) four.r = 0.0;"):
        assert "has a loop" in sorted_texel.check(shader_text(sorted_texel, body)).about
    allowed = shader_text(sorted_texel, "return four;  // if only! for a while?")
    assert "forbids" not in sorted_texel.check(allowed).about


def test_the_first_line_has_to_stay() -> None:
    verdict = turned.check("vec4 new_texel(ivec2 p) { return texel_at(p); }")
    assert "must stay as it was given: `vec4 new_texel(ivec2 place) {`" in verdict.about
    assert turned.check("vec4  new_texel( ivec2 place )\n{ return texel_at(place); }").mistake
    assert "is a text, not function" in turned.check(lambda place: place).about


def test_the_picture_crosses_out_what_is_wrong() -> None:
    half = "return texel_at(ivec2(size.x - 1 - place.x, place.y));"
    verdict = turned.check(shader_text(turned, half))
    figure: Any = verdict.figure()
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["the texture, red", "yours, red", "expected, red"]
    wrong = int((verdict.yours[..., 0] != verdict.expected[..., 0]).sum())
    crosses = [[line for line in ax.lines if line.get_color() == WRONG] for ax in figure.axes]
    assert [len(each) for each in crosses] == [0, wrong, 0]
    assert wrong == verdict.yours[..., 0].size


def test_a_part_of_the_frame_is_compared() -> None:
    texels = np.arange(96, dtype=np.float32).reshape(4, 6, 4)
    answer = shader_text(largest_of_four, "return texel_at(place);")
    assert np.array_equal(largest_of_four.runner.run(answer, (texels,)).result, texels[:2, :3])


COPIED = shader_text(turned, "return texel_at(place);")

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
    tried: list[str] = []

    def counted(work: Any, text: str, *given: Any, seconds: float) -> Any:
        tried.append(text)
        return type(artist).call(artist, work, text, *given, seconds=seconds)

    limited = replace(turned, cases=lambda rng: [(texels,)], runner=ShaderRunner(seconds=0.5))
    with monkeypatch.context() as patched:
        patched.setattr(artist, "call", counted)
        assert "it was stopped after 0.5 seconds" in limited.check(LONG).about
    assert len(tried) == 1, "it is tried once"
    assert turned.check(COPIED).mistake is turned.mistakes[3]


def test_a_crash_of_the_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def crashes(*request: Any, seconds: float) -> Any:
        return type(artist).call(artist, os.abort, seconds=seconds)

    with monkeypatch.context() as patched:
        patched.setattr(artist, "call", crashes)
        assert "the process ended: signal 6 (Aborted)" in turned.check(COPIED).about
    assert turned.check(COPIED).mistake is turned.mistakes[3]


# what a verdict says: of numbers that some compilers refuse, and of long results

COUNTED = (
    "vec4 one = vec4(1.0);\n"
    "    float below = dot(vec4(lessThan(four, vec4(pivot))), one);\n"
    "    float above = dot(vec4(greaterThan(four, vec4(pivot))), one);\n"
    "    return vec4(below, SAME - below - above, above, 0);"
)


def test_an_int_where_browsers_want_a_float_is_told() -> None:
    checked = counts_of_texel.check
    right = checked(shader_text(counts_of_texel, COUNTED.replace("SAME", "4.0")))
    assert right.passed
    assert right.about == "in all 3 cases"
    warned = checked(shader_text(counts_of_texel, COUNTED.replace("SAME", "4")))
    assert warned.passed
    line = "return vec4(below, 4 - below - above, above, 0);"
    assert f"in all 3 cases. But some compilers refuse `{line}`, those of" in warned.about
    also = checked(
        shader_text(
            counts_of_texel,
            COUNTED.replace("SAME", "4.0").replace("float above =", "float above = 0 +"),
        )
    )
    assert "But some compilers refuse `float above = 0 +" in also.about


def test_the_first_difference_of_long_results_is_printed() -> None:
    """One of 100 counters differs, where an array is shortened."""
    text = without_barrier(HISTOGRAM, 1)
    assert "first at place" in dict(block_histogram.check(text).rows())["differs"]
    yours, expected = np.zeros((50, 2)), np.zeros((50, 2))
    yours[20, 1], expected[10, 0], yours[10, 0] = 3, np.nan, np.nan
    verdict = Verdict("any", "wrong", case=(1,), yours=yours, expected=expected)
    rows = dict(verdict.rows())
    assert rows["yours"] == rows["expected"]
    assert rows["differs"] == "first at place (20, 1): 3.0, where 0.0 is expected"
    assert "differs   first at place" in repr(verdict)
