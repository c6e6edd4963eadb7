"""The benchmark on the CPU checks its answers, and measures every call beside NumPy's."""

from typing import Any

import numpy as np
import pytest

import modern
from bench import cpu
from bench.cpu_goals import MOST_LISTED, goals
from bench.shared.record import Row
from tests.bench.helpers import options_of


def rows_of(words: str) -> list[Row]:
    return list(cpu.measurements(options_of(cpu.main, f"--seconds 0 {words}")))


def test_every_call_beside_numpy() -> None:
    rows = rows_of("--n 20 --dtype float32 --dtype int64")
    assert {"select", "median", "nanmedian", "quantile", "101 quantiles", "topk 10"} <= {
        row["what"] for row in rows
    }
    assert {row["data"] for row in rows} == set(cpu.DATA)
    assert {(tuple(row["shape"]), row["axis"]) for row in rows} == {
        *(((20,), 0), ((10, 2), 0), ((2, 10), 1), ((2, 10), 0), ((10, 2), 1))
    }
    assert all(row["us"] > 0 and row["numpy_us"] > 0 for row in rows)


def test_goals_are_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    cpu.main.main(["--seconds", "0", "--n", "20", "--data", "tied"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "nanquantile without NaN, by our quantile, rows: " in told
    assert "topk, one dimension: " in told
    assert "cells met" in told


def test_goals_name_the_cells_that_miss_them() -> None:
    row: Row = {"what": "topk 10", "data": "tied", "dtype": "int8", "n": 9, "axis": 0, "most": 1.1}
    fast = {**row, "shape": [9], "us": 5.0, "numpy_us": 10.0, "ratio": 0.5, "over_us": 0.0}
    slow = {**row, "shape": [3, 3], "us": 90.0, "numpy_us": 30.0, "ratio": 3.0, "over_us": 47.0}
    lines = list(goals([fast, slow, *[slow] * MOST_LISTED]))
    assert lines[0].startswith("topk, one dimension: 1 of 1 cells")
    assert lines[1].startswith("topk, rows: 0 of 21 cells")
    assert lines[2] == "goals: 1 of 22 cells met"
    assert lines[3].endswith("shape [3, 3], axis 0: ratio 3.00, 47.0 µs over")
    assert lines[-1] == "  and 1 more"


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(x: Any, k: int, **options: Any) -> Any:
        return np.sort(x, **options)[0]

    monkeypatch.setattr(modern, "select", wrong)
    with pytest.raises(AssertionError, match="select"):
        rows_of("--n 20 --data random")


def test_a_large_run() -> None:
    def measured(words: str) -> list[tuple[int, str]]:
        return cpu.sizes_and_types(options_of(cpu.main, words))

    assert measured("") == [(n, "float32") for n in cpu.SIZES]
    large = measured("--large")
    assert large[0] == (cpu.LARGE, "float32")
    assert {dtype for _, dtype in large[1:]} == set(cpu.OTHERS)
    assert measured("--large --n 10 --dtype int8") == [(10, "int8")]
    assert (cpu.LARGE, "uint8") in measured("--large --dtype uint8")
    assert cpu.lengths_of(cpu.LARGE) == [1000]
    assert cpu.lengths_of(100_000) == [10, 1000, 10_000]


def test_keys_of_other_types() -> None:
    rows = rows_of("--n 300 --dtype uint8 --dtype float16")
    assert {row["dtype"] for row in rows} == {"uint8", "float16"}
    assert (np.diff(cpu.make_keys("sorted", 300, "uint8").astype(int)) >= 0).all()
    assert np.ptp(cpu.make_keys("random", 300, "uint8")) > 200
