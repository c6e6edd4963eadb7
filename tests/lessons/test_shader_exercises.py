"""Exercises in GLSL: mistakes are named, errors stand at the student's lines, nothing runs away."""

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scripts.lessons.source import Lesson, lessons
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.errors import DeviceUnavailable
from shadersort.lessons.by_drawing.shaders import directed_step, mirror_step
from shadersort.lessons.drawing.shaders import shuffled, turned
from shadersort.lessons.four_sorts.shaders import sorted_texel
from shadersort.lessons.ladder.shaders import largest_of_four
from shadersort.lessons.shared.calling import TookTooLong
from shadersort.lessons.shared.glsl import drawing, exercise
from shadersort.lessons.shared.glsl.compiler_words import errors_in
from shadersort.lessons.shared.glsl.drawing import artist, draw_text
from shadersort.lessons.shared.glsl.exercise import ANY, ShaderExercise, drawn_in_child
from shadersort.palette import WRONG
from tests.lessons.test_exercises import module_of
from tests.lessons.wrong.glsl import UNKNOWN

LESSONS = [
    (lesson, each)
    for lesson in lessons()[1:]
    for each in module_of(lesson).EXERCISES
    if isinstance(each, ShaderExercise)
]
SHADERS = [each for _, each in LESSONS]


def lesson_of(exercise: ShaderExercise) -> Lesson:
    return next(lesson for lesson, each in LESSONS if each is exercise)


def test_numbers_in_brackets_without_a_type_are_named() -> None:
    """It compiles, and (1, 0) is 0."""
    body = (
        "ivec2 p = 2 * place; return max(max(texel_at(p), texel_at(p + (1, 0))), "
        "max(texel_at(p + (0, 1)), texel_at(p + (1, 1))));"
    )
    about = largest_of_four.check(largest_of_four.surroundings.function(body)).about
    assert "numbers in brackets with no type before them" in about


def test_numbers_of_a_shader_are_given_with_their_names() -> None:
    body = "int p = wire ^ 7; return wire < p ? min(texel_of(wire), texel_of(p)) : texel_of(p);"
    verdict = mirror_step.check(mirror_step.surroundings.function(body))
    assert dict(verdict.rows())["given"].endswith("block = 2")


def test_there_are_enough() -> None:
    assert len(SHADERS) >= 7
    assert set(UNKNOWN) == {each.name for each in SHADERS}
    for each in SHADERS:
        assert len(each.mistakes) >= 4
        assert len({mistake.answer for mistake in each.mistakes}) == len(each.mistakes)
        assert all(mistake.hint for mistake in each.mistakes)


