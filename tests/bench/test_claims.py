"""Every claim has a verdict that is computed from records, or the reason why it has none."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.claims import __main__ as claims
from bench.claims.claim import PAPERS, Claim, Found, Outcome, load
from bench.claims.computed import CHECKS, COMPUTED, COUNTED, PRICED
from bench.claims.measured.run import Run
from bench.claims.outcomes import outcomes
from bench.papers import TABLES
from bench.papers import load as table_of
from bench.shared.machines import Host
from bench.shared.record import RECORDS, Library, Record, Row
from bench.sources import IMPROVED, LIBRARY, PRINTED, REPRODUCED, Sources
from tests.bench.helpers import options_of

HOSTILE = "adversaries-nvidia-h200"
ERRATA = Path(__file__).parents[2] / "docs" / "errata.md"
FROM_NO_RECORD = (PRICED, COUNTED, COMPUTED)
"""Where figures come from that no record has: the price list, the networks, the papers."""

CONTRADICTED = {"copy-alone", "crossing-of-sorting", "wide-ranges-help-radix"}
"""Claims that do not hold for all of the papers' own tables."""

NAMES = [(paper, name) for paper in PAPERS for name in load(paper)]


def every(sources: Sources) -> dict[str, Outcome]:
    return {each.claim.name: each for paper in PAPERS for each in outcomes(paper, sources)}


@pytest.fixture(scope="module")
def recorded() -> dict[str, Outcome]:
    return every(Sources())


def test_each_claim_has_a_formula_a_check_or_the_reason_why_not() -> None:
    for paper, name in NAMES:
        claim = load(paper)[name]
        assert bool(claim.formulas) + bool(claim.unmeasured) + (name in CHECKS) == 1, name
    assert len({name for _, name in NAMES}) == len(NAMES) > 80


def test_each_claim_says_where_it_is_and_when_it_holds() -> None:
    errata = ERRATA.read_text(encoding="utf-8")
    for paper, name in NAMES:
        claim = load(paper)[name]
        assert all([claim.section, claim.claim, claim.figure])
        assert bool(claim.unmeasured) != bool(claim.rule), "bounds, or a reason"
        assert not claim.errata or f"\n### {claim.errata}\n" in errata


def test_each_outcome_is_a_verdict_or_a_reason(recorded: Mapping[str, Outcome]) -> None:
    said = re.compile(r"(ours: )?(holds|does not hold|holds for \d+ of \d+)|not measured: .{9}.*")
    for name, outcome in recorded.items():
        assert said.fullmatch(outcome.verdict), name
        assert (outcome.found is None) == outcome.verdict.startswith("not measured")


def test_without_records_nothing_is_measured_but_what_is_computed(tmp_path: Path) -> None:
    for name, outcome in every(Sources(Library(tmp_path))).items():
        if outcome.found:
            assert outcome.found.device in FROM_NO_RECORD, name
        elif not outcome.claim.unmeasured:
            assert "there is no record" in outcome.why, name


CHOSEN = {
    *("keys", "n", "share", "epsilon", "window", "shortest", "count", "trials", "ranks", "rank"),
    *("turns", "distinct"),
}
"""Fields of a row that say what was measured, and not what came out."""


def other_value(value: Any, phase: float) -> Any:
    """Return another number, or a list of others."""
    if isinstance(value, list):
        return [other_value(each, phase + 0.377 * at) for at, each in enumerate(value)]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return 10 ** (phase % 1 * 6 - 3) * (value + 0.01)


def other_results(row: Row, number: int) -> Row:
    changed = {
        name: value if name in CHOSEN else other_value(value, 0.618 * number + 0.377 * place)
        for place, (name, value) in enumerate(row.items())
    }
    if "fault" in row:
        changed["fault"] = "" if row["fault"] else "AnswerRefuted"
    return changed


def test_no_figure_is_written_by_hand(recorded: Mapping[str, Outcome]) -> None:
    """With other results in the records, each figure that comes from them is another."""
    records, known = Library(), dict[str, Record]()
    for name in (path.stem for path in RECORDS.glob("*.json")):
        rows = tuple(other_results(row, n) for n, row in enumerate(records[name].rows))
        known[name] = replace(records[name], rows=rows)
    for name, outcome in every(Sources(known=known)).items():
        before = recorded[name].found
        if before and before.device not in FROM_NO_RECORD:
            assert not outcome.found or outcome.found.figures != before.figures, name


def test_another_record_makes_another_verdict() -> None:
    rows = Library()[HOSTILE].rows
    slow = [r | {"ms": 5000.0} if r["label"] == "bucket, as printed" else r for r in rows]
    gaps = [row | {"measured": None, "n": None, "why": "too few keys"} for row in of_the_papers()]
    known = {
        name: Record("GPU", "2026-01-02", tuple(some))
        for name, some in ((HOSTILE, slow), (REPRODUCED, gaps))
    }
    found = every(Sources(known=known))
    assert found["nineteen-times"].verdict == "not measured: too few keys"
    killer = found["killer-over-sort"]
    assert killer.verdict == "holds"
    assert killer.found
    assert killer.found.device == "GPU, 2026-01-02"


