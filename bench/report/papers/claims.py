"""The claims that the papers make in words, each with what was found and a verdict."""

from collections import Counter
from collections.abc import Sequence

from bench.claims.claim import PAPERS, Outcome
from bench.claims.outcomes import outcomes
from bench.report.anchors import anchor
from bench.report.parts import Grid, Part
from bench.sources import IMPROVED, PRINTED, Sources

HEAD = (
    "section",
    "claim",
    "paper",
    "holds if",
    PRINTED,
    "ours",
    "holds?",
    "what ran, and where",
)

NOTES = (
    'A claim holds if each of its figures lies within the bounds of "holds if"; where the paper '
    'says only "nearly" or "comparable", the bounds are ours. Of more than three figures the '
    "least and the largest are shown.",
    'The verdict is on the paper\'s algorithm, as printed. "ours" before it means that only our '
    "version was measured, or that the paper does not print the steps of the method.",
)


def parts(sources: Sources) -> list[Part]:
    """Return the table of claims of each paper."""
    return [_part(outcomes(paper, sources)) for paper in PAPERS]


def _part(some: Sequence[Outcome]) -> Part:
    paper = some[0].claim.paper
    return Part(
        paper,
        "Claims in words",
        "what the paper's text claims, and what was measured",
        _summary(paper, some),
        NOTES,
        [Grid(HEAD, [_row(each) for each in some], left=len(HEAD))],
    )


def _summary(paper: str, some: Sequence[Outcome]) -> str:
    """Count the verdicts in one sentence."""
    kinds = Counter(_kind(each) for each in some)
    told = [
        f"{kinds[kind]} {words[kinds[kind] > 1]}" for kind, words in KINDS.items() if kinds[kind]
    ]
    author = paper.replace(" et al.", "").rsplit(" ", 1)[0]
    return f"Of {len(some)} claims of {author}'s paper, {', '.join(told)}."


KINDS = {
    "holds": ("holds for the paper's algorithm", "hold for the paper's algorithm"),
    "in part": ("holds in part", "hold in part"),
    "does not hold": ("does not hold", "do not hold"),
    "ours": ("was measured for our version only", "were measured for our version only"),
    "not measured": ("was not measured", "were not measured"),
}
"""Kinds of verdicts, and how the summary counts one of them, and several."""


def _kind(outcome: Outcome) -> str:
    head = outcome.verdict.split(":")[0]
    return head if head in KINDS else "in part"


def _row(outcome: Outcome) -> list[str]:
    claim, found = outcome.claim, outcome.found
    cells = [claim.section, claim.claim, claim.figure, claim.rule]
    link = f" ([errata](errata.md#{anchor(claim.errata)}))" if claim.errata else ""
    verdict = outcome.verdict + link
    if found is None:
        return [*cells, "–", "–", verdict, ""]
    ours = (claim.with_unit(found.figures.get(name, ())) or "–" for name in (PRINTED, IMPROVED))
    where = " and ".join(found.ran), found.of, found.device
    return [*cells, *ours, verdict, "; ".join(each for each in where if each)]
