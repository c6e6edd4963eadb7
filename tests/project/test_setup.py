"""What `scripts/setup` looks for is what the tests need."""

import re
from pathlib import Path

from bench.shared.browser import NAMES

SETUP = Path(__file__).parents[2] / "scripts" / "setup"


def test_it_looks_for_the_browsers_that_the_tests_start() -> None:
    text = SETUP.read_text(encoding="utf-8")
    names = re.search(r"^chromium_names=\((.*)\)$", text, re.MULTILINE)
    assert names
    assert tuple(names[1].split()) == NAMES