ERRORS = [
    ("return texel_at(size - 1 - plaice);", "“plaice” is not declared"),
    ("return texel_at(size - 1 - place)", "Perhaps a semicolon is missing at the end"),
    ("return texel_at(place.x // 2);", "// begins a comment."),
    ("return texel_at(size - 1 - place;", "The text cannot be read from “;” on."),
    ("return texelat(place);", "There is no function “texelat” here."),
    ("own = texel_at(place); return own + own;", "“own” is new here, so its type stands before"),
    ("return np.flip(place);", "There is no NumPy here"),
    ("return place if true else size;", "is `a ? b : c` here"),
    ("return texel_at(place.x == 0 and place.y == 0);", "`and` is written &&"),
    ("return texel_at([1, 2]);", "A vector is made by its type"),
    ("return [1.0, 2.0, 3.0, 4.0];", "A vector is made by its type"),
    ("bvec4 b = equal(plaice, plaice);", "“plaice” is not declared"),
    ("return texel_at(ivec2(size[min(0, 1)], plaice));", "“plaice” is not declared"),
    ("return texel_at[size - 1 - place];", "A function is called with round brackets"),
    ("return keys[::-1, ::-1];", "There are no slices"),
    ("return keys[place.x, place.y];", "One place stands in [ ], and no comma."),
    ("return texel_at(size[min(0, 1)) - place;", "The text cannot be read from “)” on."),
    ("vec4 a, b = texel_at(place), texel_at(size);", "Each name has its own value behind it"),
    ("vec4 a = texel_at(place), vec4 b = texel_at(size);", "One type stands for all names"),
    ("Vec4 own = texel_at(place);", "A type stands before a new name"),
    ("let own = texel_at(place);", "A type stands before a new name"),
    ("vec4 own == texel_at(place);", "The text cannot be read from “==” on."),
    ("int x = place.x || 1;", "“||” joins answers, true or false, and not numbers."),
    ("bool b = place.x == 0 == place.y == 0;", "in brackets, as in (a == 0) == (b == 0)?"),
    ("return vec4(1.0) < texel_at(place) ? vec4(1.0) : vec4(0.0);", "min and max choose"),
    ("return lessThan(vec4(1.0), vec4(place, 0, 0)) ? vec4(1.0) : vec4(0.0);", "min and max cho"),
    ("return true ? place : vec4(1.0);", "After ? stand two values of one type"),
    ("return texel_at(place) * place;", "have different sizes."),
    ("return vec4(texel_at(place).sum());", "There is no “.sum()” here."),
    ("return vec4(texel_at(place)[4]);", "Places are counted from 0"),
    ("return 'a';", "A sign on this line has no meaning here"),
    ("return kept_smaller(place);", "A function of another exercise cannot be called"),
    ("return texel_at(place) // copy", "Perhaps a semicolon is missing at the end"),
    ("for (int i = 0; i < 3) return vec4(1.0);", "The brackets of `for` have three parts"),
    ("for i in range(3): return vec4(1.0);", "A loop is written for (int i = 0;"),
    ("if (place.x = 0) place.x = 1;", "Two values are compared by =="),
    ("if ((place.x - 1) / 2 = 0) place.x = 1;", "Two values are compared by =="),
    ("vec4 b = lessThan(vec4(0.0), vec4(1.0));", "vec4(…) makes numbers of them"),
    ("vec4 own = min(texel_at(place), other);", "“other” is not declared."),
    ("if place.x == 0 place.x = 1;", "A condition stands in round brackets"),
    ("return min(place, place, place);", "It takes two numbers or two vectors."),
    ("return place.x;", "It returns int, not vec4. A vec4 is made by vec4(…)."),
    ("return vec4(place, place, 1);", "There are too many numbers for a vec4."),
    ("return texel_at(place.x);", "“texel_at” does not take (int)"),
    ("return place;", "It returns ivec2, not vec4."),
    ("int x = 1.5;", "A value of type float stands where int is needed."),
    ("return texel_at(place).xyq;", "“.xyq” names no part of this value."),
    ("# copy", "A comment begins with //, not with #."),
    ("if (1) place.x = 1;", "A condition must be one value, true or false"),
    ("int x = size.x y;", "There is a name where none can stand."),
    ("bvec4 b = equal(OWN, OWN) && lessThan(OWN, vec4(1.0));", "Two bvec4 cannot be joined: make"),
    ("vec4 b = vec4(notEqual(OWN, OWN) & (lessThan(OWN, OWN)));", "vec4(a) * vec4(b)."),
    ("bvec4 a = equal(OWN, vec4(1.0)), b = a; OWN = vec4(a * b);", "vec4(a) * vec4(b)."),
    ("bvec4 a = equal(OWN, vec4(1.0)), b = a; OWN = vec4(a || b);", "max(vec4(a), vec4(b))."),
    ("vec4 a = OWN, b = a; a = a && b;", "Two vec4 are not joined by & or &&."),
    ("bool a = place.x < 2, b = place.y < 2; a = a & b;", "Two bool are joined by &&, or"),
    ("bool a = place.x < 2 | place.y < 2;", "Two bool are joined by &&, or"),
    ("bool a = (place.x == 2) ^ (place.y < 2);", "Two bool are compared by == or !="),
    ("bool a = (place.x & 2) == 0 & place.y;", "“&” joins whole numbers only."),
    ("bool a = 0 < place.x < size.x;", "Two comparisons are joined by &&"),
    ("vec4 a = vec4(1.0) < OWN < vec4(2.0);", "Two comparisons are joined by &&"),
    ("bool a = 9 > place.x + 1 >= (size.x - 1);", "Two comparisons are joined by &&"),
    ("#include <math.h>", "A comment begins with //, not with #."),
    ("bool a = place.x << 1 < size.x >> 1 && plaice < 1;", "“plaice” is not declared"),
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


def test_a_statement_of_several_lines_is_read_as_one() -> None:
    body = "vec4 own = texel_at(place);\nown = vec4(equal(own, own)\n&& lessThan(own, own));"
    assert "Two bvec4 cannot be joined" in turned.check(ANY.function(body)).about


def test_a_name_ends_with_the_braces_in_which_it_is_declared() -> None:
    body = "{ vec4 own = texel_at(place), other = own; }\nreturn other;"
    about = turned.check(ANY.function(body)).about
    assert "“other” is declared in a part that has ended" in about


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


def test_errors_of_other_compilers() -> None:
    log = "0(3) : error C1503: undefined variable 'kees'\nERROR: 0:7: 'x' : syntax error\n"
    assert [(each.line, each.said) for each in errors_in(log)] == [
        (3, "undefined variable 'kees'"),
        (7, "'x' : syntax error"),
    ]


def test_a_text_that_ends_too_early() -> None:
    verdict = turned.check("vec4 new_texel(ivec2 place) {\n    return texel_at(place);\n")
    assert "the text ends too early" in verdict.about


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
        verdict = turned.check(turned.mistakes[1].answer)
    assert "the process ended: signal 6 (Aborted)" in verdict.about
    assert turned.check(turned.mistakes[1].answer).mistake is turned.mistakes[1]


def test_without_opengl_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A blank is still a blank, and the piece says that it names no mistakes."""
    monkeypatch.setattr(drawing, "default_device", SoftwareDevice)
    with pytest.raises(DeviceUnavailable, match="a shader needs OpenGL"):
        draw_text("", np.zeros((2, 2, 4), np.float32))

    def unavailable(*request: Any) -> Any:
        raise DeviceUnavailable("there is no OpenGL")

    monkeypatch.setattr(exercise, "drawn_in_child", unavailable)
    assert turned.check(None).state == "not yet"
    with pytest.raises(DeviceUnavailable):
        turned.check(turned.mistakes[0].answer)
    assert "are not named here: there is no OpenGL." in turned.piece().page


def test_the_picture_of_what_is_asked_names_the_numbers_of_its_case() -> None:
    for asked, numbers in ((directed_step, "distance = 1, run = 2"), (mirror_step, "block = 4")):
        case = next(iter(asked.cases(np.random.default_rng(0))))
        assert asked.asked(case).get_suptitle() == numbers
    case = next(iter(turned.cases(np.random.default_rng(0))))
    assert turned.asked(case).get_suptitle() == ""
