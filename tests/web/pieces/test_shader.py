"""The shader to edit: what it draws, and what the reader is told, at the lines of the reader."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.shaders import directory
from shadersort.errors import KeysNotFlat
from shadersort.keys.types import Keys
from shadersort.web.pieces.quad import permuted_keys
from shadersort.web.pieces.shader import FILE, SIDE, mirrored_copy, shader_piece
from tests.web.conftest import Open, both_drivers

KEYS = permuted_keys(SIDE, channels=True)


TEXT = (directory() / FILE).read_text(encoding="utf-8")


def shown(page: Page, view: int = 1) -> Keys:
    cells = page.locator(".grid").nth(view).locator("text").all_text_contents()
    return np.array([float(cell.replace("−", "-")) for cell in cells], np.float32)


def drawn() -> Keys:
    with SoftwareDevice() as device:
        return device.run(mirrored_copy(), KEYS)


def typed(page: Page, text: str) -> None:
    page.get_by_label("Text of").fill(text)


@both_drivers
def test_it_draws_as_the_package(opened: Open) -> None:
    page = opened(shader_piece())
    assert page.get_by_label("Text of").input_value() == TEXT
    assert all(word in TEXT for word in page.locator(".legend dt").all_inner_texts())
    for number, channel in enumerate(("red", "green", "blue", "alpha")):
        page.get_by_label("Channel").select_option(channel)
        np.testing.assert_array_equal(shown(page, 0), KEYS[..., number].ravel())
        np.testing.assert_array_equal(shown(page), drawn()[..., number].ravel())


def test_what_is_typed_is_drawn(opened: Open) -> None:
    page = opened(shader_piece())
    for old, new, expected in (
        ("0);", "0) * 2.0;", 2 * drawn()),
        ("color = ", "color = -", -drawn()),
        ("origin + direction * ", "", KEYS),
    ):
        assert old in TEXT
        typed(page, TEXT.replace(old, new))
        expect(page.get_by_role("status")).to_contain_text("It compiles and draws.")
        np.testing.assert_array_equal(shown(page), expected[..., 0].ravel())
        page.get_by_role("button", name="Restore the text").click()
        expect(page.get_by_role("status")).to_contain_text("the same as the package's text")
        assert page.get_by_label("Text of").input_value() == TEXT
        np.testing.assert_array_equal(shown(page), drawn()[..., 0].ravel())


ERRORS = [
    ("keys, origin", "kees, origin", 11, "“kees” is not declared"),
    ("0);\n}", "0);", 11, "The text ends too early"),
    ("0);", "0) * 2;", 11, "“*” cannot join vec4 and int. Write the number with a point"),
    ("    color", "    origin = ivec2(0);\n    color", 11, "“origin” is an input"),
    ("direction", "directions", None, "The quad gives no input “directions”"),
    ("\nuniform", '\n#include "x.glsl"\nuniform', 4, "“#include” is not a directive"),
]


def test_errors_at_the_lines_of_the_reader(opened: Open) -> None:
    page = opened(shader_piece())
    before = shown(page)
    for old, new, line, words in ERRORS:
        assert old in TEXT
        assert_told(page, TEXT.replace(old, new), line, words)
        np.testing.assert_array_equal(shown(page), before)
    typed(page, TEXT)
    expect(page.get_by_role("status")).to_contain_text("the same as the package's text")
    expect(page.locator(".errors li")).to_have_count(0)
    expect(page.locator(".compiler")).to_be_hidden()


def test_a_loop_is_not_drawn_at_once_and_clears_the_last_error(opened: Open) -> None:
    page = opened(shader_piece())
    old, new, line, words = ERRORS[0]
    assert_told(page, TEXT.replace(old, new), line, words)
    typed(page, TEXT.replace("    color", "    for (int i = 0; i < 2; i++) {}\n    color"))
    expect(page.get_by_role("status")).to_contain_text("press Draw when your loop is complete")
    expect(page.locator(".errors li, .numbers .bad")).to_have_count(0)
    expect(page.locator(".compiler")).to_be_hidden()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status")).to_contain_text("the same as the package's text")


def assert_told(page: Page, wrong: str, line: int | None, words: str) -> None:
    """The error stands above the compiler's message, at its line; what was typed is kept."""
    typed(page, wrong)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status")).to_contain_text("It does not compile.")
    expect(page.locator(".errors li").first).to_contain_text(words)
    assert page.locator(".compiler pre").inner_text()
    assert page.get_by_label("Text of").input_value() == wrong
    if line is None:
        assert page.locator(".numbers .bad").count() == 0
        return
    assert str(line) in page.locator(".numbers .bad").all_text_contents()
    page.locator(".errors button").first.click()
    expect(page.get_by_label("Text of")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == wrong.split("\n")[line - 1]


def test_another_texture_is_refused() -> None:
    with pytest.raises(KeysNotFlat, match="with '8' texels a side"):
        shader_piece(np.zeros((4, 4), np.float32))
