"""The benchmark of counters knows which launch is whose, and fails if it cannot know."""

from pathlib import Path
from typing import Any

import pytest

from bench import counters
from bench.counters_table import of_counters
from bench.shared.record import begun, read
from bench.shared.record import write as write_record
from tests.bench.helpers import options_of, run

gpu = pytest.mark.gpu

FOUND = [{"launch": "count", "ns": 5.0}, {"launch": "keep", "ns": 7.0}]


def test_launches_belong_to_calls() -> None:
    names = [("select", "count"), ("topk", "keep")]
    rows = list(counters.rows_of(names, FOUND))
    assert rows == [{"what": what, **row} for (what, _), row in zip(names, FOUND, strict=True)]


@pytest.mark.parametrize("names", [[], [("select", "count")], [("a", "keep"), ("a", "count")]])
def test_other_launches_than_those_of_the_calls(names: list[tuple[str, str]]) -> None:
    with pytest.raises(counters.NoProfiler, match="count"):
        list(counters.rows_of(names, FOUND))


def test_no_profiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "begun", lambda name, device: begun(name))
    monkeypatch.setattr(counters, "NCU", "no-such-profiler")
    machine: Any = type("Machine", (), {"described": lambda self: {"kind": "cuda"}})()
    monkeypatch.setattr(counters, "opened", lambda kind: machine)
    said = run(counters.main, "--dtype float32", code=1)
    assert "no-such-profiler is not installed: it comes with CUDA" in said


def test_a_profiler_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "NCU", "false")
    with pytest.raises(counters.NoProfiler):
        list(counters.measurements(options_of(counters.main, "--dtype float32")))


def test_the_table_has_each_kernel_once(tmp_path: Path) -> None:
    percents = {f"{name}_percent": 12.3 for name in ("memory", "warps", "issue", "shared")}
    of = {"dtype": "float32", "n": 1000, "bytes_written": 0.0, "ns": 2.0, **percents}
    rows = [
        of | {"what": what, "launch": launch, "bytes_read": 4000 * share}
        for what, launch, share in (
            ("topk 10", "staged", 9),
            ("101 ranks", "small", 0.05),
            ("101 ranks", "staged", 3),
            ("select n/2", "one_read", 1),
            ("topk 1,000", "staged", 1.5),
        )
    ]
    path = tmp_path / "counters.json"
    write_record(path, begun("counters") | {"rows": rows})
    head, line, *lines = of_counters(read(path))
    assert head.count("|") == line.count("|")
    assert lines == [
        "| `one_read` | select n/2 | 1.00 | 0.00 | 2.00 | 12% | 12% | 12% | 12% |",
        "| `staged` | topk 1,000 | 1.50 | 0.00 | 3.00 | 12% | 12% | 12% | 12% |",
        "",
    ]


@gpu
def test_counters_of_our_calls() -> None:
    rows = list(counters.measurements(options_of(counters.main, "--n 2^24 --dtype int32")))
    assert all(counters.COUNTERS.keys() <= row.keys() for row in rows)
    (one,) = [row for row in rows if row["what"] == "select n/2"]
    assert one["launch"] == "one_read"
    assert one["bytes_read"] >= 4 << 24
