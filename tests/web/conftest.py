from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import DRIVERS, QUIET_WARNING, open_executor
from tests.web.quiet import quiet

BROWSER = {"executor", "opened", "page", "tab"}
"""The fixtures that open a page."""

SMOKE = {"test_every_frame_works_and_is_as_high_as_its_page", "test_it_can_stand_alone"}
"""Each page of the browser, opened once: these tests are in the plain run."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark tests in a browser as slow, but for the smoke tests."""
    for item in items:
        here = item.path.is_relative_to(Path(__file__).parent) and item.name not in SMOKE
        if here and BROWSER.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session", params=DRIVERS)
def executor(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page with the executor, once for each driver; it must say nothing on its console."""
    with quiet(request.param, expected=(QUIET_WARNING,)) as page:
        open_executor(page)
        yield page
