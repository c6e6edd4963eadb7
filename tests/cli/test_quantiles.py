"""`shadersort quantiles`: files and pipes, and what it refuses."""

import io
import json
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from shadersort.keys.types import Keys
from shadersort.streams.sorters.named import GROUP
from tests.cli.test_cli import assert_refused, report, run

STREAM = np.random.default_rng(5).normal(size=20_001)


def npy(keys: Keys) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, keys)
    return buffer.getvalue()


def text(keys: Keys) -> bytes:
    return "".join(f"{key}\n" for key in keys.tolist()).encode()


@pytest.mark.parametrize("form", ["npy", "raw", "text"])
def test_every_form_from_files_and_pipes(form: str, tmp_path: Path) -> None:
    for dtype in (">f4", "int16"):
        keys = (np.abs(STREAM) * 50).astype(dtype)
        data = {"npy": npy, "raw": lambda each: each.tobytes(), "text": text}[form](keys)
        options = [] if form == "npy" else ["--dtype", dtype]
        if form == "raw":
            options += ["--from", "raw"]
        path = tmp_path / "stream"
        path.write_bytes(data)
        from_file = report("quantiles", path, *options, "--epsilon", 0.05)
        assert from_file == report("quantiles", *options, "--epsilon", 0.05, stdin=data)
        assert (from_file["n"], from_file["dtype"]) == (keys.size, np.dtype(dtype).name)
        for row in from_file["quantiles"]:
            assert (keys <= row["value"]).mean() - row["q"] >= -0.05
            assert (keys < row["value"]).mean() - row["q"] <= 0.05
        assert from_file["quantiles"][-1]["value"] == keys.max()


def test_ranks_and_quantiles_that_are_asked_for() -> None:
    asked = ("-q", 0.5, "-q", 1, "--rank", 2.5, "--rank", "inf")
    rows = report("quantiles", *asked, stdin=b"1\n2\n3\nnan\n\n4\n")
    assert rows["quantiles"] == [{"q": 0.5, "value": 2.0}, {"q": 1.0, "value": 4.0}]
    assert [(row["x"], row["at_most_x"]) for row in rows["ranks"]] == [(2.5, 2), ("inf", 4)]
    assert (rows["n"], rows["nans"], rows["rank_error"], rows["of_last"]) == (4, 1, 0, None)
    assert report("quantiles", stdin=b"-inf\ninf\n")["quantiles"][0]["value"] == "-inf"


def test_the_last_values_only() -> None:
    rows = report("quantiles", "--last", 10, "-q", 0, stdin=text(np.arange(1000)))
    assert (rows["n"], rows["of_last"], rows["quantiles"][0]["value"]) == (1000, 10, 990)
    found = report("quantiles", "--last", 900, "-q", 0.5, stdin=npy(STREAM))
    assert abs((STREAM[-900:] <= found["quantiles"][0]["value"]).sum() - 450) <= 9
    assert found["entries"] < 20_000
    few = report("quantiles", "--last", 1_000_000, stdin=npy(STREAM))
    assert few["rank_error"] <= 0.01 * STREAM.size  # a share of those that there are


def test_textures_tell_the_same_as_numpy() -> None:
    data = npy(STREAM.astype(np.float32))
    plain = report("quantiles", "--epsilon", 0.1, stdin=data)
    assert report("quantiles", "--epsilon", 0.1, "--sorter", "textures", stdin=data) == plain


