"""`shadersort frequent`: words, --top, --exact, and that nothing rare is listed."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort.cli.inputs import Inputs
from shadersort.keys.reading.words import Words
from shadersort.streams import exact_counts, word_frequencies
from shadersort.streams.word_hashes import Hashes
from tests.cli.test_cli import assert_refused, report, run
from tests.cli.test_quantiles import npy

WORDS = [f"/{i}" for i in np.random.default_rng(7).zipf(1.5, 20_000).tolist()]
TEXT = "".join(f"{word}\n" for word in WORDS).encode()


def counts(found: dict[str, Any], key: str = "frequent") -> dict[Any, int]:
    """The estimates of a report."""
    return {row["item"]: row["estimate"] for row in found[key]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with the words."""
    path = tmp_path / "words.txt"
    path.write_bytes(TEXT)
    return path


def test_frequent_words_keep_the_guarantee(file: Path) -> None:
    exact = Counter(WORDS)
    found = report("frequent", file, "--support", 0.02, "--epsilon", 0.005, "--item", "/2")
    assert found == report(
        "frequent", "--support", 0.02, "--epsilon", 0.005, "--item", "/2", stdin=TEXT
    )
    assert {word for word, count in exact.items() if count > 0.02 * 20_000} <= set(counts(found))
    for row in found["frequent"] + found["asked"]:
        assert row["lower"] <= exact[row["item"]] <= row["upper"]
        assert exact[row["item"]] >= 0.015 * 20_000
    assert (found["n"], found["dtype"], found["exact"]) == (20_000, "words", False)


@pytest.mark.parametrize("words", ["", "--words"])
@pytest.mark.parametrize("dtype", ["U", "S"])
def test_words_of_arrays(dtype: str, words: str, tmp_path: Path) -> None:
    """In `.npy` and `.npz` files, from a file, compressed, and as a field."""
    array = np.array(WORDS, dtype)
    rows = np.empty(len(array), [("ms", np.int16), ("page", array.dtype)])
    rows["page"] = array
    np.save(tmp_path / "a.npy", array)
    np.savez_compressed(tmp_path / "b.npz", page=array, other=np.arange(3))
    np.save(tmp_path / "c.npy", rows)
    exact = Counter(WORDS)
    (tmp_path / "d.npy.gz").write_bytes(gzip.compress((tmp_path / "a.npy").read_bytes()))
    for name in ("a.npy", "b.npz", "c.npy", "d.npy.gz"):
        column = [] if name[0] in "ad" else ["--column", "page"]
        said = ["--support", 0.02, "--exact", *words.split()]
        found = report("frequent", tmp_path / name, *column, *said)
        assert counts(found) == {word: c for word, c in exact.items() if c >= 0.02 * len(WORDS)}
        assert (found["n"], found["dtype"]) == (len(WORDS), "words")


def test_missing_words_and_numbers_of_arrays(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.array(["a", "", "b", "a"]))
    assert_refused(run("frequent", path), 3, "a.npy, row 2: there is no word")
    found = report("frequent", path, "--skip-bad", "--support", 0.1)
    assert (counts(found), found["left_out"]) == ({"a": 2, "b": 1}, 1)
    np.save(path, np.array(["7", "8", "7"]))
    assert counts(report("frequent", path, "--support", 0.1)) == {7: 2, 8: 1}
    assert report("quantiles", path, "-q", 1)["quantiles"][0]["value"] == 8
    np.save(path, np.array([["7"]]))
    assert_refused(run("frequent", path), 3, "one dimension")
    np.save(path, np.array(["7", None], object))
    assert_refused(run("frequent", path, "--words"), 3, "objects of Python", "'<U40'")


def test_a_pipe_of_text_in_utf_8() -> None:
    """It has no suffix; raw numbers have a type, so this is text."""
    stdin = "/é\n/ü\n/é\n".encode()
    assert counts(report("frequent", "--support", 0.1, stdin=stdin)) == {"/é": 2, "/ü": 1}
    long = "é".encode() * 1000  # a character lies across the end of what is looked at
    assert counts(report("frequent", "--support", 0.1, stdin=b"a" + long)) == {"a" + "é" * 1000: 1}
    latin = "é\n".encode("latin-1")
    assert_refused(run("frequent", stdin=latin), 3, "--dtype float32, or --from text")
    said = ("--support", 0.1, "--encoding", "latin-1")
    assert counts(report("frequent", *said, stdin=latin)) == {"é": 1}


