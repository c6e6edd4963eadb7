"""A page that says nothing on its console, at any width, in light and in dark."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from shadersort.web.piece import Piece
from tests.browser import QUIET_WARNING, browser_of

EXPECTED = (QUIET_WARNING, "Fragment shader output type does not match")
"""The second is said of a reader's own shader, which cannot draw."""

IMPACTS = ("minor", "moderate", "serious", "critical")
"""Of a broken rule of accessibility."""

PATIENCE = 60_000
"""Milliseconds that a test waits for a page, on a machine with other work."""

expect.set_options(timeout=PATIENCE)

BY_LOOK = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""The rules that depend on the width of a page or on its colours."""


@contextmanager
def quiet(
    driver: str = "llvmpipe", *, expected: Sequence[str] = EXPECTED, **options: Any
) -> Iterator[Page]:
    """Yield an empty page of a browser; it must say nothing else than expected on its console.

    The other options are those of a browser's context.
    """
    context = browser_of(driver).new_context(**options)
    context.set_default_timeout(PATIENCE)
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert [text for text in said if not any(each in text for each in expected)] == []


HIDE = """
const get = WebGL2RenderingContext.prototype.getExtension;
WebGL2RenderingContext.prototype.getExtension = function (name) {
    return %s.includes(name) ? null : get.call(this, name);
};
"""
"""As a script that runs first (`Page.add_init_script`), it hides some extensions of a browser."""


def violations(page: Page, impacts: Collection[str] = IMPACTS) -> list[tuple[str, ...]]:
    """Return what a page breaks: a rule, an element, a width and a colour scheme.

    It is seen narrow and light, and then wide and dark; of the rules, those that do not depend on
    this are tried once.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    options: dict[str, Any] = {
        "preload": False,
        "resultTypes": ["violations"],
        "iframes": False,  # axe is not in the frames of a page: it would wait half a second for it
    }
    page.evaluate(AXE_SCRIPT)
    broken: list[tuple[str, ...]] = []
    for width, scheme in ((390, "light"), (1280, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate("new Promise(requestAnimationFrame)")  # scripts are told of the width
        for each in page.evaluate("(options) => axe.run(options)", options)["violations"]:
            if each["impact"] in impacts:
                broken.append((each["id"], each["nodes"][0]["html"][:200], str(width), scheme))
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            broken.append(("scrolls sideways", "html", str(width), scheme))
        options["runOnly"] = BY_LOOK
    return broken


def data_of(piece: Piece) -> Any:
    """Return the data of a piece, as its scripts read it."""
    return json.loads(piece.page.split('id="data">')[1].split("</script>")[0])


def opened(page: Page, piece: Piece) -> None:
    """Show a piece as a page of its own, and wait until it was told of its size.

    Observers of sizes are told at the end of the first frame; what they draw anew then is in place
    at the second one.
    """
    page.set_content(piece.page)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


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
