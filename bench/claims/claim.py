"""A claim of a paper as data, what was found beside it, and the verdict.

>>> claim = load("alabi-2012")["killer-over-sort"]
>>> claim.section, claim.figure, claim.rule
('4.2.5, figure 10b', '135×', 'at least 67×')
>>> verdict(claim, Found({AS_PRINTED: (5.0,), IMPROVED: (0.5,)}))
'does not hold'
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.shared.versions import VARIANTS
from bench.shared.words import short
from shadersort.errors import ShadersortError

FOLDER = Path(__file__).parents[1] / "papers" / "claims"

PAPERS = ("govindaraju-2005", "beliakov-2011", "alabi-2012", "blanchard-2015")
"""The papers with claims, by the names of their files."""

AS_PRINTED, IMPROVED = VARIANTS

FEW = 3
"""At most this many figures are listed; of more, the least and the largest."""


class NotMeasured(ShadersortError):
    """No record has the figure of a claim; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a paper claims, in our words; and when we say that it holds.

    Attributes
    ----------
    name, paper, section
        A name of ours, and where the claim is.
    claim, figure
        The claim in our words, and the paper's figure.
    least, most, unit
        A figure within these bounds agrees with the paper; None is no bound.
    errata
        The heading of `docs/errata.md` that discusses the claim.
    unmeasured
        Why nothing here can measure it; such a claim has no bounds.
    """

    name: str
    paper: str
    section: str
    claim: str
    figure: str
    least: float | None = None
    most: float | None = None
    unit: str = ""
    errata: str = ""
    unmeasured: str = ""

    def admits(self, figure: float) -> bool:
        """Return whether a figure is within the bounds."""
        above = self.least is None or figure >= self.least
        return above and (self.most is None or figure <= self.most)

    @property
    def rule(self) -> str:
        """The bounds in words."""
        bounds = [x for x in (self.least, self.most) if x is not None]
        if len(bounds) == 2:
            return self.with_unit(bounds, " to ")
        if not bounds:
            return ""
        return f"at {'most' if self.least is None else 'least'} {self.with_unit(bounds)}"

    def with_unit(self, figures: Sequence[float], between: str = ", ") -> str:
        """Return figures in words, with the unit; of many, the least and the largest."""
        if len(figures) > FEW:
            figures, between = (min(figures), max(figures)), " to "
        listed = between.join(dict.fromkeys(map(short, figures)))
        space = "" if self.unit in ("", "%", "×") else " "
        return f"{listed}{space}{self.unit}" if listed else ""


@dataclass(frozen=True, slots=True)
class Found:
    """The figures of a claim by variant, where they come from, what ran, and on what keys."""

    figures: Mapping[str, Sequence[float]]
    device: str = ""
    ran: Sequence[str] = ()
    of: str = ""

    def __post_init__(self) -> None:
        if not any(self.figures.values()):
            raise NotMeasured("no row has a figure")


def load(paper: str) -> dict[str, Claim]:
    """Return the claims of a paper, one of `PAPERS`, by name and in the paper's order."""
    content = json.loads((FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
    claims = [Claim(paper=content["paper"], **each) for each in content["claims"]]
    return {claim.name: claim for claim in claims}


def verdict(claim: Claim, found: Found) -> str:
    """Say whether a claim holds for the paper's algorithm; for ours alone if only it was measured.

    Examples
    --------
    >>> some = Claim(name="", paper="", section="", claim="", figure="", least=1, most=2)
    >>> verdict(some, Found({AS_PRINTED: (1, 2)})), verdict(some, Found({AS_PRINTED: (1, 2, 3)}))
    ('holds', 'holds for 2 of 3')
    >>> verdict(some, Found({IMPROVED: (0.5,)}))
    'ours: does not hold'
    """
    printed = found.figures.get(AS_PRINTED, ())
    said = _said(claim, printed or found.figures[IMPROVED])
    return said if printed else f"ours: {said}"


def _said(claim: Claim, figures: Sequence[float]) -> str:
    right = sum(map(claim.admits, figures))
    if right in (0, len(figures)):
        return "holds" if right else "does not hold"
    return f"holds for {right} of {len(figures)}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A claim, and what was found; or the reason why nothing was."""

    claim: Claim
    found: Found | None
    why: str = field(default="")

    @property
    def verdict(self) -> str:
        """Holds, does not hold, or not measured, with the reason."""
        return verdict(self.claim, self.found) if self.found else f"not measured: {self.why}"
