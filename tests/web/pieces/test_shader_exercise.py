"""A function of a shader to write in a browser, which is compared with texels of Python's."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from shadersort.lessons.by_drawing.shaders import directed_step
from shadersort.lessons.drawing.shaders import turned
from shadersort.lessons.four_sorts.shaders import sorted_texel
from shadersort.lessons.ladder.shaders import largest_of_four
from shadersort.lessons.shared.glsl.exercise import ShaderExercise
from tests.lessons.test_exercises import answer_of, code_of
from tests.lessons.test_shader_exercises import SHADERS, lesson_of
from tests.web.pieces.conftest import Open, one_driver
from tests.web.quiet import assert_accessible

READ = """
(text) => {
    shaderExercise.read(text, { asked: true });
    return [shaderExercise.verdict.textContent, shaderExercise.advice.textContent];
}
"""


HABITUAL = [
    ("own = four; return own;", "“own” is new here, so its type stands before it"),
    ("return np.sort(four);", "There is no NumPy here"),
    ("return vec4([1, 2, 3, 4]);", "A vector is made by its type"),
    ("return four[::-1];", "There are no slices"),
    ("vec4 a, b = min(four, four), max(four, four);", "Each name has its own value behind it"),
    ("return vec4(four.r and four.g);", "and is written &&"),
    ("return vec4(equal(four, four) && lessThan(four, four));", "Two bvec4 cannot be joined"),
    ("bool a = four.r < 1.0, b = a; a = a & b; return four;", "Two bool are joined by &&"),
    ("bool a = 0.0 < four.r < four.g; return four;", "Two comparisons are joined by &&"),
]
"""What Python's words become in a browser, too."""


def typed(page: Page, text: str) -> None:
    """Type a text, and draw at once."""
    page.get_by_label("Text of").fill(text)
    page.keyboard.press("Control+Enter")


def told(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(words)


@one_driver
@pytest.mark.parametrize("exercise", SHADERS, ids=lambda each: each.name)
def test_the_solution_is_right_and_each_mistake_is_named(
    opened: Open, exercise: ShaderExercise
) -> None:
    page = opened(exercise.piece())
    for mistake in exercise.mistakes:
        said, hint = page.evaluate(READ, mistake.answer)
        assert f"It looks as if {mistake.said}.".replace("`", "") in said
        assert hint == mistake.hint.replace("`", "")
    lesson = lesson_of(exercise)
    solution: Any = answer_of(lesson, exercise, code_of(lesson, "solution"))
    typed(page, solution)
    cases = len(list(exercise.cases(np.random.default_rng(0))))
    told(page, f"Right, in all {cases} cases.")
    expect(page.locator(".grid .wrong")).to_have_count(0)


def test_yours_stands_beside_what_is_expected(opened: Open) -> None:
    """On both drivers; with a texel of a frame that is half as large as the texture."""
    page = opened(largest_of_four.piece())
    assert page.locator(".grid").count() == 2
    typed(page, largest_of_four.surroundings.function("return texel_at(2 * place);"))
    told(page, "Wrong, in case 1 of 4:")
    names = page.locator("figcaption").all_text_contents()
    assert names == ["the texture: 4 × 4 texels", "yours", "expected"]
    grids = [page.locator(".grid").nth(i).locator("text").all_text_contents() for i in range(3)]
    assert [len(each) for each in grids] == [16, 4, 4]
    crossed = page.locator(".grid").nth(1).locator("g.wrong text").all_text_contents()
    assert crossed == [own for own, right in zip(*grids[1:], strict=True) if own != right] != []


@one_driver
def test_blanks_errors_and_rules(opened: Open) -> None:
    page = opened(sorted_texel.piece())
    told(page, "Not yet.")
    text = sorted_texel.surroundings.function
    typed(page, text("return foor;"))
    told(page, "It does not compile.")
    expect(page.locator(".errors li")).to_contain_text("“foor” is not declared.")
    expect(page.locator(".errors button")).to_have_text("Line 2")
    for line, words in HABITUAL:
        typed(page, text(line))
        expect(page.locator(".errors li").first).to_contain_text(f"Line 2 {words}")
    typed(page, text("return four.r < 1.0 ? four : four.abgr;"))
    told(page, "it chooses by if or ?, which this exercise forbids")
    typed(page, text("for (;;) four.r += 1.0;"))
    told(page, "it has a loop, which this exercise forbids")
    typed(page, "vec4 in_order(vec4 keys) { return keys; }")
    told(page, "Its first line must stay as it was given: vec4 in_order(vec4 four) {")
    typed(page, text("return four").removesuffix("}\n"))
    expect(page.locator(".errors li").first).to_contain_text("ends too early")
    typed(page, text("return four;"))
    told(page, "Wrong, in case 1 of 3:")
    assert "It looks as if" not in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="Restore the text").click()
    told(page, "Not yet.")
    assert "...  // your code here" in page.get_by_label("Text of").input_value()


