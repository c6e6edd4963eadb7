"""A function of a shader to write in a browser, which is compared with texels of Python's."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scripts.lessons.source import Lesson
from shadersort.lessons.drawing.exercises import turned
from shadersort.lessons.exercises import Exercise, ShaderRunner
from shadersort.lessons.four_sorts.exercises import sorted_texel
from shadersort.lessons.ladder.exercises import largest_of_four
from tests.lessons.test_exercises import EXERCISES, shader_text, solution_of
from tests.web.conftest import Open, both_drivers


def is_drawn(exercise: Any) -> bool:
    return isinstance(exercise.runner, ShaderRunner)


SHADERS = [each for each in EXERCISES if is_drawn(each.values[1])]

READ = """
(text) => {
    main.read(text, true);
    return [main.answer.verdict.textContent, main.answer.advice.textContent];
}
"""


def typed(page: Page, text: str) -> None:
    """Type a text, and draw at once."""
    page.get_by_label("Text of").fill(text)
    page.keyboard.press("Control+Enter")


def told(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(words)


@pytest.mark.parametrize(("lesson", "exercise", "which"), SHADERS)
def test_the_solution_is_right(
    opened: Open, lesson: Lesson, exercise: Exercise, which: str
) -> None:
    page = opened(exercise.piece())
    typed(page, solution_of(lesson, exercise, which))
    told(page, f"Right, in all {len(exercise.all_cases())} cases.")
    expect(page.locator(".grid .wrong")).to_have_count(0)


def test_a_mistake_is_named(opened: Open) -> None:
    page = opened(turned.piece())
    said, hint = page.evaluate(READ, shader_text(turned, "return texel_at(place);"))
    assert "It looks as if you copied the texture as it is." in said
    assert hint == turned.mistakes[3].hint.replace("`", "")


def test_an_answer_that_came_with_the_piece_is_judged_at_once(opened: Open) -> None:
    told(opened(turned.piece(shader_text(turned, "return texel_at(place);"))), "Wrong, in case 1")


@both_drivers
def test_yours_stands_beside_what_is_expected(opened: Open) -> None:
    """On both drivers; with a texel of a frame that is half as large as the texture."""
    page = opened(largest_of_four.piece())
    assert page.locator(".grid").count() == 2
    typed(page, shader_text(largest_of_four, "return texel_at(2 * place);"))
    told(page, "Wrong, in case 1 of 4:")
    names = page.locator("figcaption").all_text_contents()
    assert names == ["the texture: 4 × 2 texels", "yours", "expected"]
    grids = [page.locator(".grid").nth(i).locator("text").all_text_contents() for i in range(3)]
    assert [len(each) for each in grids] == [8, 2, 2]
    crossed = page.locator(".grid").nth(1).locator("g.wrong text").all_text_contents()
    assert crossed == [own for own, right in zip(*grids[1:], strict=True) if own != right] != []


def test_blanks_errors_and_rules(opened: Open) -> None:
    page = opened(sorted_texel.piece())
    told(page, "Not yet.")
    typed(page, shader_text(sorted_texel, "return foor;"))
    told(page, "It does not compile.")
    expect(page.locator(".errors li")).to_contain_text("“foor” is not declared.")
    expect(page.locator(".errors button")).to_have_text("Line 2")
    typed(page, shader_text(sorted_texel, "return four.r < 1.0 ? four : four.abgr;"))
    told(page, "it chooses by if or ?, which this exercise forbids")
    typed(page, shader_text(sorted_texel, "for (;;) four.r += 1.0;"))
    told(page, "it has a loop, which this exercise forbids")
    typed(page, "vec4 in_order(vec4 keys) { return keys; }")
    told(page, "Its first line must stay as it was given: vec4 in_order(vec4 four) {")
    typed(page, shader_text(sorted_texel, "return four").removesuffix("}\n"))
    expect(page.locator(".errors li").first).to_contain_text("ends too early")
    typed(page, shader_text(sorted_texel, "return four;"))
    told(page, "Wrong, in case 1 of 3:")
    assert "It looks as if" not in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="Restore the text").click()
    told(page, "Not yet.")
    assert "...  // your code here" in page.get_by_label("Text of").input_value()
