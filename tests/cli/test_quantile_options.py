"""`shadersort quantiles`: groups, exact answers, and how options combine."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from shadersort.cli import exact_reads, groups, quantile_jobs
from shadersort.cli.last_items import LastItems
from shadersort.keys.reading import lines
from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary, SlidingQuantiles
from tests.cli.test_cli import assert_refused, report, run
from tests.cli.test_quantiles import npy, text

RANDOM = np.random.default_rng(22)
INT64 = np.iinfo(np.int64)
COUNT = 30_000
ROWS = pd.DataFrame(
    {
        "host": RANDOM.choice(
            ["web", "db", "é, x", "10", "9"], COUNT, p=[0.9, 0.05, 0.03, 0.01, 0.01]
        ),
        "ms": np.round(RANDOM.gamma(2, 50, COUNT)),
    }
)
ASKED = ("-q", 0, "-q", 0.5, "-q", 0.99, "-q", 1, "--rank", 100)
Q = [0, 0.5, 0.99, 1]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)


def values(rows: dict[str, Any]) -> list[Any]:
    return [row["value"] for row in rows["quantiles"]]


def expected(numbers: Any, q: Any = Q) -> list[Any]:
    found: list[Any] = np.quantile(numbers, q, method="inverted_cdf").tolist()
    return found


def test_the_error_is_a_share_of_the_values_before_there_are_enough() -> None:
    recent = SlidingQuantiles(0.01, 1_000_000, shortest=1_000_000)
    last = LastItems(recent, QuantileSummary(0.01, 1_000_000))
    stream = RANDOM.normal(size=31_000)
    for first in range(0, len(stream), 1000):
        answers = last.update(stream[first : first + 1000]).answers
        assert answers.rank_error <= 0.01 * answers.n


@pytest.mark.parametrize("count", [900, 100_000])
def test_the_last_values_take_little(count: int) -> None:
    numbers = RANDOM.normal(size=300_000)
    found = report("quantiles", "--last", count, "-q", 0.5, stdin=npy(numbers))
    assert (
        abs((numbers[-count:] <= found["quantiles"][0]["value"]).sum() - count / 2) <= count / 100
    )
    assert found["entries"] < 20_000


def test_groups_of_a_column() -> None:
    ROWS.to_csv("rows.csv.gz", index=False)
    data = gzip.decompress(Path("rows.csv.gz").read_bytes())
    for where, stdin in ((["rows.csv.gz"], b""), (["--from", "csv"], data)):
        found = report("quantiles", *where, "--column", "ms", "--by", "host", *ASKED, stdin=stdin)
        assert (found["n"], found["by"], found["exact"]) == (COUNT, "host", False)
        assert [row["group"] for row in found["groups"]] == ["9", "10", "db", "web", "é, x"]
        for row in found["groups"]:
            numbers = ROWS["ms"][ROWS["host"] == row["group"]]
            assert row["n"] == len(numbers)
            for each in row["quantiles"]:
                assert (numbers <= each["value"]).mean() >= each["q"] - 0.01
                assert (numbers < each["value"]).mean() <= each["q"] + 0.01
            (rank,) = row["ranks"]
            assert rank["low"] <= (numbers <= 100).sum() <= rank["high"]


def test_a_table_of_groups() -> None:
    data = b"a,1\nb,2\na,3\n,nan\n"
    asked = ("--from", "csv", "--column", 2, "--by", 1, "-q", 0.5, "--rank", 1, "--last", 1)
    shown = run("quantiles", *asked, stdin=data).stdout.splitlines()
    assert shown[0] == "3 values of float64, and 1 NaNs left out, in 3 groups."
    assert [line.split() for line in shown[2:6]] == [
        ["column", "1", "last", "values", "0.5", "≤", "1.0"],
        ["(none)", "0", "–", "0"],
        ["a", "1", "3.0", "0"],
        ["b", "1", "2.0", "0"],
    ]
    found = report("quantiles", *asked, stdin=data)["groups"]
    assert [(row["n"], row["of_last"], values(row)) for row in found] == [
        (0, 0, [None]),
        (2, 1, [3.0]),
        (1, 1, [2.0]),
    ]


def test_names_of_groups_are_shown_as_they_are() -> None:
    data = b"[bold],h[i]\nis\x1b[31mred,1\n[red]x[/red],0.12345678901\n"
    asked = ("--from", "csv", "--column", "h[i]", "--by", "[bold]", "-q", 0.5)
    shown = run("quantiles", *asked, stdin=data).stdout.splitlines()
    assert [line.split() for line in shown[2:5]] == [
        ["[bold]", "values", "0.5"],
        ["[red]x[/red]", "1", "0.123457"],
        ["is\\x1b[31mred", "1", "1.0"],
    ]
    found = report("quantiles", *asked, stdin=data)["groups"]
    assert [row["group"] for row in found] == ["[red]x[/red]", "is\x1b[31mred"]


def test_a_table_of_groups_fits_a_terminal() -> None:
    hosts = [f"server-{i}.example.org" for i in range(3)]
    numbers = RANDOM.gamma(2, 50, 300).tolist()
    table = "".join(f"{hosts[i % 3]} {ms}\n" for i, ms in enumerate(numbers)).encode()
    asked = ("--column", 2, "--by", 1)
    shown = run("quantiles", *asked, stdin=table).stdout.splitlines()
    rows = [line.split() for line in shown[3:6]]
    assert [(row[0], len(row)) for row in rows] == [(host, 7) for host in hosts]
    found = report("quantiles", *asked, stdin=table)["groups"]
    assert [row["q"] for row in found[0]["quantiles"]] == [0, 0.5, 0.95, 0.99, 1]


def test_bad_words_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is read twice: its first words are integers."""
    monkeypatch.setattr(lines, "PIECE", 4)
    Path("a.txt").write_text("3\nx\n2\n0.5\n")
    result = run("quantiles", "a.txt", "--skip-bad", "-q", 0, "--json")
    assert result.stderr.count("left out") == 1
    assert json.loads(result.stdout)["left_out"] == 1


