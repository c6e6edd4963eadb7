"""A function of a shader to write in a browser, which is compared with texels of Python's."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from shadersort.lessons.four_sorts.shaders import sorted_texel
from shadersort.lessons.ladder.shaders import largest_of_four
from shadersort.lessons.shared.glsl.exercise import ShaderExercise
from tests.lessons.test_exercises import answer_of, code_of
from tests.lessons.test_shader_exercises import SHADERS, lesson_of
from tests.web.pieces.conftest import Open, one_driver

READ = """
(text) => {
    shaderPage.read(text, true);
    return [shaderPage.verdict.textContent, shaderPage.advice.textContent];
}
"""


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
