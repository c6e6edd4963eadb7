"""The benchmark of several devices proves its answers by counts, and compares with one device."""

from typing import Any

import numpy as np
import pytest

import modern
from bench import parts
from bench.shared.machines import Host
from bench.shared.record import Row
from tests.bench.helpers import options_of


def rows_of(words: str, devices: list[int]) -> list[Row]:
    options = options_of(parts.main, f"--repeats 1 {words}")
    return list(parts.measurements(Host(), devices, options))


def test_every_call_is_measured_with_one_and_with_two() -> None:
    rows = rows_of("--per-device 2^15 --as-parts 3", [1, 2])
    names = ["max", "median, each array on its own", *parts.ASKED]
    assert [(row["devices"], row["what"]) for row in rows] == [
        (n, w) for n in (1, 2) for w in names
    ]
    assert [row["parts"] for row in rows] == [3] * 5 + [6] * 5
    assert [row["keys"] for row in rows] == [1 << 15] * 5 + [1 << 16] * 5
    assert all(row["of_one"] == 1 for row in rows[:5])
    for one, two in zip(rows[:5], rows[5:], strict=True):
        assert two["of_one"] == pytest.approx(2 * one["ms"] / two["ms"])
    for row in rows:
        assert bool(row["rounds"]) == (row["what"] in parts.ASKED)
    median = next(row for row in rows if row["what"] == "median")
    assert [name for name, _ in median["rounds"]] == ["sample", "parted_and_nans", "collected"]


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = modern.multiselect

    def wrong(x: Any, ks: Any) -> Any:
        found = real(x, ks)
        found[2] = np.nextafter(found[2], 9)
        return found

    monkeypatch.setattr(modern, "multiselect", wrong)
    with pytest.raises(AssertionError, match="a wrong answer is not timed: rank 32,439 gave"):
        rows_of("--per-device 2^15", [1])
