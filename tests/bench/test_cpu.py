"""The benchmark on the CPU checks its answers, and measures every call beside NumPy's."""

from typing import Any

import numpy as np
import pytest

import modern
from bench import cpu
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