SILENT = [
    "ivec2 p = 2 * place; return max(texel_at(p), texel_at(p + (1, 0)));",
    "vec4 a, b; a, b = texel_at(place), texel_at(place); return max(a, b);",
    "vec4 a = texel_at(place); a =+ texel_at(2 * place); return a;",
    "vec4 a = texel_at(place); if (a.r > max(a.g, 0.0)); a.r = 0.0; return a;",
    "if (place.x > 0) return texel_at(place);",
]
"""What compiles, and is not what was meant."""


@one_driver
def test_what_compiles_and_is_not_meant_is_named_as_by_python(opened: Open) -> None:
    page = opened(largest_of_four.piece())
    for body in SILENT:
        text = largest_of_four.surroundings.function(body)
        about = largest_of_four.check(text).about
        assert page.evaluate(READ, text)[0] == f"Wrong: {about}.".replace("`", "")


@one_driver
def test_a_name_ends_with_its_braces_in_a_browser_too(opened: Open) -> None:
    page = opened(turned.piece())
    body = "{ vec4 own = texel_at(place), other = own; }\n    return other;"
    typed(page, turned.surroundings.function(body))
    expect(page.locator(".errors li").first).to_contain_text(
        "Line 3 “other” is declared in a part that has ended."
    )
    typed(page, turned.surroundings.function("for (i = 0; i < 3; i += 1) {}"))
    expect(page.locator(".errors li").first).to_contain_text("Line 2 “i” is new here, so its type")
    several = "vec4 own = texel_at(place);\n    bvec4 a = equal(own, own), b = a;\n    own = vec4(a"
    typed(page, turned.surroundings.function(f"{several}\n        && b);\n    return own;"))
    expect(page.locator(".errors li").first).to_contain_text("Two bvec4 cannot be joined")


@one_driver
def test_a_case_and_a_channel_can_be_chosen(opened: Open) -> None:
    page = opened(directed_step.piece())
    assert "4 × 2 texels, distance = 1, run = 2" in page.get_by_label("Case").inner_text()
    page.get_by_label("Case").select_option("4")
    assert page.locator(".grid").nth(0).locator("text").count() == 16
    assert page.get_by_text("Two questions").is_hidden()
    page.get_by_text("Hint 1").click()
    expect(page.get_by_text("Two questions, each answered by a bit")).to_be_visible()


@one_driver
def test_loops_wait_and_the_piece_is_accessible(opened: Open) -> None:
    page = opened(turned.piece())
    loop = turned.surroundings.function(
        "for (int i = 0; i < 1; i++) {}\n    return texel_at(place);"
    )
    page.get_by_label("Text of").fill(loop)
    told(page, "press Draw when your loop is complete")
    page.keyboard.press("Control+Enter")
    told(page, "you copied the texture as it is")
    assert_accessible(page)
