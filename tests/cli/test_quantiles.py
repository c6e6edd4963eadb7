"""`shadersort quantiles`: files and pipes, exact quantiles, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.test_cli import assert_refused, npy, report, run
from tests.expected import expected
from tests.selection.files.stores import as_npy, as_parquet

STREAM = np.random.default_rng(5).normal(size=20_001)


def test_reports() -> None:
    found = report("quantiles", "-q", 0.5, "-q", 1, stdin=b"1\n2\n3\nnan\n\n4\n")
    assert found["quantiles"] == [{"q": 0.5, "value": 2.0}, {"q": 1.0, "value": 4.0}]
    assert (found["n"], found["nans"], found["rank_error"]) == (4, 1, 0)
    assert report("quantiles", stdin=b"-inf\ninf\n")["quantiles"][0]["value"] == "-inf"
    shown = run("quantiles", stdin=b"1\n2\n3\nnan\n4\n").stdout.splitlines()
    assert shown[0] == "4 values of float64, and 1 NaNs left out."
    assert ["0.5", "2.0"] in [line.split() for line in shown]
    assert shown[-1] == "No rank is off by more than 0. 4 entries were held."


def test_what_is_refused() -> None:
    for arguments, stdin, code, word in (
        ("", b"", 3, "no number"),
        ("", b"1\ntwo\n", 3, "line 2"),
        ("--dtype int8", b"1\n300\n", 3, "line 2"),
        ("--from raw", b"1234", 3, "--dtype float32"),
        ("", npy(STREAM)[:-3], 3, "cut off"),
        ("", npy(STREAM.reshape(3, -1)), 3, "one dimension"),
        ("--dtype float32", npy(STREAM), 3, "float64"),
        ("--encoding rot13", b"1\n", 2, "'rot13' is no encoding of text"),
        (f"--column {'9' * 23}", b"1 2\n", 2, "columns have no names"),
        ("--column 0", b"1 2\n", 2, "columns have no names"),
        ("--delimiter ab --from csv", b"1,2\n", 2, "one ASCII character"),
        ("--dtype float33", b"1\n", 2, "no type of keys"),
        ("--epsilon 0", b"1\n", 2, "epsilon"),
        ("--epsilon nan", b"1\n", 2, "epsilon"),
        ("-q 2", b"1\n", 2, "quantile"),
        ("-q nan", b"1\n", 2, "NaN"),
        ("missing.npy", b"", 3, "missing.npy"),
    ):
        assert_refused(run("quantiles", *arguments.split(), stdin=stdin), code, word)


def test_files_whose_type_was_guessed_wrongly_are_read_again() -> None:
    numbers = b"x\n" + b"3\n" * 600_000 + b"0.5\n"
    Path("a.txt").write_bytes(numbers)
    result = run("quantiles", "a.txt", "-q", 0, "--skip-bad", "--json")
    found = json.loads(result.stdout)
    assert (found["n"], found["dtype"], found["left_out"]) == (600_001, "float64", 1)
    assert found["quantiles"][0]["value"] == 0.5
    assert result.stderr.count("left out") == 1
    refused = run("quantiles", stdin=numbers[2:])
    assert_refused(refused, 3, "line 600001: '0.5' is no int64", "--dtype float64")


def test_several_files_with_bad_words() -> None:
    for name, lines in (
        *(("1.csv", "ms,n\n1,a\n-,b\n"), ("2.csv", "n;ms\na;7\n")),
        ("3.tsv", "n\tms\na\t5\n"),
    ):
        Path(name).write_text(lines)
    said = "1.csv", "3.tsv", "--column", "ms", "-q", 1
    assert_refused(run("quantiles", *said), 3, "1.csv, line 3, column ms: '-'")
    found = report("quantiles", *said, "--skip-bad")
    assert (found["n"], found["left_out"], found["quantiles"][0]["value"]) == (2, 1, 5)
    semicolons = "quantiles", "2.csv", "--column", "ms"
    assert_refused(run(*semicolons), 2, "no column 'ms'; it has: n;ms")
    assert report(*semicolons, "--delimiter", ";")["n"] == 1


@pytest.mark.parametrize("dtype", ["float64", "float16", "int64", "uint8"])
def test_exact_quantiles_are_those_of_numpy(dtype: str, tmp_path: Path) -> None:
    keys = (STREAM * 50).astype(dtype)
    if keys.dtype.kind == "f":
        keys[::100] = np.nan
        keys[1:99] = -0.0
    keys.tofile("keys.bin")
    numbers = keys[keys == keys]
    wanted = expected(np.quantile, numbers, [0, 0.5, 0.999], method="inverted_cdf").tolist()
    for said in (
        (as_npy(tmp_path, keys),),
        (as_parquet(tmp_path, keys), "--column", "ms"),
        ("keys.bin", "--dtype", dtype),
    ):
        found = report("quantiles", *said, "-q", 0, "-q", 0.5, "-q", 0.999, "--exact")
        assert [row["value"] for row in found["quantiles"]] == wanted
        assert (found["n"], found["nans"]) == (numbers.size, keys.size - numbers.size)
        assert (found["exact"], found["rank_error"], found["dtype"]) == (True, 0, dtype)


def test_exact_quantiles_say_how_often_a_file_is_read(tmp_path: Path) -> None:
    for said, words in (((), "read 2 times"), (("-q", 0.5), "read 1 time")):
        result = run("quantiles", as_npy(tmp_path, STREAM), "--exact", *said)
        assert f"keys.npy was {words}\n" in result.stderr
        assert "All answers are exact." in result.stdout


def test_exact_quantiles_that_are_refused() -> None:
    for name, keys in (
        *(("a", STREAM), ("nans", np.full(5, np.nan)), ("empty", STREAM[:0])),
        ("table", STREAM.reshape(3, -1)),
    ):
        np.save(name, keys)
    Path("a.txt").write_text("1\n2\n")
    pq.write_table(pa.table({"ms": pa.array([1, None, 3])}), "gaps.parquet")
    for arguments, code, word in (
        ("", 2, "one file"),
        ("a.npy a.npy", 2, "one file"),
        ("a.npy --skip-bad", 2, "--column and --dtype"),
        ("a.npy --from raw --dtype float64", 2, "--column and --dtype"),
        ("a.txt", 3, "only from its beginning"),
        ("gaps.parquet", 3, "missing values"),
        ("nans.npy", 3, "no number in it"),
        ("empty.npy", 3, "no number in it"),
        ("table.npy", 3, "one dimension"),
    ):
        assert_refused(run("quantiles", *arguments.split(), "--exact", stdin=b"1\n"), code, word)
