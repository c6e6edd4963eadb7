"""The way from an update of a `QuantileSummary` into its list: few functions."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shadersort
from shadersort.streams import NumPySorter, QuantileSummary

MOST = 25
"""Functions entered, at most; comprehensions and lambdas are no functions of their own here."""
ROOT = str(Path(shadersort.__file__).parent)


def codes_entered(call: Callable[[], Any]) -> list[Any]:
    """The code of the package's functions that a call enters, in their order."""
    entered: dict[Any, None] = {}

    def profile(frame: Any, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and code.co_name[0] != "<":
            entered[code] = None

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return list(entered)


def functions_entered(summary: QuantileSummary, values: Any) -> list[str]:
    """The package's functions that an update enters."""
    return [code.co_qualname for code in codes_entered(lambda: summary.update(values))]


@pytest.mark.parametrize(("count", "updates"), [(1_000, 200), (100_000, 20)])
def test_an_update_enters_few_functions(count: int, updates: int) -> None:
    """Also one that fills a window, or needs new entries; but not if the list is made shorter."""
    random, summary = np.random.default_rng(1), QuantileSummary(0.01)
    ways = [functions_entered(summary, random.random(count, np.float32)) for _ in range(updates)]
    added = [way for way in ways[3:] if "GKList.with_batch" in way]
    assert any("SortedBatch.values_at" in way for way in added)
    for way in added:
        assert len(way) <= MOST or "GKList.compress" in way, way


def test_the_walk_in_the_docs_is_the_way() -> None:
    keys = np.random.default_rng(1).random(100_000, np.float32)
    summary = QuantileSummary(0.01, sorter=NumPySorter(threads=1)).update(keys).update(keys)
    codes = codes_entered(lambda: summary.update(keys).quantile(0.5))
    entered = dict.fromkeys(Path(code.co_filename).relative_to(ROOT).as_posix() for code in codes)
    page = (Path(__file__).parents[2] / "docs" / "summaries.md").read_text(encoding="utf-8")
    walk = re.findall(r"^[0-9]+\. (.*?):", page.split("## One update")[1], re.MULTILINE)
    assert len(walk) == 12
    named = [name for line in walk for name in re.findall(r"`(.*?)`", line)]
    assert [f"streams/{name}".replace("streams/../", "") for name in named] == list(entered)
