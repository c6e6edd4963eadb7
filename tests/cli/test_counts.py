"""`shadersort frequent` and `heavy`: what they report of numbers, words and addresses."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.streams import ipv4_numbers
from tests.cli.test_cli import assert_refused, npy, report, run, text

STREAM = np.minimum(np.random.default_rng(5).zipf(1.3, 20_000), 1 << 30)
ADDRESSES = "".join(f"10.{i // 256 % 4}.0.{i % 256}\n" for i in STREAM.tolist()).encode()
WORDS = [f"/{i}" for i in np.random.default_rng(7).zipf(1.5, 20_000).tolist()]
TEXT = "".join(f"{word}\n" for word in WORDS).encode()


def counts(found: dict[str, Any]) -> dict[Any, int]:
    """The estimates of a report."""
    return {row["item"]: row["estimate"] for row in found["frequent"]}


@pytest.mark.parametrize("form", ["raw", "words"])
def test_reports_keep_the_guarantee(form: str) -> None:
    keys = STREAM.astype(">f4")
    exact = Counter[Any](WORDS if form == "words" else keys.tolist())
    options = ["--from", "raw", "--dtype", ">f4"] if form == "raw" else []
    stdin = keys.tobytes() if form == "raw" else TEXT
    found, n = report("frequent", "--support", 0.02, *options, stdin=stdin), exact.total()
    assert {item for item, count in exact.items() if count > 0.02 * n} <= set(counts(found))
    for row in found["frequent"]:
        assert row["lower"] == row["estimate"] <= exact[row["item"]] <= row["upper"]
        assert exact[row["item"]] >= 0.018 * n
    assert found["count_error"] <= 0.002 * n
    assert (found["n"], found["epsilon"], found["support"]) == (n, 0.002, 0.02)
    assert found["dtype"] == ("words" if form == "words" else "float32")


def test_a_pipe_of_text_in_any_encoding() -> None:
    """It has no suffix; raw numbers have a type, so this is text."""
    assert counts(report("frequent", stdin="/é\n/ü\n/é\n".encode())) == {"/é": 2, "/ü": 1}
    refused = run("frequent", "--words", stdin=npy(np.array(["7", None], object)))
    assert_refused(refused, 3, "objects of Python", "'<U40'")
    latin = "é\n".encode("latin-1")
    assert_refused(run("frequent", stdin=latin), 3, "--dtype float32, or --from text")
    assert counts(report("frequent", "--encoding", "latin-1", stdin=latin)) == {"é": 1}


def test_what_is_counted_is_guessed_and_said() -> None:
    for said, stdin, dtype in (
        ("", b"1\n2\n", "int64"),
        ("", b"1\n2.5\n", "float64"),
        ("", b"1\ntwo\n", "words"),
        ("", b"12345678901234567890123\n", "words"),
        ("--words", b"1\n2\n", "words"),
        ("--skip-bad", b"1\ntwo\n", "int64"),
        ("--skip-bad", b"one\ntwo\n", "words"),
        ("--dtype int8 --skip-bad", b"one\n2\n", "int8"),
    ):
        result = run("frequent", *said.split(), "--json", stdin=stdin)
        assert json.loads(result.stdout)["dtype"] == dtype
    told = run("frequent", stdin=b"1\ntwo\n").stderr
    assert told == "Note: standard input: words are counted, as 'two' is no number\n"


def test_a_word_after_numbers_is_refused_and_the_option_is_named() -> None:
    data = b"7\n" * 600_000 + b"seven\n"
    refused = "line 600001: 'seven' is no number of type int64; pass --words to count words"
    assert_refused(run("frequent", stdin=data), 3, refused)
    assert counts(report("frequent", "--words", stdin=data)) == {"7": 600_000}
    Path("some.txt").write_bytes(data[:-6] + b"2.5\n")
    assert report("frequent", "some.txt")["dtype"] == "float64"


def test_words_of_any_bytes() -> None:
    stdin = b"\xff\x00\xfe\n\xff\x00\xfe\na\x1b[31mred\n" + "ünï [bold]\n".encode()
    found = report("frequent", "--from", "text", stdin=stdin)
    assert counts(found) == {"\\xff\x00\\xfe": 2, "a\x1b[31mred": 1, "ünï [bold]": 1}
    shown = run("frequent", "--from", "text", stdin=stdin).stdout
    for line in ("\\xff\\x00\\xfe      2        2  50.00%", "a\\x1b[31mred", "ünï [bold]"):
        assert line in shown
    assert "\x1b" not in shown


def test_the_top_items() -> None:
    exact = Counter(WORDS)
    for top in (1, 3, 50):
        found = report("frequent", "--top", top, stdin=TEXT)
        assert len(found["frequent"]) == top
        assert found["epsilon"] == 0.01 / top
        assert (found["support"], found["not_listed"]) == (None, None)
        listed = counts(found)
        others = max(count for word, count in exact.items() if word not in listed)
        assert others <= found["others_at_most"]
    few = report("frequent", "--top", 9, stdin=b"a\na\nb\n")
    assert (counts(few), few["others_at_most"]) == ({"a": 2, "b": 1}, 0)
    every = report("frequent", "--support", 0.01, stdin=TEXT)
    found = report("frequent", "--support", 0.01, "--top", 3, stdin=TEXT)
    assert found["frequent"] == every["frequent"][:3]
    assert found["not_listed"] == len(every["frequent"]) - 3


def test_a_table_of_frequent_numbers() -> None:
    shown = run("frequent", "--dtype", "float32", stdin=b"1\n2\n2\n2\nnan\n").stdout
    assert shown.startswith("4 values of float32, and 1 NaNs left out.\n")
    assert ["2.0", "3", "3", "75.00%"] in [line.split() for line in shown.splitlines()]
    assert "All numbers with a share above 0.1 are listed." in shown
    assert report("frequent", stdin=b"inf\n")["frequent"][0]["item"] == "inf"


def test_heavy_addresses_from_text_and_numbers() -> None:
    found = report("heavy", stdin=ADDRESSES)
    numbers = ipv4_numbers(ADDRESSES.decode().split())
    assert found == report("heavy", stdin=npy(numbers))
    assert found == report("heavy", "--dtype", "uint32", stdin=text(numbers))
    assert found == report("heavy", "--dtype", "<u4", "--from", "raw", stdin=numbers.tobytes())
    assert (found["n"], found["support"], found["epsilon"]) == (STREAM.size, 0.1, 0.01)
    rows = {row["prefix"]: row for row in found["heavy"]}
    exact = int(np.count_nonzero(STREAM % 1024 == 1))
    assert 0 <= exact - rows["10.0.0.1/32"]["estimate"] <= 0.01 * STREAM.size
    of_both = report("heavy", "--hierarchy", "ip", stdin=ADDRESSES)
    assert rows.keys() <= {row["prefix"] for row in of_both["heavy"]}
    found = report("heavy", "--top", 20, stdin=ADDRESSES)
    assert (found["support"], found["epsilon"], len(found["heavy"])) == (0.005, 0.0005, 20)
    lines = run("heavy", "--support", "0.5", stdin=b"10.0.0.1\n" * 3).stdout.splitlines()
    assert lines[0] == "3 items."
    assert ["10.0.0.1/32", "3", "3", "3", "3"] in [line.split() for line in lines]


def test_heavy_prefixes_of_numbers_and_of_ipv6() -> None:
    bits = report("heavy", "--hierarchy", "bits", "--support", 0.6, stdin=b"12\n13\n300\n")
    assert [(r["length"], r["estimate"]) for r in bits["heavy"]] == [(56, 2)]
    stdin = b"2001:db8:1::7\n2001:DB8:2::7\n"
    found = report("heavy", "--hierarchy", "ip", "--support", 1, stdin=stdin)
    assert found["heavy"][0]["prefix"] == "2001:db8::/32"
    stdin = b"10.0.0.1\n::1\nfe80::1%eth0\n10.0.0.1\n"
    said = "heavy", "--hierarchy", "ip"
    assert_refused(run(*said, stdin=stdin), 3, "line 3: 'fe80::1%eth0' is no IPv4 or IPv6 address")
    found = report(*said, "--skip-bad", stdin=stdin)
    assert (found["n"], found["left_out"]) == (3, 1)
    advice = "line 2: '::1' is no IPv4 address; for IPv6 pass --hierarchy ip"
    assert_refused(run("heavy", stdin=stdin), 3, advice)


def test_what_is_refused() -> None:
    for arguments, stdin, code, word in (
        ("frequent", b"", 3, "no number"),
        ("frequent --words", b"\n\n", 3, "no word"),
        ("frequent --dtype int64", b"1\ntwo\n", 3, "line 2"),
        ("frequent --words --dtype int64", b"1\n", 2, "--words"),
        ("frequent --words", npy(np.arange(3)), 3, "no words"),
        ("frequent --support 2", b"1\n", 2, "--support"),
        ("frequent --top 0", b"1\n", 2, "--top"),
        ("heavy --support nan", b"1\n", 2, "epsilon"),
        ("heavy", b"", 3, "no number in it"),
        ("heavy", b"10.0.0.1\n\n10.0.0.256\n", 3, "line 3"),
        ("heavy --hierarchy path", b"1\n", 2, "path"),
        ("heavy", npy(np.array([-1])), 3, "uint32"),
        ("heavy missing.npy", b"", 3, "missing.npy"),
    ):
        assert_refused(run(*arguments.split(), stdin=stdin), code, word)
