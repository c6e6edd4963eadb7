"""The benchmark of one-read checks every answer, and measures every kind of call."""

from typing import Any

import numpy as np
import pytest

import modern
from bench import one_read
from bench.shared.machines import Host
from bench.shared.record import Row
from tests.bench.helpers import options_of


def rows_of(words: str) -> list[Row]:
    options = options_of(one_read.main, f"--repeats 1 --turns 1 {words}")
    return list(one_read.measurements(Host(), options))


def test_every_call_is_measured_in_reads() -> None:
    rows = rows_of("--n 2^12 --dtype float32 --dtype int32")
    reads = [row for row in rows if row["what"] == "max"]
    assert all(row["reads"] == 1 for row in reads)
    assert {row["dtype"] for row in rows} == {"float32", "int32"}
    assert {"normal, 1 in 100 NaN", *one_read.HOSTILE} < {row["data"] for row in rows}
    calls = {row["what"] for row in rows}
    assert {"select 0", "select n/2", "select n - 1", "median", "nanmedian"} < calls
    assert all(row["ms"] > 0 for row in rows)


def test_few_keys_are_measured_from_outside_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_read, "FEW", (8,))
    monkeypatch.setattr(one_read, "SIZES", (("int64", 10),))
    few = [row for row in rows_of("") if row["n"] == 256]
    assert {row["what"] for row in few} == {"max", "select n/2", "median", "sort"}
    assert all(row["wall_us"] > 0 for row in few)


@pytest.mark.parametrize("name", ["select", "median", "nanmedian"])
def test_a_wrong_answer_is_not_timed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: Any) -> Any:
        return np.float32(1e30)

    monkeypatch.setattr(modern, name, wrong)
    with pytest.raises(AssertionError, match="not timed"):
        rows_of("--n 2^10 --dtype float32")
