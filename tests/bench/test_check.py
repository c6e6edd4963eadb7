"""`bench.report --check` finds labels, units and verdicts that are not those of what ran."""

from dataclasses import replace
from typing import Any

import pytest

from bench.claims.claim import Outcome
from bench.claims.outcomes import find, outcomes
from bench.report import __main__ as report
from bench.report.check import faults, outcome_faults, row_faults
from bench.shared.record import Library, Record, Row
from bench.sources import REPRODUCED, Sources, describe
from tests.bench.helpers import run

BLOCKS = "streams-sliding-printed-nvidia-h200"


def changed(name: str, **fields: Any) -> list[str]:
    """The faults that come with other fields in all rows of a record that have them."""
    record, rows = Library()[name], []
    for row in record.rows:
        rows.append(row | {field: fields[field] for field in fields.keys() & row.keys()})
    return faults(Sources(known={name: replace(record, rows=tuple(rows))}))


def outcome(paper: str, name: str, sources: Sources) -> Outcome:
    (found,) = (each for each in outcomes(paper, sources) if each.claim.name == name)
    return found


def test_labels_units_and_verdicts_are_those_of_what_ran() -> None:
    assert not faults(Sources())
    run(report.main, "--check")


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"label": "radix, as printed"}, "'radix, as printed' is not bucket"),
        ({"unit": "s"}, ": s, where the paper has ms"),
        ({"variant": "improved"}, "is not improved"),
    ],
)
def test_a_label_or_a_unit_that_is_wrong_is_found(fields: Row, fault: str) -> None:
    assert any(fault in each for each in changed(REPRODUCED, **fields))


def test_a_search_as_printed_that_copies_is_found() -> None:
    row = {"label": "bisection, as printed", "method": "bisection", "how": "extent, halve, nearest"}
    assert not list(row_faults(describe(row)))
    row["how"] = "extent, compact, sort"
    assert list(row_faults(describe(row))) == [
        "'bisection, as printed' has the steps compact, sort"
    ]


def test_a_verdict_on_the_same_code_twice_is_found() -> None:
    """As once: small blocks to the CPU and large ones drawn, when none was drawn."""
    row = {"workload": "sliding-frequencies", "data": "uniform", "epsilon": 0.01, "shortest": 1}
    row |= {"label": "NumPy, 16 threads, float16", "dtype": "float16", "keys": 9, "drawn_share": 1}
    rows = tuple({**row, "sorter": x, "mvalues_per_s": 9.0} for x in ("by-size-fixed", "numpy"))
    sources = Sources(known={BLOCKS: Record("GPU", "2026-01-02", rows)})
    verdict = outcome("govindaraju-2005", "small-blocks-to-the-cpu", sources)
    assert list(outcome_faults(verdict)) == [
        "Govindaraju et al. 2005, small-blocks-to-the-cpu: both sides are "
        "NumPy, 16 threads, float16, on the same keys"
    ]


def test_a_baseline_slower_than_numpys_is_found() -> None:
    """As once: quickselect in Python, where NumPy has introselect in C."""
    claim = outcome("beliakov-2011", "thirteen-times", Sources()).claim
    unfair = replace(claim, measured=str(claim.measured).replace("library", "improved"))
    found = list(outcome_faults(Outcome(unfair, find(unfair, Sources()))))
    assert any("slower than NumPy's own function" in fault for fault in found)
