"""The papers' curves are measured, point by point, and a wrong answer is not."""

import json
from pathlib import Path
from typing import Any

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
    assert len(record["rows"]) == printed.count("adversaries") == 4 * 3
