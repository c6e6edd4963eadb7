"""docs/selection-calls.md compares every call of selection, and its examples give what they say."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "selection-calls.md"


def test_the_examples_hold() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 7
    assert found.failed == 0


@pytest.mark.parametrize(
    "name",
    [
        *("select", "multiselect", "argselect", "median", "nanmedian", "quantile", "nanquantile"),
        *("topk", "sort"),
    ],
)
def test_each_call_has_its_row(name: str) -> None:
    rows = PAGE.read_text(encoding="utf-8").split("\n## ")[0].splitlines()
    ours = [row.split("|")[2] for row in rows if row.startswith("|")]
    assert any(cell.strip().startswith(f"`{name}(") for cell in ours)
