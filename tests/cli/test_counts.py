"""`shadersort frequent` and `heavy`: what they report of numbers, words and addresses."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.streams import ipv4_numbers
from tests.cli.test_cli import assert_refused, report, run
from tests.cli.test_quantiles import npy, text

STREAM = np.minimum(np.random.default_rng(5).zipf(1.3, 20_000), 1 << 30)
ADDRESSES = "".join(f"10.{i // 256 % 4}.0.{i % 256}\n" for i in STREAM.tolist()).encode()
WORDS = [f"/{i}" for i in np.random.default_rng(7).zipf(1.5, 20_000).tolist()]
TEXT = "".join(f"{word}\n" for word in WORDS).encode()


def counts(found: dict[str, Any], key: str = "frequent") -> dict[Any, int]:
    """The estimates of a report."""
    return {row["item"]: row["estimate"] for row in found[key]}


def assert_guaranteed(found: dict[str, Any], exact: Counter[Any]) -> None:
    """A report with a support of 0.02 and an epsilon of 0.005 keeps the guarantee."""
    n = exact.total()
    assert {item for item, count in exact.items() if count > 0.02 * n} <= set(counts(found))
    for row in found["frequent"]:
        assert row["lower"] == row["estimate"] <= exact[row["item"]] <= row["upper"]
        assert exact[row["item"]] >= 0.015 * n
    assert found["count_error"] <= 0.005 * n
    assert found["n"] == n


@pytest.mark.parametrize("form", ["npy", "raw", "text", "words"])
def test_frequent_items_from_files_and_pipes(form: str, tmp_path: Path) -> None:
    keys = STREAM.astype(">f4")
    data = {"npy": npy(keys), "raw": keys.tobytes(), "text": text(keys), "words": TEXT}[form]
    options = ["frequent", "--epsilon", 0.005, "--support", 0.02, "--item", "/2"]
    if form != "words":
        options = [*options[:5], *([] if form == "npy" else ["--dtype", ">f4"])]
    options += ["--from", "raw"] if form == "raw" else []
    path = tmp_path / "stream"
    path.write_bytes(data)
    found = report(*options, path)
    assert found == report(*options, stdin=data)
    exact: Counter[Any] = Counter(WORDS if form == "words" else keys.tolist())
    assert_guaranteed(found, exact)
    assert found["dtype"] == ("words" if form == "words" else "float32")
    if form == "words":
        assert counts(found, "asked") == {"/2": exact["/2"]}


def test_words_of_arrays(tmp_path: Path) -> None:
    rows = np.empty(len(WORDS), [("ms", np.int16), ("page", "U12")])
    rows["page"] = WORDS
    np.save(tmp_path / "a.npy", np.array(WORDS, "S"))
    np.save(tmp_path / "b.npy", rows)
    said = ("--support", 0.02, "--epsilon", 0.005)
    for name, column in (("a.npy", []), ("b.npy", ["--column", "page"])):
        assert_guaranteed(report("frequent", tmp_path / name, *column, *said), Counter(WORDS))
    path = tmp_path / "c.npy"
    np.save(path, np.array(["a", "", "b", "a"]))
    assert_refused(run("frequent", path), 3, "c.npy, row 2: there is no word")
    found = report("frequent", path, "--skip-bad", "--support", 0.1)
    assert (counts(found), found["left_out"]) == ({"a": 2, "b": 1}, 1)
    np.save(path, np.array(["7", None], object))
    assert_refused(run("frequent", path, "--words"), 3, "objects of Python", "'<U40'")


def test_a_pipe_of_text_in_utf_8() -> None:
    """It has no suffix; raw numbers have a type, so this is text."""
    stdin = "/é\n/ü\n/é\n".encode()
    assert counts(report("frequent", "--support", 0.1, stdin=stdin)) == {"/é": 2, "/ü": 1}
    latin = "é\n".encode("latin-1")
    assert_refused(run("frequent", stdin=latin), 3, "--dtype float32, or --from text")
    said = ("--support", 0.1, "--encoding", "latin-1")
    assert counts(report("frequent", *said, stdin=latin)) == {"é": 1}


def test_what_is_counted_is_guessed_and_said() -> None:
    for said, stdin, dtype in (
        ([], b"1\n2\n", "int64"),
        ([], b"1\n2.5\n", "float64"),
        ([], b"1\ntwo\n", "words"),
        ([], b"12345678901234567890123\n", "words"),
        (["--words"], b"1\n2\n", "words"),
        (["--skip-bad"], b"1\ntwo\n", "int64"),
        (["--skip-bad"], b"one\ntwo\n", "words"),
        (["--dtype", "int8", "--skip-bad"], b"one\n2\n", "int8"),
    ):
        result = run("frequent", *said, "--json", stdin=stdin)
        assert json.loads(result.stdout)["dtype"] == dtype
    told = run("frequent", stdin=b"1\ntwo\n").stderr
    assert told == "Note: standard input: words are counted, as 'two' is no number\n"


def test_a_word_after_numbers_is_refused_and_the_option_is_named(tmp_path: Path) -> None:
    data = b"7\n" * 600_000 + b"seven\n"
    refused = "line 600001: 'seven' is no number of type int64; pass --words to count words"
    assert_refused(run("frequent", stdin=data), 3, refused)
    assert counts(report("frequent", "--words", stdin=data)) == {"7": 600_000}
    path = tmp_path / "some.txt"
    path.write_bytes(data[:-6] + b"2.5\n")
    assert report("frequent", path)["dtype"] == "float64"


def test_missing_words_and_titles(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("name,n\na,1\n,2\nb,3\na,4\n")
    said = ["frequent", path, "--column"]
    assert_refused(run(*said, "name"), 3, "line 3, column name: there is no word")
    for column in ("name", 1):
        found = report(*said, column, "--skip-bad")
        assert (counts(found), found["left_out"], found["n"]) == ({"a": 2, "b": 1}, 1, 3)
    untitled = report(*said, 1, "--skip-bad", "--no-header")
    assert counts(untitled) == {"a": 2, "b": 1, "name": 1}
    assert "'name' is taken for a title" in run(*said, 1, "--skip-bad").stderr
    for stdin in (b"", b"\n\n"):
        assert_refused(run("frequent", "--words", stdin=stdin), 3, "no number and no word")


def test_words_of_any_bytes() -> None:
    stdin = b"\xff\x00\xfe\n\xff\x00\xfe\na\x1b[31mred\n" + "ünï [bold]\n".encode()
    found = report("frequent", "--from", "text", stdin=stdin)
    assert counts(found) == {"\\xff\x00\\xfe": 2, "a\x1b[31mred": 1, "ünï [bold]": 1}
    shown = run("frequent", "--from", "text", stdin=stdin).stdout
    for line in ("\\xff\\x00\\xfe      2        2  50.00%", "a\\x1b[31mred", "ünï [bold]"):
        assert line in shown
    assert "\x1b" not in shown


def test_items_that_are_asked_for() -> None:
    rows = report("frequent", "--item", 2, "--item", "inf", stdin=b"1\n2\n2\nnan\ninf\n")
    assert [(row["item"], row["estimate"]) for row in rows["asked"]] == [(2.0, 2), ("inf", 1)]
    assert (rows["n"], rows["nans"], rows["of_last"], rows["support"]) == (4, 1, None, 0.1)
    large = 2**63 - 1
    rows = report("frequent", "--dtype", "int64", "--item", large, stdin=f"{large}\n5\n".encode())
    assert rows["asked"] == [{"item": large, "estimate": 1, "lower": 1, "upper": 1}]
    rows = report("frequent", "--dtype", "float32", "--item", "0.1", stdin=b"0.1\n")
    assert rows["asked"][0]["estimate"] == 1
    found = report("frequent", "--item", "b", "--item", "c d", "--item", "1", stdin=b"b\nb\nc d\n")
    assert counts(found, "asked") == {"b": 2, "c d": 1, "1": 0}


def test_the_last_values_only() -> None:
    rows = report("frequent", "--last", 10, "--dtype", "int32", stdin=text(np.arange(1000) // 5))
    assert [row["item"] for row in rows["frequent"]] == [198, 199]
    assert (rows["n"], rows["of_last"]) == (1000, 10)
    few = text(np.append(np.arange(12_000), np.full(300, 7)))
    said = ("--last", 1_000_000, "--support", 0.02, "--epsilon", 0.01)
    found = report("frequent", *said, stdin=few)  # the error is a share of those that there are
    assert found["count_error"] <= 0.01 * 12_300
    assert (list(counts(found)), found["of_last"]) == ([7], 12_300)
    assert_refused(run("frequent", "--last", 5, stdin=b"1\ntwo\n"), 3, "'two' is no number")


def test_the_top_items() -> None:
    exact = Counter(WORDS)
    for top in (1, 3, 50):
        found = report("frequent", "--top", top, stdin=TEXT)
        assert len(found["frequent"]) == top
        assert found["epsilon"] == 1 / (100 * top)
        assert (found["support"], found["not_listed"]) == (None, None)
        listed = counts(found)
        others = max(count for word, count in exact.items() if word not in listed)
        assert others <= found["others_at_most"]
    few = report("frequent", "--top", 9, stdin=b"a\na\nb\n")
    assert (counts(few), few["others_at_most"]) == ({"a": 2, "b": 1}, 0)
    shown = run("frequent", "--top", 9, stdin=b"a\na\nb\n").stdout
    assert "The 2 most frequent words are listed; there is no other." in shown
    every = report("frequent", "--support", 0.01, stdin=TEXT)
    found = report("frequent", "--support", 0.01, "--top", 3, stdin=TEXT)
    assert found["frequent"] == every["frequent"][:3]
    assert found["not_listed"] == len(every["frequent"]) - 3


@pytest.mark.parametrize("prefix", ["", "w"])
@pytest.mark.parametrize("epsilon", [None, 1, 0.1])
def test_of_items_that_all_differ_none_is_listed(prefix: str, epsilon: float | None) -> None:
    """Even if the error allowed is as large as the support, a rare item is not taken for more."""
    said = ["--support", 0.01, *([] if epsilon is None else ["--epsilon", epsilon * 0.01])]
    stdin = "".join(f"{prefix}{i}\n" for i in range(20_480)).encode()
    assert report("frequent", *said, stdin=stdin)["frequent"] == []
    often = report("frequent", *said, stdin=stdin + f"{prefix}7\n".encode() * 225)
    assert [str(row["item"]) for row in often["frequent"]] == [f"{prefix}7"]


def test_support_chooses_epsilon_and_epsilon_support() -> None:
    for command, stdin in (("frequent", b"1\n"), ("heavy", b"10.0.0.1\n")):
        for said, epsilon, support in (
            ([], 0.01, 0.1),
            (["--support", 0.02], 0.002, 0.02),
            (["--epsilon", 0.03], 0.03, 0.3),
            (["--epsilon", 0.3], 0.3, 1.0),
            (["--epsilon", 0.01, "--support", 0.02], 0.01, 0.02),
        ):
            found = report(command, *said, stdin=stdin)
            assert (found["epsilon"], found["support"]) == (epsilon, support)
    found = report("heavy", "--top", 20, stdin=ADDRESSES)
    assert (found["support"], found["epsilon"]) == (0.005, 0.0005)


def test_a_table_of_frequent_numbers() -> None:
    shown = run("frequent", "--item", "9", "--dtype", "int8", stdin=b"1\n2\n2\n2\n").stdout
    assert shown.startswith("4 values of int8.\n")
    lines = [line.split() for line in shown.splitlines()]
    for row in (["2", "3", "3", "75.00%"], ["1", "1", "1", "25.00%"], ["9", "0", "0", "0.00%"]):
        assert row in lines
    assert "1 NaNs left out" in run("frequent", stdin=b"1\nnan\n").stdout
    assert "the last 2 of 3 values" in run("frequent", "--last", 2, stdin=b"1\n2\n3\n").stdout


def test_heavy_addresses_from_text_and_numbers() -> None:
    found = report("heavy", stdin=ADDRESSES)
    numbers = ipv4_numbers(ADDRESSES.decode().split())
    assert found == report("heavy", stdin=npy(numbers))
    assert found == report("heavy", "--dtype", "uint32", stdin=text(numbers))
    assert found == report("heavy", "--dtype", "<u4", "--from", "raw", stdin=numbers.tobytes())
    assert found["n"] == STREAM.size
    rows = {row["prefix"]: row for row in found["heavy"]}
    exact = int(np.count_nonzero(STREAM % 1024 == 1))
    assert 0 <= exact - rows["10.0.0.1/32"]["estimate"] <= 0.01 * STREAM.size
    of_both = report("heavy", "--hierarchy", "ip", "--epsilon", 0.005, stdin=ADDRESSES)
    assert rows.keys() <= {row["prefix"] for row in of_both["heavy"]}


def test_heavy_prefixes_of_numbers_and_of_ipv6(tmp_path: Path) -> None:
    options = ["heavy", "--hierarchy", "bits", "--digits", 4, "--step", 2, "--support", 0.6]
    bits = report(*options, stdin=b"12\n13\n14\n15\n3\n")
    assert [(r["prefix"], r["estimate"]) for r in bits["heavy"]] == [("11**", 4)]
    lines = run("heavy", "--support", "0.5", stdin=b"10.0.0.1\n" * 3).stdout.splitlines()
    assert lines[0] == "3 items."
    assert lines[3].split() == ["10.0.0.1/32", "3", "3", "3", "3"]
    path = tmp_path / "some.txt"
    path.write_bytes(b"2001:db8:1::7\n2001:DB8:2::7\n")
    said = ["heavy", path, "--hierarchy", "ip", "--support", 1]
    assert report(*said)["heavy"][0]["prefix"] == "2001:db8::/32"
    found = report(*said, "--step", 4)["heavy"][0]
    assert (found["prefix"], found["length"]) == ("2001:db8::/44", 44)


def test_addresses_that_are_none() -> None:
    stdin = b"10.0.0.1\n::1\nfe80::1%eth0\n10.0.0.1\n"
    said: Any = ["heavy", "--hierarchy", "ip"]
    assert_refused(run(*said, stdin=stdin), 3, "line 3: 'fe80::1%eth0' is no IPv4 or IPv6 address")
    found = report(*said, "--skip-bad", stdin=stdin)
    assert (found["n"], found["left_out"]) == (3, 1)
    advice = "line 2: '::1' is no IPv4 address; for IPv6 pass --hierarchy ip"
    assert_refused(run("heavy", stdin=stdin), 3, advice)


def test_what_is_refused() -> None:
    refused: list[tuple[list[str], bytes, int, str]] = [
        (["frequent"], b"", 3, "no number"),
        (["frequent", "--dtype", "int64"], b"1\ntwo\n", 3, "line 2"),
        (["frequent", "--words", "--dtype", "int64"], b"1\n", 2, "--words"),
        (["frequent", "--words"], npy(np.arange(3)), 3, "no words"),
        (["frequent", "--epsilon", "2"], b"1\n", 2, "epsilon"),
        (["frequent", "--support", "0.001", "--epsilon", "0.01"], b"1\n", 2, "support"),
        (["frequent", "--item", "0.5", "--dtype", "int8"], b"1\n", 2, "int8"),
        (["frequent", "--item", "nan"], b"1.5\n", 2, "NaN"),
        (["frequent", "--column", "9" * 23], b"1 2\n", 2, "columns have no names"),
        (["frequent", "--encoding", "rot13"], b"1\n", 2, "'rot13' is no encoding of text"),
        (["frequent", "--encoding", "zlib"], b"1\n", 2, "'zlib' is no encoding of text"),
        (["frequent", "--from", "raw", "--dtype", "i8", "--offset", "9" * 23], b"1\n", 3, "cut"),
        (["heavy", "--support", "nan"], b"1\n", 2, "--support"),
        (["heavy"], b"", 3, "nothing in it"),
        (["heavy"], b"10.0.0.1\n\n10.0.0.256\n", 3, "line 3"),
        (["heavy", "--hierarchy", "bits", "--digits", "65"], b"1\n", 2, "digits"),
        (["heavy", "--hierarchy", "path"], b"1\n", 2, "path"),
        (["heavy", "--step", "33"], b"10.0.0.1\n", 2, "step"),
        (["heavy"], npy(np.array([-1])), 3, "uint32"),
        (["heavy", "missing.npy"], b"", 3, "missing.npy"),
    ]
    for arguments, stdin, code, word in refused:
        assert_refused(run(*arguments, stdin=stdin), code, word)
