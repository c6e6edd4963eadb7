"""`shadersort quantiles --exact` of one large file: in rounds, and as with a summary elsewhere."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shadersort.cli import exact_rounds, quantile_jobs
from tests.cli.test_cli import assert_refused, report, run
from tests.selection.files.stores import as_npy, as_parquet

KEYS = np.random.default_rng(3).normal(size=30_000)
Q = ("-q", 0, "-q", 0.5, "-q", 0.999)


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was read in rounds."""
    found: list[Any] = []
    ask = exact_rounds.in_rounds

    def watched(*args: Any) -> Any:
        found.append(ask(*args))
        return found[-1]

    monkeypatch.setattr(quantile_jobs, "in_rounds", watched)
    return found


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "uint8"])
def test_quantiles_in_rounds(dtype: str, rounds: list[Any], tmp_path: Path) -> None:
    keys = (KEYS * 50).astype(dtype)
    if keys.dtype.kind == "f":
        keys[::100] = np.nan
        keys[1:99] = -0.0
    keys.tofile(tmp_path / "keys.bin")
    numbers = keys[keys == keys]
    expected = np.quantile(numbers, [0, 0.5, 0.999], method="inverted_cdf").tolist()
    for said in (
        (as_npy(tmp_path, keys),),
        (as_parquet(tmp_path, keys), "--column", "ms"),
        (tmp_path / "keys.bin", "--dtype", dtype, "--memory", "64MiB"),
    ):
        found = report("quantiles", *said, *Q, "--exact")
        assert [row["value"] for row in found["quantiles"]] == expected
        assert (found["n"], found["nans"]) == (numbers.size, keys.size - numbers.size)
        assert (found["exact"], found["rank_error"], found["dtype"]) == (True, 0, dtype)
        assert rounds[-1].reads <= rounds[-1].planned_reads + 0.01
    assert len(rounds) == 3


def test_few_quantiles_are_read_once(rounds: list[Any], tmp_path: Path) -> None:
    for q in ((0.5,), (0.1, 0.5, 0.9)):
        said = [word for each in q for word in ("-q", each)]
        found = report("quantiles", as_npy(tmp_path, KEYS), *said, "--exact")
        expected = np.quantile(KEYS, q, method="inverted_cdf").tolist()
        assert [row["value"] for row in found["quantiles"]] == expected
        assert (found["n"], found["nans"], rounds[-1].reads) == (KEYS.size, 0, 1)


def test_it_says_how_often_a_file_is_read(tmp_path: Path) -> None:
    result = run("quantiles", as_npy(tmp_path, KEYS), "--exact")
    assert "keys.npy is read twice" in " ".join(result.stderr.split())
    assert "All answers are exact." in result.stdout
    for keys, words in ((KEYS, "read once, and once more if"), (KEYS.astype(int), "read once")):
        result = run("quantiles", as_npy(tmp_path, keys), "--exact", "-q", 0.5)
        assert f"keys.npy is {words}" in " ".join(result.stderr.split())
    np.save(tmp_path / "a.npy", KEYS[:9])
    (tmp_path / "a.txt").write_text("3\n1\n2\n")
    result = run("quantiles", tmp_path / "a.txt", "--exact")
    assert "read twice, or again until all answers are exact" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "said",
    [("--rank", 3), ("--last", 50), ("--histogram",), ("missing.parquet", "--column", 1)],
)
def test_what_else_is_asked_needs_a_summary(
    said: tuple[Any, ...], rounds: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"ms": pa.array([1, None, 3])}), "missing.parquet")
    path = () if said[0] == "missing.parquet" else (as_npy(tmp_path, KEYS),)
    skip = ("--skip-bad",) if not path else ()
    report("quantiles", *path, *said, *skip, "--exact")
    assert rounds in ([], [None])


def test_what_is_refused(tmp_path: Path) -> None:
    path = as_npy(tmp_path, KEYS)
    assert_refused(run("quantiles", path, "--memory", "1GiB"), 2, "--memory", "--exact")
    assert_refused(run("quantiles", path, "--exact", "--memory", "much"), 2, "256MiB")
    assert_refused(run("quantiles", path, "--exact", "--memory", "1kiB"), 2, "33,554,432")
    nothing = as_npy(tmp_path, np.full(5, np.nan))
    assert_refused(run("quantiles", nothing, "--exact"), 3, "no number in it")


def test_keys_that_were_collected_are_no_entries_of_a_summary(tmp_path: Path) -> None:
    shown = run("quantiles", as_npy(tmp_path, KEYS), "-q", 0.5, "--exact").stdout.splitlines()
    assert re.fullmatch(r"All answers are exact. [\d,]+ keys were collected.", shown[-1])
    found = report("quantiles", as_npy(tmp_path, KEYS), "-q", 0.5, "--exact")
    assert found["entries"] == 0
    assert 0 < found["collected"] <= KEYS.size
