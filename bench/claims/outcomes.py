"""Every claim of a paper with its verdict, computed from records."""

from bench.claims.claim import Claim, Found, Outcome, load
from bench.claims.computed import CHECKS
from bench.formula import Formula
from bench.sources import NotMeasured, Sources


def outcomes(paper: str, sources: Sources) -> list[Outcome]:
    """Return the claims of a paper, in the paper's order, with their verdicts."""
    found = []
    for claim in load(paper).values():
        try:
            found.append(Outcome(claim, find(claim, sources)))
        except NotMeasured as error:
            found.append(Outcome(claim, None, str(error)))
    return found


def find(claim: Claim, sources: Sources) -> Found:
    """Return the figures of a claim; raise NotMeasured, with the reason, without any."""
    if claim.unmeasured:
        raise NotMeasured(claim.unmeasured)
    if not claim.formulas:
        return CHECKS[claim.name](sources)
    results = [Formula(text, sources, claim.of).result() for text in claim.formulas]
    times = 100 if claim.unit == "%" else 1
    figures: dict[str, list[float]] = {}
    for result in results:
        for variant, some in result.figures.items():
            figures.setdefault(variant, []).extend(times * figure for figure in some)
    rows = [row for result in results for row in result.rows]
    sides = [pair for result in results for pair in result.sides]
    return Found.of_rows(figures, rows, sides)
