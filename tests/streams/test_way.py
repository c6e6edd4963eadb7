"""The way from an update of a `QuantileSummary` into its list: few functions."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shadersort
from shadersort.streams import QuantileSummary

MOST = 25
"""Functions entered, at most; comprehensions and lambdas are no functions of their own here."""
ROOT = str(Path(shadersort.__file__).parent)


def functions_entered(summary: QuantileSummary, values: Any) -> list[str]:
    """The package's functions that an update enters."""
    entered: dict[Any, str] = {}

    def profile(frame: Any, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and code.co_name[0] != "<":
            entered[code] = code.co_qualname

    sys.setprofile(profile)
    try:
        summary.update(values)
    finally:
        sys.setprofile(None)
    return list(entered.values())


@pytest.mark.parametrize(("count", "updates"), [(1_000, 200), (100_000, 20)])
def test_an_update_enters_few_functions(count: int, updates: int) -> None:
    """Also one that fills a window, or needs new entries; but not if the list is made shorter."""
    random, summary = np.random.default_rng(1), QuantileSummary(0.01)
    ways = [functions_entered(summary, random.random(count, np.float32)) for _ in range(updates)]
    added = [way for way in ways[3:] if "GKList.with_batch" in way]
    assert any("SortedBatch.at" in way for way in added)
    for way in added:
        assert len(way) <= MOST or "GKList.compressed" in way, way