def test_numbers_are_divided_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "TOGETHER", 100)
    monkeypatch.setattr(lines, "PIECE", 64)
    table = "".join(f"{i % 7} {i}\n" for i in range(10_000)).encode()
    asked = ("--column", 2, "--by", 1, "-q", 0, "-q", 1, "--last", 3)
    found = report("quantiles", *asked, stdin=table)["groups"]
    assert [values(row) for row in found] == [
        [last - 14, last] for last in (9996, 9997, 9998, 9999, 9993, 9994, 9995)
    ]


def test_groups_are_read_again_if_the_type_was_guessed_wrongly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "PIECE", 4)
    Path("a.txt").write_text("3 a\n1 b\n2 a\n0.5 a\n")
    asked = ("--column", 1, "--by", 2, "-q", 0)
    found = report("quantiles", "a.txt", *asked)
    assert [values(row) for row in found["groups"]] == [[0.5], [1.0]]
    refused = run("quantiles", *asked, stdin=Path("a.txt").read_bytes())
    assert_refused(refused, 3, "line 4", "--dtype float64")


def test_too_many_groups() -> None:
    table = "".join(f"{i} {i}\n" for i in range(11)).encode()
    asked = ("--column", 1, "--by", 2)
    refused = run("quantiles", *asked, "--most-groups", 10, stdin=table)
    assert_refused(refused, 2, "more than 10 groups", "--most-groups")
    assert len(report("quantiles", *asked, "--most-groups", 11, stdin=table)["groups"]) == 11


STREAMS: dict[str, Keys] = {
    "normal": RANDOM.normal(size=COUNT),
    "NaNs": np.where(RANDOM.random(COUNT) < 0.5, np.nan, RANDOM.normal(size=COUNT)),
    "duplicates": np.round(RANDOM.normal(size=COUNT)).astype(">f4"),
    "extremes": RANDOM.choice([INT64.min, -1, INT64.max - 1, INT64.max], COUNT),
    "zeros": RANDOM.choice([-0.0, 0.0], COUNT),
    "infinities": RANDOM.choice([-np.inf, 1, np.inf], COUNT),
    "one value": np.array([3], np.int8),
}


