"""Every claim of a paper with its verdict, computed from records."""

from collections.abc import Mapping

from bench.claims import alabi_2012, beliakov_2011, blanchard_2015, govindaraju_2005
from bench.claims.checks import Check
from bench.claims.claim import Claim, NotMeasured, Outcome, load
from bench.claims.sources import Records

CHECKS: Mapping[str, Mapping[str, Check]] = {
    "govindaraju-2005": govindaraju_2005.CHECKS,
    "beliakov-2011": beliakov_2011.CHECKS,
    "alabi-2012": alabi_2012.CHECKS,
    "blanchard-2015": blanchard_2015.CHECKS,
}
"""The checks of each paper's claims, by their names."""


def outcomes(paper: str, records: Records) -> list[Outcome]:
    """Return every claim of a paper, in the paper's order, with what records say of it."""
    return [_outcome(claim, CHECKS[paper], records) for claim in load(paper).values()]


def _outcome(claim: Claim, checks: Mapping[str, Check], records: Records) -> Outcome:
    if claim.unmeasured:
        return Outcome(claim, None, claim.unmeasured)
    try:
        return Outcome(claim, checks[claim.name](records))
    except NotMeasured as error:
        return Outcome(claim, None, str(error))
