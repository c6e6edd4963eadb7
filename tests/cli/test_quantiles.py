"""`shadersort quantiles`: files and pipes of every form, options, and what it refuses."""

import io
from contextlib import nullcontext
from importlib.metadata import EntryPoint
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.cli import inputs
from shadersort.cli.last_items import LastItems
from shadersort.keys.reading import binary, lines, opening
from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary, SlidingQuantiles
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
def test_every_form_from_files_and_pipes(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for dtype, piece in product(["float64", ">f4", "int16", "uint8"], [1 << 22, 1001]):
        for module in (lines, binary):
            monkeypatch.setattr(module, "PIECE", piece)
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
            off = (keys <= row["value"]).mean() - row["q"]
            assert off >= -0.05
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


@pytest.mark.parametrize("count", [900, 100_000])
def test_the_last_values_take_little(count: int) -> None:
    numbers = np.random.default_rng(22).normal(size=300_000)
    found = report("quantiles", "--last", count, "-q", 0.5, stdin=npy(numbers))
    middle = (numbers[-count:] <= found["quantiles"][0]["value"]).sum()
    assert abs(middle - count / 2) <= count / 100
    assert found["entries"] < 20_000


def test_the_error_is_a_share_of_the_values_before_there_are_enough() -> None:
    recent = SlidingQuantiles(0.01, 1_000_000, shortest=1_000_000)
    last = LastItems(recent, QuantileSummary(0.01, 1_000_000))
    stream = np.random.default_rng(22).normal(size=31_000)
    for first in range(0, len(stream), 1000):
        answers = last.update(stream[first : first + 1000]).answers
        assert answers.rank_error <= 0.01 * answers.n


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


def test_files_whose_type_was_guessed_wrongly_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PIECE", 4)
    numbers = b"3\n1\n2\n0.5\n"
    (tmp_path / "a.txt").write_bytes(numbers)
    found = report("quantiles", tmp_path / "a.txt", "-q", 0)
    assert (found["n"], found["dtype"], found["quantiles"][0]["value"]) == (4, "float64", 0.5)
    refused = run("quantiles", stdin=numbers)
    assert_refused(refused, 3, "line 4: '0.5' is no int64", "--dtype float64")
    assert report("quantiles", "--dtype", "float64", stdin=numbers)["n"] == 4


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


def test_progress_counts_every_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[int] = []
    asked: list[tuple[int | None, bool]] = []

    def progress(title: str, total: int | None, *, shown: bool) -> Any:
        asked.append((total, shown))
        return nullcontext(moved.append)

    path = tmp_path / "stream.npy"
    path.write_bytes(npy(STREAM))
    monkeypatch.setattr(inputs, "progress_in_bytes", progress)
    monkeypatch.setattr(opening, "PIECE", 1 << 14)
    run("quantiles", path)
    run("quantiles", stdin=npy(STREAM))
    assert asked == [(path.stat().st_size, False), (None, False)]
    assert sum(moved) == 2 * path.stat().st_size
    assert len(moved) > 4
