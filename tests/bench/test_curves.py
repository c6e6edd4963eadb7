"""The papers' curves are measured, point by point, and a wrong answer is not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern
from bench import curves
from bench.shared.machines import Host
from shadersort.errors import TooManyKeys
from tests.bench.helpers import options_of, run

FAST = "--device numpy --largest 5000 --repeats 1 "


def rows(words: str = "") -> list[dict[str, Any]]:
    return list(curves.measurements(Host(), options_of(curves.main, FAST + words)))


def test_every_curve_is_measured() -> None:
    found = rows()
    assert list(dict.fromkeys(row["curve"] for row in found)) == list(curves.CURVES)
    assert all(row["ms"] > 0 for row in found)
    assert max(row["n"] for row in found) == 5000
    for name in curves.CURVES:
        some = [row for row in found if row["curve"] == name]
        points = {json.dumps({k: v for k, v in row.items() if k != "ms"}) for row in some}
        assert len(points) == len(some) >= 12


def test_every_row_has_the_label_of_what_ran() -> None:
    for row in rows("--curve methods --curve counts --curve percentiles"):
        assert row["label"] == f"{row['method']}, {row['variant']}"
        find: Any = modern.multiselect if "count" in row else modern.select
        given = {"method": row["method"], "as_printed": row["variant"] == "as printed"}
        _, trace = find(np.arange(9.0), [4] if "count" in row else 4, return_trace=True, **given)
        assert trace.label == row["label"]


def test_types_sizes_and_variants_are_those_of_the_papers() -> None:
    found = rows("--curve methods --curve percentiles")
    kinds = {(row["distribution"], row["dtype"]) for row in found if row["curve"] == "methods"}
    assert {("uniform", each) for each in ("uint32", "float32", "float64")} <= kinds
    assert {("normal", "float64"), ("half-normal", "float32"), ("normal-wide", "float32")} <= kinds
    assert {row["variant"] for row in found} == {"as printed", "improved"}
    for method in ("cutting-plane", "randomized"):
        some = [row for row in found if row["method"] == method]
        assert {row["dtype"] for row in some} == {"float32", "float64"}
    assert curves._sizes(range(14, 30), 1 << 15) == [1 << 14, 1 << 15]
    assert curves._sizes(range(14, 30), 5000) == [5000]


def test_a_rank_s_time_is_told_of_each_rank() -> None:
    for row in rows("--curve methods --ranks 6"):
        assert len(row["each"]) == (5 if row["method"] == "sort-choose" else 6)
        assert row["ms"] == pytest.approx(sum(row["each"]) / len(row["each"]))


def test_a_fault_of_a_printed_method_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "OF_FLOATS", ("cutting-plane",))
    monkeypatch.setattr(curves, "PRIMARY", (("near-zero", "float64", range(12, 13)),))
    monkeypatch.setattr(curves, "FURTHER", ())
    printed, improved = rows("--curve methods")
    assert sum(printed["faults"].values()) >= 1
    assert "faults" not in improved


def test_a_refusal_is_recorded_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(keys: Any, k: int, **given: Any) -> None:
        raise TooManyKeys("no more")

    monkeypatch.setattr(modern, "select", refuse)
    found = rows("--curve adversaries")
    assert all((row["ms"], row["why"]) == (None, "no more") for row in found)


def test_a_record_is_written(tmp_path: Path) -> None:
    path = tmp_path / "curves.json"
    printed = run(curves.main, f"{FAST} --curve adversaries --output {path}")
    record = json.loads(path.read_text())
    assert record["benchmark"] == "curves"
    assert len(record["rows"]) == printed.count("adversaries") == 4 * 3 * 2
