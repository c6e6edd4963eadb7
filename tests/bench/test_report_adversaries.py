"""The adversaries stand in one table: as printed beside ours, each named by what ran."""

import re

from bench.claims.sources import variant_of as variant
from bench.report.adversaries import CLAIMS, HEADS, RECORD, cases, claims, grid, method_of, parts
from bench.shared.record import Library, load
from bench.shared.versions import VARIANTS
from bench.shared.words import span


def test_every_row_of_the_record_is_in_one_table() -> None:
    rows = list(load(RECORD).rows)
    assert len(rows) == 2 * len(cases(rows))
    lines = [line for part in parts(Library()) for line in part.grids[-1].rows]
    assert len(lines) == len(cases(rows))
    for row in rows:
        found = [line for line in lines if f"{row['ms']:.4g} ({row['ms_ratio']:.4g}×)" in line]
        (line,) = [each for each in found if each[1] == row["data"]]
        assert line[0].startswith(method_of(row))
        assert line[2] == row["dtype"]
        at = 3 + len(HEADS) * VARIANTS.index(variant(row))
        assert line[at] == f"{row['read']:.4g} ({row['read_ratio']:.4g}×)"
        assert line[at + 2] == (row["fault"] or "none")


def test_as_printed_they_do_damage_and_ours_do_not() -> None:
    rows = load(RECORD).rows
    (killed,) = [
        row
        for row in rows
        if (row["label"], row["data"]) == ("bucket, as printed", "bucket-killer")
        and row["dtype"] == "float32"
    ]
    assert killed["ms_ratio"] >= 10
    for row in rows:
        if variant(row) == "improved":
            assert max(row["ms_ratio"], row["read_ratio"]) <= 3, row
            assert not row["fault"]


def test_sentences_are_computed() -> None:
    of_planes, of_others = (part.changed for part in parts(Library()))
    rows = load(RECORD).where(data="bucket-killer", label="bucket, as printed")
    ratio = span(row["ms_ratio"] for row in rows)
    assert f"takes {ratio} times its usual time" in of_others
    assert re.search(r"counts refute \d+ of \d+ answers", of_planes)


def test_the_paper_s_ratios_stand_beside_the_measured_ones() -> None:
    rows = list(load(RECORD).rows)
    found = claims(rows)
    types = {row["dtype"] for row in rows}
    assert len(found.rows) == len(CLAIMS) * len(types)
    assert found.rows[0][:4] == ["bucket-killer", "float32", "bucket over sort-choose", "135"]
    assert not any("–" in line for line in found.rows)


def test_a_variant_that_was_not_measured_is_a_dash() -> None:
    rows = [row for row in load(RECORD).rows if variant(row) == "improved"]
    assert all(line[3 : 3 + len(HEADS)] == ["–"] * len(HEADS) for line in grid(rows).rows)
    assert claims(rows).rows[0][4] == "–"
