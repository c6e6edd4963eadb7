"""The benchmark of large files, with small ones: all calls agree, and nothing is left."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import files, files_calls
from bench.files_made import make_npy
from bench.shared.record import Row
from tests.bench.helpers import options_of, run


def rows_of(folder: Path, words: str = "") -> list[Row]:
    given = f"--size 400kB --turns 1 --hold 64KiB --memory 32MiB --folder {folder} {words}"
    return list(files.measurements(options_of(files.main, given)))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Calls in this process, which starts none; and their names."""
    asked: list[str] = []

    def in_this_process(name: str, path: Path, options: Any, **_: Any) -> Any:
        asked.append(name)
        if name.startswith(("DuckDB", "Polars")):
            return {"why": "not asked"}
        return files_calls.measured(name, str(path), options.memory, 1 << 20)

    monkeypatch.setattr(files, "_in_a_process", in_this_process)
    return asked


def test_every_call_on_both_forms(here: list[str], tmp_path: Path) -> None:
    rows = rows_of(tmp_path)
    assert {row["form"] for row in rows} == {"npy", "parquet"}
    assert set(here) == set(files_calls.CALLS)
    assert {row["what"] for row in rows} >= {"read once", "ours", "round: counting"}
    for row in rows:
        exact = row["what"] != "dask.array.percentile"
        assert row.get("error", 0) < (1e-6 if exact else 0.1), row
    for of in ("disk", "cache"):
        some = [row for row in rows if (row["of"], row["form"]) == (of, "npy")]
        (ours,) = (row for row in some if row["what"] == "ours")
        assert (ours["error"], ours["reads"]) == (0, 1)
        (compared,) = (row for row in some if row["what"] == "read and compared once")
        assert abs(compared["below"] - 50_000) < 1_000
        once = min(row["seconds"] for row in some if row["what"].startswith("read once"))
        (counting,) = (row for row in some if row["what"] == "round: counting")
        assert ours["of_reading"] == once / ours["seconds"]
        assert counting["of_reading"] == once / counting["seconds"]
    assert all(row["seconds"] > 0 or "why" in row for row in rows if "why" not in row)
    assert list(tmp_path.iterdir()) == []


def test_a_call_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    options = options_of(files.main, "--memory 32MiB")
    path = tmp_path / "keys.npy"
    make_npy(path, 1000, "float64")
    found = files._in_a_process("ours", path, options, cold=True)
    assert found["answer"] == np.median(np.load(path))
    assert found["reads"] <= 2
    none = files._in_a_process("ours", tmp_path / "none.npy", options, cold=False)
    assert "No such file" in none["why"]
    late = files._in_a_process("ours", path, options, cold=False, limit=0.01)
    assert late == {"why": "takes more than 0.01 s"}


def test_a_process_with_too_little_memory_says_so(tmp_path: Path) -> None:
    options = options_of(files.main, "--most 250MB")
    path = tmp_path / "keys.npy"
    make_npy(path, 30_000_000, "float64")
    found = files._in_a_process("np.median of a memmap", path, options, cold=False)
    assert "MemoryError" in found["why"]


def test_only_some_calls_are_asked(here: list[str], tmp_path: Path) -> None:
    rows_of(tmp_path, "--only dask.array.percentile")
    npy = list(files_calls.ALWAYS)
    parquet = [*files_calls.READING, "ours"]
    assert here == [*npy, *npy, "dask.array.percentile", *parquet, *parquet]


def test_a_file_that_does_not_fit_into_memory_is_not_read_from_there(
    here: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "free_memory", lambda: 0)
    assert {row["of"] for row in rows_of(tmp_path, "--only dask.array.percentile")} == {"disk"}


def test_memory_is_watched() -> None:
    with files_calls.watched() as most:
        held = np.ones(10_000_000)
        for _ in range(20):
            held += 1
    assert 60 < most["own_mb"] < 200


def test_the_command_has_help() -> None:
    assert "--size" in run(files.main, "--help")
