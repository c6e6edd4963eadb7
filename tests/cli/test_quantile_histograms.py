"""`shadersort quantiles`: histograms in the terminal and as pictures."""

import json
import sys
from pathlib import Path
from subprocess import run as run_process

import numpy as np
import pytest

from shadersort.pictures import matplotlib_types
from tests.cli.test_cli import SHELL, assert_refused, names, report, run
from tests.cli.test_quantile_options import ROWS, STREAMS
from tests.cli.test_quantiles import npy, text


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)


def test_a_histogram_counts_within_its_error() -> None:
    numbers = ROWS["ms"].to_numpy()
    Path("numbers.npy").write_bytes(npy(numbers))
    for said in ((), ("--exact",), ("--last", 5000), ("--last", 5000, "--exact")):
        found = report("quantiles", "numbers.npy", "--histogram", "--bins", 8, *said)
        counted = numbers[-5000:] if "--last" in said else numbers
        bins = found["histogram"]
        assert sum(row["count"] for row in bins) == len(counted)
        assert len(bins) == 8
        for i, row in enumerate(bins):
            left = counted > (row["left"] if i else -np.inf)
            right = counted <= (row["right"] if i < 7 else np.inf)
            assert row["low"] <= (left & right).sum() <= row["high"]
            assert row["low"] <= row["count"] <= row["high"]
            assert "--exact" not in said or row["low"] == row["high"]


def test_bars_of_integers_and_of_floats() -> None:
    integers = run("quantiles", "--histogram", stdin=b"1\n2\n2\n4\n").stdout.splitlines()
    rows = [line.split() for line in integers[integers.index("", 14) :]]  # below the quantiles
    assert [row[:2] for row in rows[2:6]] == [["1", "1"], ["2", "2"], ["3", "0"], ["4", "1"]]
    bars = [row[2] if len(row) > 2 else "" for row in rows[2:6]]
    assert len(bars[1]) == 2 * len(bars[0]) == 60
    assert bars[2] == ""
    assert integers[-1] == "The counts of the histogram are exact."
    floats = run("quantiles", "--histogram", "--bins", 2, stdin=b"1.5\n2\n2.5\n-1e300\n").stdout
    assert "-1e+300 to -5e+299" in floats
    refused = run("quantiles", "--histogram", stdin=b"1.5\ninf\n")
    assert_refused(refused, 3, "equal width")


def test_bars_in_ascii() -> None:
    shell = [*SHELL, "quantiles", "--histogram", "--rank", "2"]
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(sys.path)}
    done = run_process(shell, input=b"1\n2\n2\n", capture_output=True, env=environment, check=True)
    assert done.stdout.decode("ascii").count("#") == 60 + 30


@pytest.mark.parametrize(
    ("form", "begin"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_pictures(form: str, begin: bytes) -> None:
    path = Path(f"bins.{form}")
    asked = ("quantiles", "--plot", path, "--bins", 5, "--json")
    found = json.loads(run(*asked, stdin=text(STREAMS["normal"])).stdout)
    assert len(found["histogram"]) == 5
    first = path.read_bytes()
    assert first.startswith(begin)
    assert_refused(run(*asked, stdin=b"1\n"), 4, "exists", "--force")
    assert run(*asked, "--force", stdin=text(STREAMS["normal"])).exit_code == 0
    assert path.read_bytes() == first
    assert names() == [path.name]


def test_pictures_that_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(run("quantiles", "--plot", "x.txt", stdin=b"1\n"), 2, ".png, .svg, .pdf")
    assert_refused(run("quantiles", "--plot", "no/x.svg", stdin=b"1\n"), 1, "no such folder")
    assert_refused(run("quantiles", "--plot", "x.svg", stdin=b"-inf\n1\n"), 3, "equal width")

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(matplotlib_types, "import_module", absent)
    refused = run("quantiles", "--plot", "x.svg", stdin=b"1\n")
    assert_refused(refused, 1, "pip install 'shadersort[plots]'")
    assert names() == []