@pytest.fixture
def cuda_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry point of `modern`, also where the package is run from its source tree."""
    cuda = EntryPoint("cuda", "modern.streams.sorter:Sorter.on_gpu", GROUP)
    monkeypatch.setattr("shadersort.streams.sorters.named.entry_points", lambda group: [cuda])


@pytest.mark.gpu
@pytest.mark.usefixtures("cuda_offered")
def test_a_gpu_tells_the_same_as_numpy() -> None:
    ways = ("cuda", "numpy")
    one, other = (report("quantiles", "--sorter", way, stdin=text(STREAM)) for way in ways)
    assert one == other


@pytest.mark.usefixtures("cuda_offered")
def test_no_gpu_is_no_reason_to_sort_by_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modern.streams.sorter.has_gpu", lambda: False)
    assert_refused(run("quantiles", "--sorter", "cuda", stdin=b"1\n"), 1, "no CUDA GPU")


def test_a_table_for_people() -> None:
    shown = run("quantiles", "--rank", 3, stdin=b"1\n2\n3\nnan\n4\n").stdout.splitlines()
    assert shown[0] == "4 values of float64, and 1 NaNs left out."
    assert [line.split() for line in shown if line.strip().startswith("0.5")] == [["0.5", "2.0"]]
    assert "3.0           3         3        3" in "\n".join(shown)
    assert shown[-1] == "No rank is off by more than 0. 4 entries were held."
    assert "the last 2 of 4 values" in run("quantiles", "--last", 2, stdin=b"1\n2\n3\n4\n").stdout


def test_what_is_refused() -> None:
    refused: list[tuple[list[str], bytes, int, str]] = [
        ([], b"", 3, "no number"),
        ([], b"1\ntwo\n", 3, "line 2"),
        (["--dtype", "int8"], b"1\n300\n", 3, "line 2"),
        (["--from", "raw"], b"1234", 3, "--dtype float32"),
        (["--from", "raw", "--dtype", "float32"], b"123456", 3, "cut off"),
        (["--from", "raw", "--dtype", "float32", "--offset", "9"], b"1234", 3, "skipped"),
        (["--from", "npy"], b"123456", 3, "not a .npy"),
        ([], npy(STREAM)[:-3], 3, "cut off"),
        ([], npy(STREAM) + b"more", 3, "more than"),
        ([], npy(STREAM.reshape(3, -1)), 3, "one dimension"),
        (["--dtype", "float32"], npy(STREAM), 3, "float64"),
        ([], npy(STREAM.astype(complex)), 3, "complex128"),
        (["--offset", "3"], b"1\n", 2, "--offset"),
        (["--epsilon", "0"], b"1\n", 2, "epsilon"),
        (["--epsilon", "nan"], b"1\n", 2, "epsilon"),
        (["-q", "2"], b"1\n", 2, "quantile"),
        (["--rank", "nan"], b"1\n", 2, "NaN"),
        (["--rank", "x"], b"1\n", 2, "no number"),
        (["missing.npy"], b"", 3, "missing.npy"),
    ]
    for arguments, stdin, code, word in refused:
        assert_refused(run("quantiles", *arguments, stdin=stdin), code, word)


def test_files_whose_type_was_guessed_wrongly_are_read_again(tmp_path: Path) -> None:
    numbers = b"x\n" + b"3\n" * 600_000 + b"0.5\n"
    (tmp_path / "a.txt").write_bytes(numbers)
    result = run("quantiles", tmp_path / "a.txt", "-q", 0, "--skip-bad", "--json")
    found = json.loads(result.stdout)
    assert (found["n"], found["dtype"], found["left_out"]) == (600_001, "float64", 1)
    assert found["quantiles"][0]["value"] == 0.5
    assert result.stderr.count("left out") == 1
    refused = run("quantiles", stdin=numbers[2:])
    assert_refused(refused, 3, "line 600001: '0.5' is no int64", "--dtype float64")


def test_several_files_with_bad_words(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("ms,n\n1,a\n-,b\n")
    (tmp_path / "2.csv").write_text("n;ms\n")
    (tmp_path / "3.tsv").write_text("n\tms\na\t5\n")
    paths = (tmp_path / "1.csv", tmp_path / "3.tsv", "--column", "ms", "-q", 1)
    assert_refused(run("quantiles", *paths), 3, "1.csv, line 3, column ms: '-'")
    found = report("quantiles", *paths, "--skip-bad")
    assert (found["n"], found["left_out"], found["quantiles"][0]["value"]) == (2, 1, 5)
    refused = run("quantiles", tmp_path / "2.csv", "--column", "ms")
    assert_refused(refused, 2, "no column 'ms'; it has: n;ms")
