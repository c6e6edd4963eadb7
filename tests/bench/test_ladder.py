"""The benchmarks of sorting run, on any device, and their records are printed as a table."""

import json
from pathlib import Path

import pytest

from bench import ladder, sort, table
from shadersort import METHODS, NETWORKS, Device
from tests.bench.helpers import run

WITHOUT_COMPUTE = [method for method in METHODS if method != "compute"]


@pytest.mark.parametrize("computes", [True, False])
def test_every_method_of_the_device_is_measured(
    software: Device, monkeypatch: pytest.MonkeyPatch, *, computes: bool
) -> None:
    """A device of OpenGL 3.3 has no compute shaders."""
    monkeypatch.setattr(software, "computes", computes)
    monkeypatch.setattr(ladder, "find_spec", lambda package: None)  # no CuPy: it needs a GPU
    expected = list(METHODS) if computes else WITHOUT_COMPUTE
    timings = list(sort.measurements(software, range(4, 5), seconds=0))
    assert {timing.dtype for timing in timings} == set(sort.TYPES)
    for name in NETWORKS:
        ways = [timing.method for timing in timings if timing.network == name]
        assert ways == expected * len(sort.TYPES)
    rows = ladder.measure(software, 64, turns=1)
    assert [row["method"] for row in rows if row["network"] == "pbsn"] == expected
    assert "np.sort" in [row["method"] for row in rows]
    assert all(row["program_ms"] > 0 for row in rows)


def test_records_are_printed_as_a_table(tmp_path: Path) -> None:
    row = {"keys": 1024, "network": "pbsn", "method": "blend", "program_ms": 1500.0}
    rows = [row, row | {"method": "fused", "program_ms": 7.5}]
    record = {"date": "2005-06-14T09:00:00", "device": {"renderer": "A card (x)"}, "rows": rows}
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    for more in ("", " --keys 10 --keys 20"):
        assert run(table.main, f"{path}{more}").splitlines() == [
            "| network | method | A card, 2005-06-14, 2^10 keys |",
            "|---|---|--:|",
            "| pbsn | blend | 1,500 ms (1.0×) |",
            "| pbsn | fused | 7.5 ms (200.0×) |",
        ]
