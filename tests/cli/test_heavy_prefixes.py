"""`shadersort heavy` of addresses of both versions, endpoints, ports and paths; --top, --exact."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.cli.test_cli import assert_refused, report, run
from tests.cli.test_quantiles import npy
from tests.streams.prefix_chains import CHAINS, Chain, items

PATH = ("--hierarchy", "path")
COUNT = 9_000
RANDOM = np.random.default_rng(16)
TABLE = pd.DataFrame(
    {name: items(name, RANDOM, COUNT) for name in ("ip", "endpoint", "path")}
).assign(port=RANDOM.choice([22, 80, 443, 443, 8080, 60_000, 49_152], COUNT))


def port_chain(text: str) -> list[str]:
    port = int(text)
    name = "0-1023 (system)" if port < 1024 else "1024-49151 (user)"
    return [text, name if port < 49_152 else "49152-65535 (dynamic)", "all"]


def chain_of(name: str) -> Chain:
    return port_chain if name == "port" else CHAINS[name][1]


def exactly(name: str, listed: list[str]) -> tuple[Counter[str], Counter[str]]:
    """How often each prefix comes, and how often without the longer ones that are listed."""
    counts, rest = Counter[str](), Counter[str]()
    for item, count in Counter(TABLE[name].astype(str)).items():
        chain = [each or "all" for each in chain_of(name)(item)]
        counts.update(dict.fromkeys(chain, count))
        rest[next((each for each in chain if each in listed), "")] += count
    return counts, rest


def assert_right(name: str, found: dict[str, Any]) -> None:
    counts, rest = exactly(name, [row["prefix"] for row in found["heavy"]])
    assert found["n"] == COUNT
    assert found["heavy"]
    for row in found["heavy"]:
        assert row["lower"] <= counts[row["prefix"]] <= row["upper"]
        assert row["unexplained_lower"] <= rest[row["prefix"]] <= row["unexplained_upper"]


@pytest.mark.parametrize("name", list(TABLE))
@pytest.mark.parametrize("form", ["text", "csv", "tsv", "jsonl", "parquet", "arrow"])
def test_every_format(name: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"table.{form}"
    write: dict[str, Callable[[], Any]] = {
        "text": lambda: path.write_text("".join(f"{each}\n" for each in TABLE[name])),
        "csv": lambda: TABLE.to_csv(path, index=False),
        "tsv": lambda: TABLE.to_csv(path, index=False, sep="\t"),
        "jsonl": lambda: TABLE.to_json(path, orient="records", lines=True),
        "parquet": lambda: TABLE.to_parquet(path),
        "arrow": lambda: TABLE.to_feather(path),
    }
    write[form]()
    said: list[Any] = ["--hierarchy", name, "--support", 0.05]
    said += ["--from", "text"] if form == "text" else ["--column", name]
    found = report("heavy", path, *said)
    assert_right(name, found)
    if form in ("text", "csv", "tsv", "jsonl"):
        packed = gzip.compress(path.read_bytes())
        said += [] if form == "text" else ["--from", form]
        assert found == report("heavy", *said, stdin=packed)


@pytest.mark.parametrize("name", list(TABLE))
def test_exact_counts(name: str, tmp_path: Path) -> None:
    paths = [tmp_path / "one.txt", tmp_path / "two.txt.gz"]
    lines = [f"{each}\n".encode() for each in TABLE[name]]
    paths[0].write_bytes(b"".join(lines[:4_000]))
    paths[1].write_bytes(gzip.compress(b"".join(lines[4_000:])))
    said: list[Any] = ["--hierarchy", name, "--support", 0.05, "--epsilon", 0.02]
    found = report("heavy", *paths, *said, "--exact")
    assert_right(name, found)
    assert found["exact"]
    assert all(row["lower"] == row["upper"] == row["estimate"] for row in found["heavy"])
    order = [(-row["length"], -row["estimate"]) for row in found["heavy"]]
    assert order == sorted(order)
    about = report("heavy", *paths, *said)
    prefixes = [row["prefix"] for row in about["heavy"]]
    assert sorted(row["prefix"] for row in found["heavy"]) == sorted(prefixes)
    top = report("heavy", *paths, *said, "--exact", "--top", 2)
    largest = sorted(found["heavy"], key=lambda row: -row["unexplained"])[:2]
    assert (top["heavy"], top["not_listed"]) == (largest, len(prefixes) - 2)


def test_exact_counts_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "numbers.npy"
    path.write_bytes(npy(np.repeat(np.array([10 << 24 | 1, 11 << 24, 7]), [60, 30, 10])))
    found = report("heavy", path, "--exact", "--support", 0.3, "--epsilon", 0.1)
    assert [(row["prefix"], row["estimate"], row["unexplained"]) for row in found["heavy"]] == [
        ("10.0.0.1/32", 60, 60),
        ("11.0.0.0/32", 30, 30),
    ]
    assert_refused(
        run("heavy", "--exact", stdin=b"10.0.0.1\n"), 2, "--exact reads its inputs again"
    )


def test_top_chooses_support_and_epsilon() -> None:
    stdin = "".join(f"/{i % 50}/{i % 100}\n" for i in range(10_000)).encode()
    said = ["--hierarchy", "path"]
    found = report("heavy", *said, "--top", 20, stdin=stdin)
    assert (found["support"], found["epsilon"], len(found["heavy"])) == (0.005, 0.0005, 20)
    assert found["not_listed"] == 80
    found = report("heavy", *said, "--top", 3, "--support", 0.3, "--epsilon", 0.2, stdin=stdin)
    assert (found["support"], found["epsilon"]) == (0.3, 0.15)
    shown = run("heavy", *said, "--top", 2, "--support", 0.01, stdin=stdin).stdout
    assert "100 prefixes have a share of about 0.01 or more" in " ".join(shown.split())


def test_options_of_hierarchies() -> None:
    stdin = b"2001:db8:1::7\n2001:db8:2::7\n"
    said = ["--hierarchy", "ip", "--support", 1]
    assert report("heavy", *said, stdin=stdin)["heavy"][0]["prefix"] == "2001:db8::/32"
    found = report("heavy", *said, "--step", 4, stdin=stdin)["heavy"][0]
    assert (found["prefix"], found["length"]) == ("2001:db8::/44", 12)
    said = ["--hierarchy", "path", "--support", 1]
    for depth, prefix in ((1, "/a/"), (2, "/a/b/"), (9, "/a/b/c/")):
        found = report("heavy", *said, "--depth", depth, stdin=b"/a/b/c/d\n/a/b/c/e?f\n")
        assert found["heavy"][0]["prefix"] == prefix


def test_bad_words_are_named_or_left_out(tmp_path: Path) -> None:
    stdin = b"10.0.0.1\n::1\nfe80::1%eth0\n10.0.0.1\n"
    said: Any = ["heavy", "--hierarchy", "ip"]
    assert_refused(run(*said, stdin=stdin), 3, "line 3: 'fe80::1%eth0' is no IPv4 or IPv6 address")
    found = report(*said, "--skip-bad", stdin=stdin)
    assert (found["n"], found["left_out"]) == (3, 1)
    said = "line 2: '::1' is no IPv4 address; for IPv6 pass --hierarchy ip"
    assert_refused(run("heavy", stdin=stdin), 3, said)
    for name, word, why in (
        ("endpoint", b"::1:80", "'::1:80' is no address with a port, like 10.0.0.1:443 or [2001"),
        ("port", b"65536", "line 2: '65536' is no port, a number from 0 to 65535"),
        ("port", b"http", "line 2: 'http' is no port"),
    ):
        good = b"10.0.0.1:80\n" if name == "endpoint" else b"80\n"
        assert_refused(run("heavy", "--hierarchy", name, stdin=good + word), 3, why)
    assert_refused(
        run("heavy", *PATH, stdin=npy(np.arange(3))), 3, "items of this hierarchy are text"
    )
    refused = run("heavy", "--hierarchy", "port", stdin=npy(np.array([65_536])))
    assert_refused(refused, 3, "no ports, which are numbers from 0 to 65535")
    path = tmp_path / "table.csv"
    path.write_text("a,b\n/x,\n/y,/z\n")
    said = ["heavy", path, *PATH, "--column", "b"]
    assert_refused(run(*said), 3, "line 2, column b: there is no word")
    assert report(*said, "--skip-bad")["n"] == 1


def test_the_title_of_a_column_of_paths(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("n,page\n1,/x\n2,/y\n")
    said: list[Any] = ["heavy", path, "--hierarchy", "path", "--column", 2]
    result = run(*said, "--json")
    assert json.loads(result.stdout)["n"] == 2
    assert "'page' is taken for a title; pass --no-header if it is none" in result.stderr
    assert report(*said, "--no-header")["n"] == 3
    assert report("heavy", path, "--hierarchy", "path", "--column", "page")["n"] == 2


def test_what_a_log_holds_does_not_control_the_terminal() -> None:
    result = run("heavy", "--from", "text", *PATH, stdin=b"/a\x1b[31m[bold]\xff\n" * 3)
    assert "/a\\x1b[31m[bold]\\xff" in result.stdout
    assert "\x1b" not in result.stdout
