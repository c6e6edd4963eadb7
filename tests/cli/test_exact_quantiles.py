"""`shadersort quantiles --exact`: quantiles of one file, without a summary."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.test_cli import assert_refused, report, run
from tests.expected import expected
from tests.selection.files.stores import as_npy, as_parquet

KEYS = np.random.default_rng(3).normal(size=30_000)
Q = ("-q", 0, "-q", 0.5, "-q", 0.999)


@pytest.mark.parametrize("dtype", ["float64", "float16", "int64", "uint8"])
def test_quantiles_are_those_of_numpy(dtype: str, tmp_path: Path) -> None:
    keys = (KEYS * 50).astype(dtype)
    if keys.dtype.kind == "f":
        keys[::100] = np.nan
        keys[1:99] = -0.0
    keys.tofile(tmp_path / "keys.bin")
    numbers = keys[keys == keys]
    wanted = expected(np.quantile, numbers, [0, 0.5, 0.999], method="inverted_cdf").tolist()
    for said in (
        (as_npy(tmp_path, keys),),
        (as_parquet(tmp_path, keys), "--column", "ms"),
        (tmp_path / "keys.bin", "--dtype", dtype),
    ):
        found = report("quantiles", *said, *Q, "--exact")
        assert [row["value"] for row in found["quantiles"]] == wanted
        assert (found["n"], found["nans"]) == (numbers.size, keys.size - numbers.size)
        assert (found["exact"], found["rank_error"], found["dtype"]) == (True, 0, dtype)


def test_it_says_how_often_a_file_is_read(tmp_path: Path) -> None:
    for keys, said, words in (
        (KEYS, (), "read twice"),
        (KEYS, ("-q", 0.5), "read once"),
    ):
        result = run("quantiles", as_npy(tmp_path, keys), "--exact", *said)
        assert f"keys.npy was {words}" in " ".join(result.stderr.split())
        assert "All answers are exact." in result.stdout


def test_what_is_refused(tmp_path: Path) -> None:
    path, text, gaps = as_npy(tmp_path, KEYS), tmp_path / "a.txt", tmp_path / "gaps.parquet"
    text.write_text("1\n2\n")
    pq.write_table(pa.table({"ms": pa.array([1, None, 3])}), gaps)
    refused: list[tuple[tuple[Any, ...], int, str]] = [
        ((), 2, "one file"),
        ((path, path), 2, "one file"),
        ((path, "--rank", 3), 2, "--rank"),
        ((path, "--last", 50), 2, "--last"),
        ((path, "--skip-bad"), 2, "--skip-bad"),
        ((path, "--from", "raw", "--dtype", "float64"), 2, "as npy"),
        ((text,), 3, "only from its beginning"),
        ((gaps,), 3, "gaps"),
    ]
    for said, code, word in refused:
        assert_refused(run("quantiles", *said, "--exact", stdin=b"1\n"), code, word)
    nothing = as_npy(tmp_path, np.full(5, np.nan))
    assert_refused(run("quantiles", nothing, "--exact"), 3, "no number in it")