@pytest.mark.parametrize("name", list(STREAMS))
@pytest.mark.parametrize("form", ["npy", "raw", "text"])
@pytest.mark.parametrize("last", [None, 1, 10_000])
def test_exact_answers_are_those_of_numpy(
    name: str, form: str, last: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quantile_jobs, "MOST", 2000)
    keys = STREAMS[name]
    numbers = keys[~np.isnan(keys)][-(last or len(keys)) :]
    write = {"npy": npy, "raw": lambda each: each.tobytes(), "text": text}[form]
    Path("stream").write_bytes(write(keys))
    said: list[Any] = [] if form != "raw" else ["--from", "raw", "--dtype", keys.dtype.str]
    said += [] if last is None else ["--last", last]
    points = [0, INT64.max, INT64.max - 1, 0.5, -np.inf]
    asked = [each for point in points for each in ("--rank", point)]
    found = report("quantiles", "stream", *said, *ASKED[:8], *asked, "--exact", "--epsilon", 0.2)
    assert (found["exact"], found["rank_error"], found["n"]) == (True, 0, (~np.isnan(keys)).sum())
    assert [float(each) if isinstance(each, str) else each for each in values(found)] == expected(
        numbers
    )
    counts = [sum(value <= point for value in numbers.tolist()) for point in points]
    assert [row["at_most_x"] for row in found["ranks"]] == counts
    assert [row["low"] for row in found["ranks"]] == counts
    assert "All answers are exact." in run("quantiles", "stream", *said, "--exact").stdout


@pytest.mark.parametrize("last", [None, 100])
def test_exact_groups(last: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantile_jobs, "MOST", 100)
    monkeypatch.setattr(quantile_jobs, "FEWEST", 100)
    table = pd.concat([ROWS, pd.DataFrame({"host": ["none"] * 2, "ms": [np.nan] * 2})])
    table.to_json("rows.jsonl", orient="records", lines=True)
    table.dropna().head(20_000).to_csv("1.csv", index=False)
    table.tail(len(table) - 20_000).to_csv("2.csv", index=False, na_rep="nan")
    said = () if last is None else ("--last", last)
    ways = (("rows.jsonl", "--skip-bad"), ("1.csv", "2.csv"))
    for way in ways:
        result = run(
            "quantiles", *way, "--column", "ms", "--by", "host", *said, *ASKED, "--exact", "--json"
        )
        assert result.stderr.count("left out") == ("--skip-bad" in way)
        assert result.stderr.count("the words are read as") == 1
        found = json.loads(result.stdout)
        hosts = [row["group"] for row in found["groups"]]
        assert hosts == ["9", "10", "db", *(["none"] if "1.csv" in way else []), "web", "é, x"]
        for row in found["groups"]:
            numbers = table["ms"][table["host"] == row["group"]].dropna()[-(last or COUNT) :]
            if len(numbers):
                assert values(row) == expected(numbers)
                assert row["ranks"][0]["at_most_x"] == (numbers <= 100).sum()


def test_exact_answers_need_files() -> None:
    Path("numbers.txt").write_text("1\n2\n")
    assert_refused(run("quantiles", "--exact", stdin=b"1\n"), 2, "--exact", "pipe")
    refused = run("quantiles", "numbers.txt", "-", "--exact", stdin=b"1\n")
    assert_refused(refused, 2, "--exact", "pipe")


@pytest.mark.parametrize("by", [(), ("--by", 1)])
def test_files_that_change_between_two_reads(
    by: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("numbers.txt").write_text("a 1\nb 2\n")
    before = exact_reads.find_exactly

    def changed(*arguments: Any) -> None:
        Path("numbers.txt").write_text("a 1\nb 2\nc 3\n")
        before(*arguments)

    monkeypatch.setattr(quantile_jobs, "find_exactly", changed)
    refused = run("quantiles", "numbers.txt", "--column", 2, *by, "--exact")
    assert_refused(refused, 1, "read again")


def test_options_that_do_not_combine() -> None:
    for said, word in (
        (["--by", "1", "--expected", "5"], "--by"),
        (["--by", "1", "--histogram"], "--by"),
        (["--by", "1", "--plot", "x.svg"], "--by"),
        (["--most-groups", "5"], "--by"),
        (["--bins", "5"], "--histogram"),
        (["--force"], "--plot"),
        (["--rank", "x"], "no number"),
        (["--by", "1"], "--column"),
        (["--by", "1", "--from", "raw", "--dtype", "int8"], "--by"),
    ):
        assert_refused(run("quantiles", *said, stdin=b"1\n"), 2, word)
