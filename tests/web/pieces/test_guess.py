"""A question before a measurement: what it computes, and the page on which a reader guesses."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import shadersort.lessons
from shadersort.errors import BadOption
from shadersort.web.piece import Piece
from shadersort.web.pieces.guess import COLOURS, Guess, guess_piece, nearest
from tests.web.quiet import assert_accessible, opened, quiet

BARS = {"a <card>": 8.0, "a program": 2.0}
CHOICES = {"about as long": 8.0, "half as long": 4.0, "a quarter": 2.0, "20 times": 160.0}
FACTOR = Guess("How long?", CHOICES, "a quarter", BARS, "ms", "It draws.", "Recorded.", "a program")
WHICH = Guess("Which is slower?", BARS, "a <card>", BARS, "ms", "It draws.")

FOLDER = Path(str(shadersort.lessons.__file__)).parent
MODULES = [path.parent.name for path in sorted(FOLDER.glob("*/guesses.py"))]


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "staged": (np.random.default_rng(1).random(1 << 14), 1024),
    "missed": (1 << 14, 1024, 100),
    "good_pairs": (22, 40),
    "measurements": (1024, 30, range(80, 281, 20)),
    "more_pixels": (10, 256, 1024, range(30, 121, 15)),
}
"""What is given to functions of guesses that compute their answers from arguments."""


def pieces_of(lesson: str) -> list[Piece]:
    """What each function of a lesson's guesses returns."""
    module = import_module(f"shadersort.lessons.{lesson}.guesses")
    made = [
        each
        for name, each in vars(module).items()
        if getattr(each, "__module__", "") == module.__name__ and not name.startswith("_")
    ]
    pieces = [each for each in made if getattr(each, "__annotations__", {}).get("return") is Piece]
    return [each(*ARGUMENTS.get(each.__name__, ())) for each in pieces]


@pytest.fixture
def page() -> Iterator[Page]:
    with quiet() as page:
        yield page


def lengths(page: Page) -> list[float]:
    """The bars' lengths in pixels."""
    return [float(str(bar.get_attribute("width"))) for bar in page.locator("main rect").all()]


def press(page: Page, choice: str) -> None:
    page.get_by_role("button", name=choice, exact=True).click()


def test_nothing_is_answered_before_a_guess(page: Page) -> None:
    opened(page, guess_piece(FACTOR))
    expect(page.get_by_role("heading")).to_have_text("How long?")
    expect(page.get_by_role("status")).to_contain_text("Press what you expect")
    assert page.get_by_role("img").count() == 0
    assert "It draws" not in page.locator("main").inner_text()


def test_a_wrong_guess_gets_a_bar_of_its_own(page: Page) -> None:
    opened(page, guess_piece(FACTOR))
    press(page, "half as long")
    expect(page.get_by_role("status")).to_have_text(
        "You guessed: half as long. The answer: a quarter."
    )
    expect(page.get_by_role("img")).to_have_attribute(
        "aria-label", "a <card>: 8 ms; a program: 2 ms; your guess: half as long"
    )
    fills = [bar.get_attribute("fill") for bar in page.locator("main rect").all()]
    assert fills == [COLOURS["other"], COLOURS["answer"], "none"]
    first, second, guessed = lengths(page)
    assert first / second == pytest.approx(4)
    assert first / guessed == pytest.approx(2)
    expect(page.locator("main")).to_contain_text("It draws.")
    expect(page.locator("main")).to_contain_text("Recorded.")


@pytest.mark.parametrize("guess", [FACTOR, WHICH], ids=lambda guess: guess.question)
def test_it_is_accessible_before_and_after(page: Page, guess: Guess) -> None:
    opened(page, guess_piece(guess))
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


@pytest.mark.parametrize("lesson", [each for each in MODULES if each != "shared"])
def test_guesses_of_lessons_fit_a_narrow_page(page: Page, lesson: str) -> None:
    pieces = pieces_of(lesson)
    assert pieces
    page.set_viewport_size({"width": 350, "height": 900})
    for piece in pieces:
        guess: Any = piece.below
        assert 3 <= len(guess.choices) <= 4
        page.goto("about:blank")
        opened(page, piece)
        for choice in guess.choices:
            press(page, choice)
            assert page.evaluate(WITHIN), f"{guess.question} {choice}"
            press(page, "Guess again")


WITHIN = """
() => [...document.querySelectorAll("svg text")].every((text) =>
    text.getBoundingClientRect().right <= document.documentElement.clientWidth)
"""
