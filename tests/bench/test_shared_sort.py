"""The benchmark of CPU and GPU together checks, tells what ran, and the report reads it."""

import json
from pathlib import Path

import pytest

from bench import shared_sort
from bench.report.govindaraju_2005_sorting import gain, shared_notes
from bench.shared.record import load
from shadersort import Device
from shadersort.keys.types import Keys
from shadersort.sorting.texture_sort import TextureSort
from tests.bench.helpers import options_of, run

FEW = "--smallest 8 --largest 8 --turns 1 --way pbsn-blend "


def test_every_row_says_what_ran(software: Device) -> None:
    options = options_of(shared_sort.main, FEW)
    rows = list(shared_sort.measurements(software, options))
    assert [row["share"] for row in rows] == 2 * list(shared_sort.SHARES)
    assert all(row["ms"] > 0 for row in rows)
    told = {(row["dtype"], row["share"]): row["label"] for row in rows}
    assert told["float16", 0.0] == f"pbsn, blend, float16, {software.label}"
    assert told["float32", 0.25].startswith("25% by NumPy, ")
    assert told["float32", 0.25].endswith(f"and pbsn, blend, float32, {software.label}")
    assert told["float32", 1.0].startswith("NumPy, ")


def test_a_wrong_answer_is_not_timed(software: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: TextureSort, keys: Keys, *, descending: bool = False) -> Keys:
        return keys

    monkeypatch.setattr(TextureSort, "sort", wrong)
    with pytest.raises(AssertionError, match="not timed: pbsn, blend"):
        list(shared_sort.measurements(software, options_of(shared_sort.main, FEW)))


def test_the_report_reads_its_record(tmp_path: Path) -> None:
    path = tmp_path / "shared.json"
    run(
        shared_sort.main, f"{FEW} --device software --share 0 --share 1 --share 0.5 --output {path}"
    )
    content = json.loads(path.read_text())
    for row in content["rows"]:
        row["ms"] = {0.0: 6.0, 1.0: 4.0}.get(row["share"], 2.0)
    path.write_text(json.dumps(content))
    record = load("shared", tmp_path)
    assert gain(record) == (3, 2)
    (note,) = shared_notes([record])
    assert "2^8 keys, 50% by NumPy" in note
    assert note.endswith("3 times as fast as the GPU alone, 2 times as fast as the CPU alone.")
