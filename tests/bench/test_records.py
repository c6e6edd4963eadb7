"""A record says what ran, on what, when and how; the figures of the pages are those of records."""

import importlib
import json
import re
import subprocess
from pathlib import Path
from unittest.mock import patch

import click
import pytest

from bench.fill import BLOCK, PAGES, fill_page, fill_text
from bench.shared.record import RECORDS, Record, begun, commit_of, load
from bench.sources import Sources

UNITS = r"(?:[  ]+(?:s|reads|seconds|times|million|billion)\b|[  ]*(?:[mµn]s\b|[KMGT]B/s|×|%))"
MEASURED = re.compile(r"\d[\d.,]*" + UNITS)
FASTER = re.compile(r"\b(?:fast|slow)(?:er|est)\b|times as (?:fast|long)|as fast as")


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_a_record_names_device_date_versions_and_command(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["device"]["kind"]
    assert content["host"]["cpu"]
    assert re.match(r"\d{4}-\d\d-\d\dT", content["date"])
    assert {"python", "shadersort", "numpy"} <= set(content["versions"])
    assert content["command"].startswith("python -m bench.")
    assert content["commit"]
    assert content["rows"]
    assert re.fullmatch(r".+, \d{4}-\d\d-\d\d", load(path.stem).label)


def test_a_commit_is_marked_if_code_was_changed(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=n", "-c", "user.email=e@example.com")
        command = ["git", "-C", str(tmp_path), *who, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert commit_of(tmp_path) is None
    git("init", "--quiet")
    code, result = tmp_path / "code.py", tmp_path / "bench" / "records" / "a.json"
    result.parent.mkdir(parents=True)
    code.write_text("1")
    result.write_text("{}")
    git("add", ".")
    git("commit", "--quiet", "--message", "both")
    commit = git("rev-parse", "HEAD")
    result.write_text("[]")
    assert commit_of(result.parent) == commit
    code.write_text("2")
    assert commit_of(result.parent) == f"{commit}-dirty"
    with patch("bench.shared.record.commit_of", lambda folder: f"{commit}-dirty"):
        assert begun("sort", output=Path("sort-here.json"))["commit"] == f"{commit}-dirty"
        with pytest.raises(click.ClickException, match="commit the code first"):
            begun("sort", output=Path("sort-nvidia-h200.json"))


def test_the_pages_are_what_the_records_say() -> None:
    filled = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        filled += len(BLOCK.findall(text))
        assert fill_page(text, Sources()) == text, f"run python -m bench.fill for {page.name}"
    assert filled > 9


def test_no_time_of_the_readme_stands_outside_the_tables() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    assert not MEASURED.findall(BLOCK.sub("", text))
    assert MEASURED.search(text)


@pytest.mark.parametrize("name", ["README.md", "docs/algorithms.md", "docs/then-and-now.md"])
def test_who_is_faster_is_said_in_blocks_that_are_filled_in(name: str) -> None:
    text = BLOCK.sub("", (PAGES[0].parent / name).read_text(encoding="utf-8"))
    assert not FASTER.findall(text.partition("\n## ")[2])


def test_the_readme_has_the_minutes_of_the_lessons() -> None:
    lessons = (PAGES[0].parent / "docs" / "teachers.md").read_text(encoding="utf-8")
    minutes = [int(each) for each in re.findall(r"^\| \[\d+ .*?\) \| (\d+)", lessons, re.MULTILINE)]
    told = f"A lesson takes {min(minutes)} to {max(minutes)} minutes"
    assert told in PAGES[0].read_text(encoding="utf-8")


def test_placeholders_are_filled_in() -> None:
    rows = [{"of": "a", "n": 2**k, "ms": float(k), "why": "x, y = z"} for k in range(1, 4)]
    record = Record("GPU", "2026-01-02", (*rows, {"of": "b", "n": 2, "ms": 10.0}))
    sources = Sources(known={"one": record})
    for template, text in {
        "{one ms; of=a; n=2^3} ms": "3 ms",
        "{one ms .2f; of=a}": "1.00 to 3.00",
        "{one mean:ms 3; of=!b} {one count:ms; why=x, y = z}": "2 3",
        "{one ms; of=b; n=2 / one ms; n=2; of=a}": "10",
        "{one ms times; of=a; n=8 / ms; of=a; n=4 matching of}": "1.5 times as fast as",
        "{swing of one ms; of=a} {max of one ms; of=a - n; of=a}": "3 -1",
        "{one ms; of=a; n=most}": "3",
        "{one label}": "GPU, 2026-01-02",
    }.items():
        assert fill_text(template, sources) == text
    assert fill_text("{one ms; of=c} {no-such-record ms}", sources) == "not measured not measured"
    with pytest.raises(KeyError, match="no condition"):
        fill_text("{one ms; of}", sources)


def test_every_benchmark_is_a_command_on_the_page_about_them() -> None:
    root = RECORDS.parents[1]
    page = (root / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for path in (root / "bench").rglob("*.py"):
        if "\ndef main(" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(root).with_suffix("").parts)
            main = importlib.import_module(name).main
            assert isinstance(main, click.Command)
            assert main.help
            assert name.removesuffix(".__main__") in page, name
