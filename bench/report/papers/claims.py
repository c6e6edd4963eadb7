"""The papers' claims in words, one table a paper: what was measured, and whether they hold."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bench.claims import alabi_2012, beliakov_2011, blanchard_2015, govindaraju_2005
from bench.claims.checks import Check
from bench.claims.claim import AS_PRINTED, IMPROVED, PAPERS, Found, NotMeasured, Outcome, load
from bench.claims.sources import Records
from bench.report.anchors import anchor
from bench.report.parts import Grid, Part

CHECKS: Mapping[str, Mapping[str, Check]] = {
    "govindaraju-2005": govindaraju_2005.CHECKS,
    "beliakov-2011": beliakov_2011.CHECKS,
    "alabi-2012": alabi_2012.CHECKS,
    "blanchard-2015": blanchard_2015.CHECKS,
}
"""The checks of each paper's claims, by their names."""

HEAD = (
    "section",
    "claim",
    "paper",
    "holds if",
    AS_PRINTED,
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


def outcomes(paper: str, records: Records) -> list[Outcome]:
    """Return every claim of a paper, in the paper's order, with its verdict from records."""
    found = []
    for claim in load(paper).values():
        try:
            if claim.unmeasured:
                raise NotMeasured(claim.unmeasured)
            found.append(Outcome(claim, CHECKS[paper][claim.name](records)))
        except NotMeasured as error:
            found.append(Outcome(claim, None, str(error)))
    return found


def parts(records: Records) -> list[Part]:
    """Return the table of claims of each paper."""
    return [_part(outcomes(paper, records)) for paper in PAPERS]


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
    verdict = f"{outcome.verdict} {_link(claim.errata)}".strip()
    if found is None:
        return [*cells, "–", "–", verdict, ""]
    ours = (claim.with_unit(found.figures.get(name, ())) or "–" for name in (AS_PRINTED, IMPROVED))
    return [*cells, *ours, verdict, _where(found)]


def _where(found: Found) -> str:
    """Return what ran, on what keys, on which device."""
    return "; ".join(each for each in (" and ".join(found.ran), found.of, found.device) if each)


def _link(heading: str) -> str:
    """Return a link to a section of the errata, if a claim has one."""
    return f"([errata](errata.md#{anchor(heading)}))" if heading else ""
