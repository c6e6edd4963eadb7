from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Page

from shadersort.web.piece import Piece
from tests.web.browser import DRIVERS, quiet

BROWSER = {"executor", "opened", "page", "tab"}
"""The fixtures that open a page."""

SMOKE = {
    "test_every_frame_works_and_is_as_high_as_its_page",
    "test_it_can_stand_alone",
    "test_drawn_and_computed_are_what_python_sorts",
    "test_a_kernel_is_solved_and_runs_on_a_gpu",
}
"""Each page of the browser, opened once: these tests are in the plain run."""

Open = Callable[[Piece], Page]

both_drivers = pytest.mark.parametrize("driver", DRIVERS)
"""For tests of what is drawn; what a reader does and is told does not depend on the driver."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark tests in a browser as slow, but for the smoke tests."""
    for item in items:
        here = item.path.is_relative_to(Path(__file__).parent) and item.name not in SMOKE
        if here and BROWSER.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def driver() -> str:
    """What draws in the browser."""
    return "llvmpipe"


@pytest.fixture
def opened(driver: str, tmp_path: Path) -> Iterator[Open]:
    """A function that opens a piece, and waits until it was told of its size.

    Observers of sizes are told at the end of the first frame; what they draw anew then is in place
    at the second one.
    """
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    with ExitStack() as pages:

        def open_piece(piece: Piece) -> Page:
            page = pages.enter_context(quiet(driver, has_touch=True))
            page.goto(piece.to_html(tmp_path / "piece.html").as_uri())
            page.evaluate(frames)
            return page

        yield open_piece
