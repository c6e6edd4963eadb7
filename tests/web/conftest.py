from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser import DRIVERS, QUIET_WARNING, open_executor
from tests.web.quiet import quiet


@pytest.fixture(scope="session", params=DRIVERS)
def executor(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page with the executor, once for each driver; it must say nothing on its console."""
    with quiet(request.param, expected=(QUIET_WARNING,)) as page:
        open_executor(page)
        yield page
