"""`shadersort frequent` and `heavy`: what they tell, of files and pipes, and what they refuse."""

from pathlib import Path

import numpy as np
import pytest

from shadersort.streams import ipv4_numbers
from tests.cli.test_cli import assert_refused, report, run
from tests.cli.test_quantiles import npy, text

STREAM = np.minimum(np.random.default_rng(5).zipf(1.3, 20_000), 1 << 30)
ADDRESSES = "".join(f"10.{i // 256 % 4}.0.{i % 256}\n" for i in STREAM.tolist()).encode()


@pytest.mark.parametrize("form", ["npy", "raw", "text"])
def test_frequent_numbers_from_files_and_pipes(form: str, tmp_path: Path) -> None:
    for dtype in ("float64", ">f4", "int64", "uint32"):
        keys = STREAM.astype(dtype)
        data = {"npy": npy, "raw": lambda each: each.tobytes(), "text": text}[form](keys)
        options = ["frequent", "--epsilon", 0.005, "--support", 0.02]
        options += [] if form == "npy" else ["--dtype", dtype]
        options += ["--from", "raw"] if form == "raw" else []
        path = tmp_path / "stream"
        path.write_bytes(data)
        found = report(*options, path)
        assert found == report(*options, stdin=data)
        assert (found["n"], found["dtype"]) == (keys.size, np.dtype(dtype).name)
        items, counts = np.unique(keys, return_counts=True)
        exact = dict(zip(items.tolist(), counts.tolist(), strict=True))
        rows = {row["item"]: row for row in found["frequent"]}
        assert {item for item, count in exact.items() if count > 0.02 * keys.size} <= set(rows)
        for item, row in rows.items():
            assert row["estimate"] == row["lower"] <= exact[item] <= row["upper"]
            assert exact[item] >= 0.015 * keys.size
        assert found["count_error"] <= 0.005 * keys.size


def test_items_that_are_asked_for() -> None:
    rows = report("frequent", "--item", 2, "--item", "inf", stdin=b"1\n2\n2\nnan\ninf\n")
    assert [(row["item"], row["estimate"]) for row in rows["asked"]] == [(2.0, 2), ("inf", 1)]
    assert (rows["n"], rows["nans"], rows["of_last"], rows["support"]) == (4, 1, None, 0.1)
    large = 2**63 - 1
    rows = report("frequent", "--dtype", "int64", "--item", large, stdin=f"{large}\n5\n".encode())
    assert rows["asked"] == [{"item": large, "estimate": 1, "lower": 1, "upper": 1}]
    rows = report("frequent", "--dtype", "float32", "--item", "0.1", stdin=b"0.1\n")
    assert rows["asked"][0]["estimate"] == 1


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


def test_the_last_values_only() -> None:
    rows = report("frequent", "--last", 10, "--dtype", "int32", stdin=text(np.arange(1000) // 5))
    assert [row["item"] for row in rows["frequent"]] == [198, 199]
    assert (rows["n"], rows["of_last"]) == (1000, 10)


def test_a_table_of_frequent_numbers() -> None:
    shown = run("frequent", "--item", "9", "--dtype", "int8", stdin=b"1\n2\n2\n2\n").stdout
    assert shown.startswith("4 values of int8.\n")
    lines = [line.split() for line in shown.splitlines()]
    assert ["2", "3", "3", "75.00%"] in lines
    assert ["1", "1", "1", "25.00%"] in lines
    assert ["9", "0", "0", "0.00%"] in lines
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
    assert rows["10.0.0.0/24"]["lower"] <= np.count_nonzero(STREAM // 256 % 4 == 0)


def test_heavy_prefixes_of_numbers() -> None:
    digits = b"123\n" * 6 + b"120\n121\n122\n124\n"
    found = report("heavy", "--hierarchy", "decimal", "--digits", 3, "--support", 0.3, stdin=digits)
    assert [(r["prefix"], r["unexplained"]) for r in found["heavy"]] == [("123", 6), ("12*", 4)]
    options = ["heavy", "--hierarchy", "bits", "--digits", 4, "--step", 2, "--support", 0.6]
    bits = report(*options, stdin=b"12\n13\n14\n15\n3\n")
    assert [(r["prefix"], r["estimate"]) for r in bits["heavy"]] == [("11**", 4)]
    lines = run("heavy", "--support", "0.5", stdin=b"10.0.0.1\n" * 3).stdout.splitlines()
    assert lines[0] == "3 items."
    assert lines[3].split() == ["10.0.0.1/32", "3", "3", "3", "3"]


def test_what_is_refused() -> None:
    refused: list[tuple[list[str], bytes, int, str]] = [
        (["frequent"], b"", 3, "no number"),
        (["frequent", "--dtype", "int64"], b"1\ntwo\n", 3, "line 2"),
        (["frequent", "--words", "--dtype", "int64"], b"1\n", 2, "--words"),
        (["frequent", "--words"], npy(np.arange(3)), 3, "no words"),
        (["frequent", "--top", "0"], b"1\n", 2, "--top"),
        (["frequent", "--exact"], b"1\n", 2, "--exact"),
        (["frequent", "--epsilon", "2"], b"1\n", 2, "epsilon"),
        (["frequent", "--support", "0.001", "--epsilon", "0.01"], b"1\n", 2, "support"),
        (["frequent", "--support", "0"], b"1\n", 2, "--support"),
        (["heavy", "--support", "nan"], b"1\n", 2, "--support"),
        (["heavy", "--support", "1.5"], b"1\n", 2, "--support"),
        (["frequent", "--item", "0.5", "--dtype", "int8"], b"1\n", 2, "int8"),
        (["frequent", "--item", "nan"], b"1.5\n", 2, "NaN"),
        (["frequent", "--last", "0"], b"1\n", 2, "last"),
        (["heavy"], b"", 3, "nothing in it"),
        (["heavy"], b"10.0.0.1\n\n10.0.0.256\n", 3, "line 3"),
        (["heavy", "--hierarchy", "decimal", "--digits", "2"], b"100\n", 3, "2 digits"),
        (["heavy", "--hierarchy", "decimal", "--digits", "20"], b"1\n", 2, "digits"),
        (["heavy", "--hierarchy", "words"], b"1\n", 2, "words"),
        (["heavy", "--step", "33"], b"10.0.0.1\n", 2, "step"),
        (["heavy", "--offset", "3"], b"10.0.0.1\n", 2, "--offset"),
        (["heavy"], npy(np.array([-1])), 3, "uint32"),
        (["heavy"], npy(np.array([0.5])), 3, "uint32"),
        (["heavy", "missing.npy"], b"", 3, "missing.npy"),
    ]
    for arguments, stdin, code, word in refused:
        assert_refused(run(*arguments, stdin=stdin), code, word)
