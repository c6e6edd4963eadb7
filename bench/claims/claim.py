"""A claim of a paper as data, what was found beside it, and the verdict.

>>> claim = load("alabi-2012")["killer-over-sort"]
>>> claim.section, claim.figure, claim.rule
('4.2.5, figure 10b', '135×', 'at least 67×')
>>> claim.verdict(Found({PRINTED: (5.0,), IMPROVED: (0.5,)}))
'does not hold'
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.shared.record import Row
from bench.shared.words import count_of, short
from bench.sources import IMPROVED, PRINTED, strip_variant

FOLDER = Path(__file__).parents[1] / "papers" / "claims"

PAPERS = ("govindaraju-2005", "beliakov-2011", "alabi-2012", "blanchard-2015")
"""The papers with claims, by the names of their files."""

FEW = 3
"""At most this many figures are listed; of more, the least and the largest."""


@dataclass(frozen=True, slots=True)
class Found:
    """The figures of a claim by variant, where they come from, what ran, and on what keys."""

    figures: Mapping[str, Sequence[float]]
    device: str = ""
    ran: Sequence[str] = ()
    of: str = ""
    sides: Sequence[tuple[list[Row], list[Row]]] = ()  # the rows of quotients

    @classmethod
    def of_rows(
        cls,
        figures: Mapping[str, Sequence[float]],
        rows: Sequence[Row],
        sides: Sequence[tuple[list[Row], list[Row]]] = (),
    ) -> "Found":
        """Return figures as found in some rows."""
        labels = dict.fromkeys(row["record"] for row in rows)
        ran = dict.fromkeys(_ran(row) for row in rows)
        return cls(
            figures, "; ".join(labels), [each for each in ran if each], describe_keys(rows), sides
        )


def _ran(row: Row) -> str:
    """Return what ran, without the device, which has a place of its own."""
    device = str(row["record"]).rpartition(", ")[0]
    return strip_variant(row.get("label") or row.get("what") or "").replace(f", {device}", "")


def describe_keys(rows: Sequence[Row]) -> str:
    """Return the numbers and the types of keys, and the errors, as far as rows tell them.

    Examples
    --------
    >>> describe_keys([{"n": 1 << 20, "dtype": "float32"}, {"n": 1 << 22, "dtype": "float32"}])
    '2^20 to 2^22 float32'
    """
    told = []
    if sizes := sorted({row.get("n") or 0 for row in rows} - {0}):
        told.append(" to ".join(dict.fromkeys(map(count_of, (sizes[0], sizes[-1])))))
    told.append(", ".join(dict.fromkeys(row["dtype"] for row in rows if row.get("dtype"))))
    text = " ".join(each for each in told if each)
    if errors := sorted({row["epsilon"] for row in rows if row.get("epsilon")}):
        text += ", ε = " + " to ".join(dict.fromkeys(f"{x:g}" for x in (errors[0], errors[-1])))
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a paper claims, in our words; how it is measured; and when we say that it holds."""

    name: str  # ours
    paper: str
    section: str
    claim: str
    figure: str  # the paper's
    # a figure within these bounds agrees with the paper; None is no bound
    least: float | None = None
    most: float | None = None
    unit: str = ""
    errata: str = ""  # the heading of `docs/errata.md` that discusses the claim
    # the formulas of `bench/formula.py`, and the source and conditions of all their terms; a claim
    # without a formula has a check in `bench/claims/computed.py`
    measured: str | Sequence[str] = ()
    of: str = ""
    unmeasured: str = ""  # why nothing here can measure it; such a claim has no bounds

    def admits(self, figure: float) -> bool:
        """Return whether a figure is within the bounds."""
        above = self.least is None or figure >= self.least
        return above and (self.most is None or figure <= self.most)

    @property
    def formulas(self) -> list[str]:
        """The formulas of the figures."""
        return [self.measured] if isinstance(self.measured, str) else list(self.measured)

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

    def verdict(self, found: Found) -> str:
        """Say whether it holds for the paper's algorithm; for ours if only that was measured.

        Examples
        --------
        >>> some = Claim(name="", paper="", section="", claim="", figure="", least=1, most=2)
        >>> some.verdict(Found({PRINTED: (1, 2)})), some.verdict(Found({PRINTED: (1, 2, 3)}))
        ('holds', 'holds for 2 of 3')
        >>> some.verdict(Found({IMPROVED: (0.5,)}))
        'ours: does not hold'
        """
        printed = found.figures.get(PRINTED, ())
        said = self._said(printed or found.figures[IMPROVED])
        return said if printed else f"ours: {said}"

    def _said(self, figures: Sequence[float]) -> str:
        right = sum(map(self.admits, figures))
        if right in (0, len(figures)):
            return "holds" if right else "does not hold"
        return f"holds for {right} of {len(figures)}"


def load(paper: str) -> dict[str, Claim]:
    """Return the claims of a paper, one of `PAPERS`, by name and in the paper's order."""
    content = json.loads((FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
    claims = [Claim(paper=content["paper"], **each) for each in content["claims"]]
    return {claim.name: claim for claim in claims}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A claim, and what was found; or the reason why nothing was."""

    claim: Claim
    found: Found | None
    why: str = field(default="")

    @property
    def verdict(self) -> str:
        """Holds, does not hold, or not measured, with the reason."""
        return self.claim.verdict(self.found) if self.found else f"not measured: {self.why}"