VARIANTS = {"quickselect": (LIBRARY,), "quickselect-serial": (IMPROVED,)}


def of_the_papers() -> Iterator[Row]:
    """Yield the papers' tables as if they were measured: as printed, and in our version."""
    for name in TABLES:
        for cell in table_of(name).cells():
            method = cell.of.get("method") or cell.of.get("faster") or "bucket"
            method = "bucket" if method == "bucket-multi" else method
            for variant in VARIANTS.get(method, (PRINTED, IMPROVED)):
                head: dict[str, Any] = {"table": name, "of": cell.of, "variant": variant}
                head["unit"] = cell.unit
                figures = {"paper": cell.value, "measured": cell.value, "n": cell.of.get("n")}
                yield {**head, **figures, "label": f"{method}, {variant}"}


def test_the_papers_claims_hold_for_their_own_tables() -> None:
    """So each check takes the cells that the text speaks of; some texts are contradicted."""
    record = Record("paper", "2015-01-01", tuple(of_the_papers()))
    found = every(Sources(known={REPRODUCED: record}))
    mine = {
        name: each
        for name, each in found.items()
        if each.found and each.found.device == record.label
    }
    assert len(mine) > 45
    assert {name for name, each in mine.items() if each.verdict != "holds"} == CONTRADICTED


def test_a_verdict_is_on_the_printed_algorithm_first() -> None:
    claim = Claim(name="x", paper="", section="1", claim="", figure="2", least=1, most=2, unit="×")
    assert claim.rule == "1 to 2×"
    assert claim.verdict(Found({PRINTED: (3,), IMPROVED: (1,)})) == "does not hold"
    assert claim.verdict(Found({PRINTED: (1, 3), IMPROVED: (1,)})) == "holds for 1 of 2"
    assert claim.verdict(Found({IMPROVED: (1,)})) == "ours: holds"
    assert claim.with_unit([1.0, 2.0, 0.25, 1.5]) == "0.25 to 2×"


def rows_of(words: str) -> list[Row]:
    options = options_of(claims.main, f"--device numpy {words}")
    return [row for name in options.part for row in claims.PARTS[name](Run.of(Host(), options))]


def test_what_is_measured_is_labelled_and_faults_are_counted() -> None:
    rows = rows_of("--n 2^12 --most 2^14 --trials 2 --part minimising --part bucketing")
    near_zero = [row for row in rows if row["about"] == "near zero"]
    (printed,) = (row for row in near_zero if row["faults"])
    assert (printed["dtype"], printed["label"]) == ("float64", "bucket, as printed")
    assert printed["faults"] == printed["trials"] == 2
    hostile = [row for row in rows if row["about"] == "median" and row["data"] == "10^20"]
    assert {row["label"] for row in hostile if row["fault"]} == {"cutting-plane, as printed"}
    assert all(row["left"] > 0.9 for row in hostile if "as printed" in row["label"])
    rows += rows_of("--n 2^12 --trials 2 --part many-ranks --part times")
    labels = {row["label"] for row in rows}
    assert {"cutting-plane, as printed", "bucket, improved", "quasi-newton, improved"} <= labels
    unlabelled = {row["about"] for row in rows if not row["label"]}
    assert not unlabelled
    assert not [row for row in rows if row["about"] == "methods"], "times are of a GPU"


def test_ties_at_the_largest_key_are_counted_as_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def tied(run: Run, data: str, dtype: str, n: int | None = None, seed: int = 1) -> Any:
        keys = run.machine.xp.random.default_rng(seed).random(n or run.n).astype(dtype)
        keys[:2] = 1
        return keys

    monkeypatch.setattr(Run, "keys", tied)
    rows = rows_of("--n 2^12 --most 2^14 --trials 2 --part minimising")
    wrong = [row for row in rows if row["about"] == "wrong" and row["rank"] == "2"]
    assert wrong
    assert all(row["wrong"] == row["zeros"] == row["trials"] == 2 for row in wrong)


def test_streams_are_measured_as_printed_and_improved() -> None:
    rows = rows_of("--stream 20000 --part summaries")
    labels = {row["label"] for row in rows}
    assert any(label.startswith("as printed, NumPy") for label in labels)
    assert any(label.startswith("NumPy") for label in labels)
    pairs = [row for row in rows if row["about"] == "frequencies" and row["data"] == "pairs"]
    printed = [row for row in pairs if row["label"].startswith("as printed")]
    assert all(row["entries"] == 10_000 for row in printed), "a pair is never deleted"
