"""A question before a measurement: what it computes, and the page on which a reader guesses."""

import pytest
from playwright.sync_api import Page, expect

from shadersort.errors import BadOption
from shadersort.web.pieces.guess import COLOURS, Guess, guess_piece, nearest
from tests.web.browser import assert_accessible
from tests.web.conftest import Open

BARS = {"a <card>": 8.0, "a program": 2.0}
CHOICES = {"about as long": 8.0, "half as long": 4.0, "a quarter": 2.0, "20 times": 160.0}
FACTOR = Guess("How long?", CHOICES, "a quarter", BARS, "ms", "It draws.", "Recorded.", "a program")
WHICH = Guess("Which is slower?", BARS, "a <card>", BARS, "ms", "It draws.")


def press(page: Page, choice: str) -> None:
    page.get_by_role("button", name=choice, exact=True).click()


def test_nothing_is_answered_before_a_guess(opened: Open) -> None:
    page = opened(guess_piece(FACTOR))
    expect(page.get_by_role("heading")).to_have_text("How long?")
    expect(page.get_by_role("status")).to_contain_text("Press what you expect")
    assert page.get_by_role("img").count() == 0
    assert "It draws" not in page.locator("main").inner_text()


def test_a_wrong_guess_gets_a_bar_of_its_own(opened: Open) -> None:
    page = opened(guess_piece(FACTOR))
    press(page, "half as long")
    expect(page.get_by_role("status")).to_have_text(
        "You guessed: half as long. The answer: a quarter."
    )
    expect(page.get_by_role("img")).to_have_attribute(
        "aria-label", "a <card>: 8 ms; a program: 2 ms; your guess: half as long"
    )
    bars = page.locator("main rect").all()
    fills = [bar.get_attribute("fill") for bar in bars]
    assert fills == [COLOURS["other"], COLOURS["answer"], "none"]
    first, second, guessed = (float(str(bar.get_attribute("width"))) for bar in bars)
    assert first / second == pytest.approx(4)
    assert first / guessed == pytest.approx(2)
    expect(page.locator("main")).to_contain_text("It draws.")
    expect(page.locator("main")).to_contain_text("Recorded.")


@pytest.mark.parametrize("guess", [FACTOR, WHICH], ids=lambda guess: guess.question)
def test_it_is_accessible_before_and_after(opened: Open, guess: Guess) -> None:
    page = opened(guess_piece(guess))
    assert_accessible(page)
    page.get_by_role("button").first.click()
    assert_accessible(page)


def test_the_answer_without_scripts_has_every_number() -> None:
    html = FACTOR._repr_html_()
    assert html.startswith("<details><summary>")
    assert "<th>a &lt;card&gt;</th><td>8 ms</td>" in html
    assert html.count("█") == 20 + 5
    assert "A quarter. It draws." in html
    assert "a program: 2 ms" in repr(FACTOR)
    assert guess_piece(FACTOR).below is FACTOR


def test_the_right_answer_is_one_of_the_choices() -> None:
    with pytest.raises(BadOption, match="'tenfold' is no choice: 'about as long'"):
        Guess("How long?", CHOICES, "tenfold", BARS, "ms", "It draws.", asked="a program")
    with pytest.raises(BadOption, match="'a quarter' is no bar: 'a <card>' or 'a program'"):
        Guess("How long?", CHOICES, "a quarter", BARS, "ms", "It draws.")
    assert [nearest(CHOICES, value) for value in (1, 5, 6, 100)] == [
        *("a quarter", "half as long", "about as long", "20 times")
    ]


def test_long_texts_fit_a_narrow_page(opened: Open) -> None:
    page = opened(guess_piece(FACTOR))
    page.set_viewport_size({"width": 350, "height": 900})
    for choice in CHOICES:
        press(page, choice)
        assert page.evaluate(
            """() => [...document.querySelectorAll("svg text")].every((text) =>
                text.getBoundingClientRect().right <= document.documentElement.clientWidth)"""
        )
        press(page, "Guess again")
