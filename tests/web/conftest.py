from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from bench.shared.browser import DRIVERS, QUIET_WARNING, chromium, open_executor


@pytest.fixture(scope="session", params=DRIVERS)
def executor(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page with the executor, once for each driver; it must say nothing on its console."""
    said: list[str] = []
    with chromium(request.param) as page:
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        open_executor(page)
        yield page
        assert [text for text in said if QUIET_WARNING not in text] == []
