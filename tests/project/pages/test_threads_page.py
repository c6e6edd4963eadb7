"""The page about threads names everything public."""

import re
from pathlib import Path

import pytest

import modern
import shadersort
from shadersort import streams

PAGE = (Path(__file__).parents[3] / "docs/threads.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", [shadersort, modern, streams], ids=lambda each: each.__name__)
def test_every_public_name_has_its_policy(package: object) -> None:
    table = [line for line in PAGE.splitlines() if line.startswith("| `")]
    named = set(re.findall(r"`(?:modern\.)?(\w+)`", "\n".join(table)))
    assert set(package.__all__) - named == set()  # type: ignore[attr-defined]
