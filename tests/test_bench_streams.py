"""The benchmark of stream summaries runs, checks its answers, and tells where the time went."""

import numpy as np
import pytest

from bench import streams
from shadersort import QuantileSummary
from shadersort.streams.ranks import Ranks


def test_every_workload_is_measured() -> None:
    words = "--keys 30000 --epsilon 0.05 --window 5000 --turns 1 --sorter numpy --sorter numpy-1"
    rows = list(streams.measurements(streams.parser().parse_args(words.split())))
    assert {row["workload"] for row in rows} == set(streams.WORKLOADS)
    assert all(row["mvalues_per_s"] > 0 for row in rows)
    whole = [row for row in rows if row["method"] == "QuantileSummary"]
    assert [row["sorter"] for row in whole] == ["numpy", "numpy-1"]
    for row in whole:
        assert 0 <= row["worst"] <= 0.05
        assert 0 < row["sort_share"] < 1
        assert "sort" in streams._told(row)
    sliding = [row for row in rows if row["method"] == "SlidingQuantiles"]
    assert {row["shortest"] for row in sliding} == {1, 5000}


def test_a_wrong_answer_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = QuantileSummary(0.01)
    summary.update(np.arange(1000.0))
    ordered = np.arange(1000.0)
    assert streams._checked(summary, ordered) == 0
    monkeypatch.setattr(Ranks, "at", lambda self, ranks: self.values[np.zeros_like(ranks)])
    with pytest.raises(AssertionError, match="off by"):
        streams._checked(summary, ordered)
