"""The way from an update of a `QuantileSummary` into its list is that of the docs."""

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

import shadersort
from shadersort.streams import NumPySorter, QuantileSummary

ROOT = str(Path(shadersort.__file__).parent)


def test_the_walk_in_the_docs_is_the_way() -> None:
    keys, entered = np.random.default_rng(1).random(100_000, np.float32), dict[str, None]()
    summary = QuantileSummary(0.01, sorter=NumPySorter(threads=1)).update(keys).update(keys)

    def profile(frame: Any, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and code.co_name[0] != "<":
            entered[Path(code.co_filename).relative_to(ROOT).as_posix()] = None

    sys.setprofile(profile)
    try:
        summary.update(keys).quantile(0.5)
    finally:
        sys.setprofile(None)
    page = (Path(__file__).parents[2] / "docs" / "summaries.md").read_text(encoding="utf-8")
    walk = re.findall(r"^[0-9]+\. (.*?):", page.split("## One update")[1], re.MULTILINE)
    assert len(walk) == 12
    named = [name for line in walk for name in re.findall(r"`(.*?)`", line)]
    assert [f"streams/{name}".replace("streams/../", "") for name in named] == list(entered)