def test_counts_without_an_error_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of numbers; words are read again, as two of them may have one hash."""
    random, path = np.random.default_rng(3), tmp_path / "a.raw"
    said = ("--exact", "--support", 0.03, "--item", 5, "--item", 99)
    reads: list[bool] = []
    reader = Inputs.reader

    def counted_reader(self: Inputs, title: str, **options: Any) -> Any:
        reads.append(options.get("again", False))
        return reader(self, title, **options)

    monkeypatch.setattr(Inputs, "reader", counted_reader)
    for last, others in ((None, 9), (30_000, 9), (None, 9_000)):
        numbers = np.append(random.integers(0, 9, 20_000), random.integers(0, others, 40_000))
        random.permutation(numbers).tofile(path)
        numbers = np.fromfile(path, np.int64)
        exact = Counter(numbers[-(last or len(numbers)) :].tolist())
        lasting = ("--last", last) if last else ()
        found = report("frequent", path, "--dtype", "int64", *said, *lasting)
        assert reads.pop() == (others > 9)
        least = 0.03 * exact.total()
        assert counts(found) == {item: count for item, count in exact.items() if count >= least}
        assert counts(found, "asked") == {5: exact[5], 99: exact[99]}
        assert (found["exact"], found["count_error"]) == (True, 0)


def test_the_last_words(file: Path) -> None:
    for last in (10, 5_000, 30_000):
        exact = Counter(WORDS[-last:])
        found = report("frequent", file, "--last", last, "--support", 0.05)
        n = min(last, 20_000)
        assert found["of_last"] == n
        assert {word for word, count in exact.items() if count > 0.05 * n} <= set(counts(found))
        again = report("frequent", file, "--last", last, "--support", 0.05, "--exact")
        assert counts(again) == {word: c for word, c in exact.items() if c >= 0.05 * n}


@pytest.mark.parametrize("prefix", ["", "w"])
def test_the_error_for_fewer_items_than_were_asked_for_is_a_share_of_those(prefix: str) -> None:
    stdin = (
        "".join(f"{prefix}{i}\n" for i in range(12_000)).encode() + f"{prefix}7\n".encode() * 300
    )
    found = report(
        "frequent", "--last", 1_000_000, "--support", 0.02, "--epsilon", 0.01, stdin=stdin
    )
    assert found["count_error"] <= 0.01 * 12_300
    assert [str(row["item"]) for row in found["frequent"]] == [f"{prefix}7"]
    assert (found["n"], found["of_last"]) == (12_300, 12_300)


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
    path.write_bytes(data[:-6] + b"2.5\nx\n")
    assert_refused(run("frequent", path), 3, "line 600002: 'x' is no number", "pass --words")
    typed = run("frequent", path, "--dtype", "int64")
    assert "--words" not in typed.stderr


def test_missing_words(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("name,n\na,1\n,2\nb,3\na,4\n")
    assert_refused(
        run("frequent", path, "--column", "name"), 3, "line 3, column name: there is no word"
    )
    found = report("frequent", path, "--column", "name", "--skip-bad")
    assert (counts(found), found["left_out"], found["n"]) == ({"a": 2, "b": 1}, 1, 3)
    for stdin in (b"", b"\n\n"):
        assert_refused(run("frequent", "--words", stdin=stdin), 3, "no number and no word")


def test_titles(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("name,n\na,1\nb,2\na,3\n")
    expected = {"a": 2, "b": 1}
    for said in (["--column", "name"], ["--column", 1], ["--column", 1, "--header"]):
        assert counts(report("frequent", path, *said)) == expected
    assert counts(report("frequent", path, "--column", 1, "--no-header")) == expected | {"name": 1}
    told = run("frequent", path, path, "--column", 1).stderr.splitlines()
    assert [line for line in told if "taken for a title" in line] == [
        f"Note: {path}, column 1: 'name' is taken for a title; pass --no-header if it is none"
    ]
    path.write_text("1\na\n")
    assert counts(report("frequent", path, "--from", "csv")) == {"1": 1, "a": 1}
    path.write_text("name\n")
    assert_refused(run("frequent", path), 3, "no number and no word")


def test_words_of_any_bytes() -> None:
    stdin = b"\xff\x00\xfe\n\xff\x00\xfe\na\x1b[31mred\n" + "ünï [bold]\n".encode()
    found = report("frequent", "--from", "text", stdin=stdin)
    assert counts(found) == {"\\xff\x00\\xfe": 2, "a\x1b[31mred": 1, "ünï [bold]": 1}
    shown = run("frequent", "--from", "text", stdin=stdin).stdout
    for line in ("\\xff\\x00\\xfe      2        2  50.00%", "a\\x1b[31mred", "ünï [bold]"):
        assert line in shown
    assert "\x1b" not in shown


def test_items_are_asked_for_by_their_words() -> None:
    found = report("frequent", "--item", "b", "--item", "c d", "--item", "1", stdin=b"b\nb\nc d\n")
    assert counts(found, "asked") == {"b": 2, "c d": 1, "1": 0}


@pytest.mark.parametrize("words", [False, True])
def test_exact_counts(words: bool, file: Path, tmp_path: Path) -> None:
    exact: Counter[Any] = Counter(WORDS)
    if not words:
        numbers = np.array([int(word[1:]) for word in WORDS]) % 500
        file = tmp_path / "numbers.npy"
        file.write_bytes(npy(np.append(numbers.astype(np.float32), np.nan)))
        exact = Counter(numbers.tolist())
    rare = exact.most_common()[-1][0]
    found = report("frequent", file, "--support", 0.003, "--exact", "--item", str(rare))
    assert counts(found) == {item: c for item, c in exact.items() if c >= 0.003 * 20_000}
    assert counts(found, "asked") == {rare: exact[rare]}
    assert (found["exact"], found["count_error"], found["collisions"]) == (True, 0, [])
    top = report("frequent", file, "--top", 5, "--exact")
    assert list(counts(top).items()) == exact.most_common(5)
    shown = " ".join(run("frequent", file, "--exact", "--top", 5).stdout.split())
    assert "no other comes more than" in shown
    assert "Counts are exact." in shown
    assert "at most" not in shown


def test_an_exact_count_of_a_text_whose_type_was_guessed_wrongly(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes(b"7\n" * 600_000 + b"2.5\n")
    found = report("frequent", path, "--exact", "--item", "2.5")
    assert counts(found) == {7.0: 600_000}
    assert counts(found, "asked") == {2.5: 1}


def test_exact_counts_need_files() -> None:
    assert_refused(run("frequent", "--exact", stdin=b"1\n"), 2, "pipe")
    assert_refused(run("frequent", "--exact", "-", stdin=b"1\n"), 2, "pipe")


def test_exact_counts_tell_words_with_one_hash_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def short(words: Words) -> Hashes:
        return words.widths.astype(np.uint64)

    for module in (word_frequencies, exact_counts):
        monkeypatch.setattr(module, "hashes_of", short)
    path = tmp_path / "some.txt"
    path.write_bytes(b"aa\n" * 6 + b"bb\n" * 5 + b"c\n" * 4 + b"dd\n")
    assert counts(report("frequent", path)) == {"aa": 12, "c": 4}
    found = report("frequent", path, "--exact")
    assert counts(found) == {"aa": 6, "bb": 5, "c": 4}
    assert found["collisions"] == ["bb", "dd"]
    assert "their hashes are equal: bb, dd." in " ".join(
        run("frequent", path, "--exact").stdout.split()
    )


def test_the_top_items(file: Path) -> None:
    exact = Counter(WORDS)
    for top in (1, 3, 50):
        found = report("frequent", file, "--top", top)
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
    shown = run("frequent", "--top", 1, stdin=b"a\na\nb\n").stdout
    assert "The most frequent word is listed; no other comes more than once." in shown


def test_the_top_items_above_a_support(file: Path) -> None:
    every = report("frequent", file, "--support", 0.01)
    found = report("frequent", file, "--support", 0.01, "--top", 3)
    assert found["frequent"] == every["frequent"][:3]
    assert found["not_listed"] == len(every["frequent"]) - 3
    shown = " ".join(run("frequent", file, "--support", 0.01, "--top", 3).stdout.split())
    assert f"{len(every['frequent'])} words have a share of about 0.01 or more; the 3 most" in shown
    whole = report("frequent", file, "--support", 0.01, "--top", 1000)
    assert (whole["frequent"], whole["not_listed"]) == (every["frequent"], 0)


@pytest.mark.parametrize("prefix", ["", "w"])
@pytest.mark.parametrize("support", [0.1, 0.01, 0.001])
@pytest.mark.parametrize("epsilon", [None, 1, 0.5, 0.1])
def test_of_items_that_all_differ_none_is_listed(
    prefix: str, support: float, epsilon: float | None
) -> None:
    """Even if the error allowed is as large as the support, a rare item is not taken for more."""
    said = [] if epsilon is None else ["--epsilon", epsilon * support]
    stdin = "".join(f"{prefix}{i}\n" for i in range(40_960)).encode()
    found = report("frequent", "--support", support, *said, stdin=stdin)
    assert found["frequent"] == []
    often = stdin + f"{prefix}7\n".encode() * round(40_960 * support * 1.1)
    found = report("frequent", "--support", support, *said, stdin=often)
    assert [str(row["item"]) for row in found["frequent"]] == [f"{prefix}7"]
