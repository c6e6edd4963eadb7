"""Every measured figure of the README and of the docs is computed from a record, and is current."""

import re
from dataclasses import replace
from typing import Any

import pytest

from bench import readme
from bench.shared.record import Record, load

TEXT = readme.README.read_text(encoding="utf-8")
UNITS = r"(?:[  ]+(?:s|reads|seconds|times|million|billion)\b|[  ]*(?:[mµn]s\b|[KMGT]B/s|×|%))"
MEASURED = re.compile(r"\d[\d.,]*" + UNITS)


def test_the_sections_are_what_the_records_say() -> None:
    texts = [page.read_text(encoding="utf-8") for page in readme.PAGES]
    names = [found[2] for text in texts for found in readme.SECTION.finditer(text)]
    assert sorted(names) == sorted(readme.SECTIONS)
    for text in texts:
        assert readme.written(text) == text, "run python -m bench.readme"


def test_another_record_makes_another_section(monkeypatch: pytest.MonkeyPatch) -> None:
    def slower(name: str) -> Record:
        record = load(name)
        return replace(record, rows=tuple(map(doubled, record.rows)))

    def doubled(row: dict[str, Any]) -> dict[str, Any]:
        told = {
            "program_ms",
            "browser_ms",
            "ms",
            "reads",
            "mvalues_per_s",
            "gvalues_per_s",
            "tests",
            "bytes",
            "bytes_read",
            "host_us",
        }
        return row | {name: 2 * row[name] for name in told & set(row) if row[name]}

    before = {name: list(lines()) for name, lines in readme.SECTIONS.items()}
    monkeypatch.setattr(readme, "load", slower)
    for name, lines in readme.SECTIONS.items():
        assert list(lines()) != before[name]


def test_every_peer_stands_beside_one_read() -> None:
    peers = load("modern-nvidia-h200").where(group="peer", n=1 << 28, distribution="uniform")
    assert {row["what"] for row in peers} == set(readme.PEERS.values())
    (section,) = (found[0] for found in readme.SECTION.finditer(TEXT) if found[2] == "one_read")
    shares = [line.split(" | ")[2] for line in section.splitlines() if " ms " in line]
    assert len(shares) == len(readme.ONE_READ) + len(readme.PEERS)
    assert all(0 < float(share) < 1 for share in shares)


def test_no_figure_stands_outside_the_sections() -> None:
    typed = readme.SECTION.sub("", TEXT)
    assert not [found[0] for found in MEASURED.finditer(typed)]
    assert MEASURED.search("takes 88 million a second")
