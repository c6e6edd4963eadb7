"""A page that says nothing on its console, at any width, in light and in dark."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

from shadersort.web.piece import Piece


@contextmanager
def quiet(tab: Page, *, expected: str | None = None, **options: Any) -> Iterator[Page]:
    """Yield a new page of the same browser; it must say nothing on its console.

    What is `expected` may be said. Other options are those of a browser's context.
    """
    said: list[str] = []
    context = tab.context.browser.new_context(**options)  # type: ignore[union-attr]
    context.set_default_timeout(5000)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [text for text in said if expected is None or expected not in text] == []


def violations(page: Page) -> list[tuple[str, str]]:
    """Return the rules of accessibility that a page breaks, each with an element."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found]


def opened(page: Page, piece: Piece) -> None:
    """Show a piece as a page of its own."""
    page.set_content(piece.page)


def small_letters(page: Page) -> list[str]:
    """Return the texts that are shown with less than 13 pixels."""
    small: list[str] = page.evaluate(
        """[...document.querySelectorAll("body *")].filter((each) =>
        [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim())
        && each.getClientRects().length && !each.closest("script")
        && parseFloat(getComputedStyle(each).fontSize) < 13).map((each) => each.outerHTML)"""
    )
    return small


def assert_accessible(page: Page) -> None:
    """Assert that a page breaks no rule, has no small letters, and does not scroll sideways."""
    assert violations(page) == []
    assert small_letters(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
