"""The benchmarks of summaries that count run, check their answers, and tell where time went."""

import numpy as np
import pytest

from bench import streams
from bench.streams_frequencies import WORKLOADS, checked, zipf
from shadersort import FrequencySummary
from shadersort.streams.estimates import Estimates, EstimatesAnswered


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_workload_is_measured(name: str) -> None:
    words = f"--workload {name} --keys 20000 --epsilon 0.05 --window 5000 --turns 1"
    rows = list(streams.measurements(streams.parser().parse_args(words.split())))
    assert {row["workload"] for row in rows} == {name}
    assert all(row["mvalues_per_s"] > 0 for row in rows)
    ours = [row for row in rows if "entries" in row]
    assert {row["sorter"] for row in ours} == {"numpy", "numpy-1"}
    for row in ours:
        assert 0 <= row["worst"] <= 0.05
        assert row["method"] in streams._told(row)


def test_a_wrong_count_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    values = zipf(5_000, "float32")
    summary = FrequencySummary(0.01)
    summary.update(values)
    exact = np.unique(values, return_counts=True)
    assert 0 <= checked(summary, exact, 0.01) <= 0.01
    with monkeypatch.context() as patched:
        patched.setattr(EstimatesAnswered, "frequent_items", lambda self, s: {"item": values[:0]})
        with pytest.raises(AssertionError, match="missing"):
            checked(summary, exact, 0.01)
    nothing = np.empty(0, np.int64)
    none = Estimates(values[:0], nothing, nothing, 0)
    monkeypatch.setattr(FrequencySummary, "_estimates", lambda self: none)
    with pytest.raises(AssertionError, match="off by"):
        checked(summary, exact, 0.01)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint32"])
def test_values_of_zipf_are_integers_that_the_type_tells_apart(dtype: str) -> None:
    values = zipf(50_000, dtype)
    assert values.dtype == dtype
    assert values.min() == 1
    assert values.max() == (2048 if dtype == "float16" else 1 << 24)
