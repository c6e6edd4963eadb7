from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from bench.shared.browser import DRIVERS, QUIET_WARNING, chromium
from shadersort.web.piece import Piece

Open = Callable[[Piece], Page]

EXPECTED = (QUIET_WARNING, "Fragment shader output type does not match")
"""The second is said of a reader's own shader, which cannot draw."""

one_driver = pytest.mark.parametrize("browser", ["llvmpipe"], indirect=True)
"""For tests of what a reader does and is told, in which nothing depends on what draws."""


@pytest.fixture(scope="package", params=DRIVERS)
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser, once for each driver."""
    with chromium(request.param) as page:
        found = page.context.browser
        assert found
        yield found


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """A function that opens a piece; its page must say nothing on its console."""
    said: list[str] = []
    context = browser.new_context(has_touch=True)
    context.set_default_timeout(5000)

    def open_piece(piece: Piece) -> Page:
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(piece.to_html(tmp_path / "piece.html").as_uri())
        return page

    yield open_piece
    context.close()
    assert [text for text in said if not any(each in text for each in EXPECTED)] == []
