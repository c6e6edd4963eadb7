"""What `scripts/setup` looks for is what the tests need."""

import re
from pathlib import Path

import pytest

from shadersort.errors import DeviceUnavailable
from tests.browser import NAMES, launched

SETUP = Path(__file__).parents[2] / "scripts" / "setup"


def test_it_looks_for_the_browsers_that_the_tests_start() -> None:
    text = SETUP.read_text(encoding="utf-8")
    names = re.search(r"^chromium_names=\((.*)\)$", text, re.MULTILINE)
    assert names
    assert tuple(names[1].split()) == NAMES


def test_a_browser_that_does_not_start_is_named() -> None:
    """Ubuntu's package may be a stub, which ends at once."""
    with pytest.raises(DeviceUnavailable, match="/bin/false does not start: on Ubuntu"):
        launched("/bin/false", [])
