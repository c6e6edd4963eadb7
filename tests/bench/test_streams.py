"""The benchmarks of stream summaries run, check their answers, and tell where the time went."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench import streams_cuda
from bench.shared.machines import Host, a_card
from bench.shared.record import Row, told
from bench.streams import __main__ as streams
from bench.streams import frequencies, quantiles, tails, timing
from bench.streams.timing import Way
from shadersort import FrequencySummary, QuantileSummary, TailSummary
from shadersort.drawing.devices import default_device
from shadersort.streams.estimates import Estimates, EstimatesAnswered
from shadersort.streams.rank_answers import RankBounds
from tests.bench.helpers import options_of, run

FEW = "--keys 20000 --epsilon 0.05 --window 5000 --turns 1 "


def rows_of(words: str) -> list[Row]:
    return list(streams.measurements(options_of(streams.main, FEW + words)))


def test_every_workload_is_measured() -> None:
    rows = rows_of("--sorter numpy --sorter numpy-1")
    assert {row["workload"] for row in rows} == set(streams.WORKLOADS)
    assert all(row["mvalues_per_s"] > 0 for row in rows)
    for name in streams.WORKLOADS:
        ours = [row for row in rows if row["workload"] == name and "entries" in row]
        assert name == "rolling" or {row["sorter"] for row in ours} == {"numpy", "numpy-1"}
        for row in ours:
            assert 0 <= row["worst"] <= 0.05
            assert row["method"] in told(row)
    whole = [row for row in rows if row["method"] == "QuantileSummary"]
    assert [row["sorter"] for row in whole] == ["numpy", "numpy-1"]
    for row in whole:
        assert 0 < row["sort_share"] < 1
        assert "sort" in told(row)
    sliding = [row for row in rows if row["method"] == "SlidingQuantiles"]
    assert {row["shortest"] for row in sliding} == {1, 5000}
    rolling = [row["method"] for row in rows if row["workload"] == "rolling"]
    assert rolling == ["rolling_quantiles", "pandas"] * 2


def test_a_summary_as_printed_is_measured_and_says_so() -> None:
    rows = rows_of("--sorter numpy --as-printed")
    assert {row["workload"] for row in rows} == set(streams.WORKLOADS) - set(streams.ONE_VERSION)
    labels = {row["label"] for row in rows if "entries" in row}
    assert {label.partition(", ")[0] for label in labels} == {"as printed"}
    assert not any("label" in row for row in rows if row["method"].startswith("np.sort"))
    sliding = [row for row in rows if row["method"] == "SlidingQuantiles"]
    assert [row["shortest"] for row in sliding] == [5000]


def test_a_long_way_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    way = Way(lambda: runs.append(1))
    for long, count in (0.0, 1), (60.0, 4):
        monkeypatch.setattr(timing, "LONG", long)
        runs.clear()
        (row,) = timing.rows({"sorter": "numpy"}, 10, {"a way": way}, turns=3)
        assert (row["method"], len(runs)) == ("a way", count)


def test_a_wrong_quantile_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = QuantileSummary(0.005)
    summary.update(np.arange(1000.0))
    ordered = np.arange(1000.0)
    assert quantiles.checked(summary, ordered) == 0
    monkeypatch.setattr(RankBounds, "at", lambda self, ranks: self.values[np.zeros_like(ranks)])
    with pytest.raises(AssertionError, match="off by"):
        quantiles.checked(summary, ordered)


def test_a_quantile_that_is_not_sharp_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    ordered = np.arange(5_000.0)
    summary = TailSummary(0.05).update(ordered)
    assert 0 <= tails.checked(summary, ordered) <= 0.05
    monkeypatch.setattr(RankBounds, "at", lambda self, ranks: self.values[np.zeros_like(ranks)])
    with pytest.raises(AssertionError, match="of the values above"):
        tails.checked(summary, ordered)


def test_a_wrong_count_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    values = frequencies.zipf(5_000, "float32")
    summary = FrequencySummary(0.01)
    summary.update(values)
    exact = np.unique(values, return_counts=True)
    assert 0 <= frequencies.checked(summary, exact, 0.01) <= 0.01
    with monkeypatch.context() as patched:
        patched.setattr(EstimatesAnswered, "frequent_items", lambda self, s: {"item": values[:0]})
        with pytest.raises(AssertionError, match="missing"):
            frequencies.checked(summary, exact, 0.01)
    nothing = np.empty(0, np.int64)
    none = Estimates(values[:0], nothing, nothing, 0)
    monkeypatch.setattr(FrequencySummary, "_estimates", lambda self: none)
    with pytest.raises(AssertionError, match="off by"):
        frequencies.checked(summary, exact, 0.01)


def test_values_of_zipf_are_integers_that_the_type_tells_apart() -> None:
    for dtype in ("float16", "float32", "float64", "uint32"):
        values = frequencies.zipf(50_000, dtype)
        assert values.dtype == dtype
        assert values.min() == 1
        assert values.max() == (2048 if dtype == "float16" else 1 << 24)


def test_streams_of_files_and_pipes_are_measured(tmp_path: Path) -> None:
    words = f"--keys 30000 --turns 1 --epsilon 0.1 --window 2000 --device numpy --folder {tmp_path}"
    places = ("host", "npy", "parquet", "pipe")
    words += "".join(f" --place {each}" for each in places)
    rows = list(streams_cuda.measurements(Host(), options_of(streams_cuda.main, words)))
    assert len(rows) == 9 * len(places)  # quantiles, twice frequencies, four windows, and two more
    assert {row["place"] for row in rows} == set(places)
    assert all(("of_medium" in row) == (row["place"] != "host") for row in rows)
    assert all(row["keys"] == 30_000 and row["worst"] <= 0.1 for row in rows)
    assert not list(tmp_path.iterdir())


@pytest.mark.gpu
def test_streams_on_a_gpu_are_measured() -> None:
    words = "--keys 300000 --turns 1 --batch 65536 --epsilon 0.01 --piece 100000 "
    words += "--window 20000 --window 100000"
    rows = list(streams_cuda.measurements(a_card(), options_of(streams_cuda.main, words)))
    told = {(row["workload"], row["data"], row["place"]) for row in rows}
    assert len(told) == 14
    assert len(rows) == 26  # two windows, each of one length and of all lengths
    assert all(row["reads"] > 0 and row["worst"] <= 0.01 for row in rows)
    assert all(("of_link" in row) == (row["place"] == "host") for row in rows)


@pytest.mark.gpu
def test_the_sorter_on_a_gpu_is_measured_beside_others() -> None:
    rows = rows_of("--sorter cuda --sorter cuda-host")
    assert {row["workload"] for row in rows} == set(streams.WORKLOADS)
    assert {row["sorter"] for row in rows if row["workload"] != "rolling"} == {"cuda", "cuda-host"}


def test_a_record_names_the_devices_that_sort(tmp_path: Path) -> None:
    for sorters, kind in (("numpy",), "numpy"), (("numpy", "textures"), default_device().kind):
        words = "--workload quantiles --keys 3000 --epsilon 0.1 --turns 1"
        chosen = " ".join(f"--sorter {sorter}" for sorter in sorters)
        path = tmp_path / f"{kind}.json"
        run(streams.main, f"{words} {chosen} --output {path}")
        record = json.loads(path.read_text())
        assert record["device"]["kind"] == kind
        peers = [row for row in record["rows"] if row["method"] == "np.sort of the windows"]
        assert [row["sorter"] for row in peers] == ["numpy"]
