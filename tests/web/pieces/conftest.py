from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page

from shadersort.web.piece import Piece
from tests.browser import DRIVERS
from tests.web.quiet import quiet

Open = Callable[[Piece], Page]

one_driver = pytest.mark.parametrize("driver", ["llvmpipe"])
"""For tests of what a reader does and is told, in which nothing depends on what draws."""


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    """What draws in the browser."""
    name: str = request.param
    return name


@pytest.fixture
def opened(driver: str, tmp_path: Path) -> Iterator[Open]:
    """A function that opens a piece; its page must say nothing on its console."""
    with ExitStack() as pages:

        def open_piece(piece: Piece) -> Page:
            page = pages.enter_context(quiet(driver, has_touch=True))
            page.goto(piece.to_html(tmp_path / "piece.html").as_uri())
            return page

        yield open_piece
