"""The benchmark of stream summaries runs, checks its answers, and tells where the time went."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench import streams, streams_cuda
from bench.machines import a_card
from shadersort import QuantileSummary
from shadersort.drawing.devices import default_device
from shadersort.streams.rank_answers import RankBounds


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
    assert streams.checked(summary, ordered) == 0
    monkeypatch.setattr(RankBounds, "at", lambda self, ranks: self.values[np.zeros_like(ranks)])
    with pytest.raises(AssertionError, match="off by"):
        streams.checked(summary, ordered)


@pytest.mark.gpu
def test_streams_on_a_gpu_are_measured() -> None:
    words = "--keys 300000 --turns 1 --batch 65536 --epsilon 0.01"
    rows = list(
        streams_cuda.measurements(a_card(), streams_cuda.parser().parse_args(words.split()))
    )
    told = {(row["workload"], row["data"], row["place"]) for row in rows}
    assert len(told) == len(rows) == 6
    assert all(row["reads"] > 0 and row["worst"] <= 0.01 for row in rows)
    assert all(("of_link" in row) == (row["place"] == "host") for row in rows)
    assert all("G/s" in streams_cuda._told(row) for row in rows)


@pytest.mark.gpu
def test_the_sorter_on_a_gpu_is_measured_beside_others() -> None:
    words = "--keys 30000 --epsilon 0.05 --window 5000 --turns 1 --sorter cuda --sorter cuda-host"
    rows = list(streams.measurements(streams.parser().parse_args(words.split())))
    assert {row["workload"] for row in rows} == set(streams.WORKLOADS)
    assert {row["sorter"] for row in rows} == {"cuda", "cuda-host"}


def test_a_record_names_the_devices_that_sort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sorters, kind in (("numpy",), "numpy"), (("numpy", "textures"), default_device().kind):
        words = "--workload quantiles --keys 3000 --epsilon 0.1 --turns 1"
        chosen = [word for sorter in sorters for word in ("--sorter", sorter)]
        path = tmp_path / f"{kind}.json"
        monkeypatch.setattr("sys.argv", ["x", *words.split(), *chosen, "--output", str(path)])
        streams.main()
        record = json.loads(path.read_text())
        assert record["device"]["kind"] == kind
        peers = [row for row in record["rows"] if row["method"] == "np.sort of the windows"]
        assert [row["sorter"] for row in peers] == ["numpy"]
