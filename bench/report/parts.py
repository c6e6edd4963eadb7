"""What the report is made of: a part for each table and figure of a paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]

Line = Literal["solid", "dashed", "dotted"]
"""How a curve is drawn: ours solid, a method as printed dashed, and the paper's numbers dotted,
with open markers."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a plot.

    `look` is a method, whose colour and marker the curve gets, and after a space another marker; or
    a number, for one of `OTHERS` of `bench.report.svg`. If it is empty, the curve gets the next of
    `OTHERS`.
    """

    label: str
    points: Sequence[Point]
    look: str = ""
    line: Line = "solid"


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves over common axes with labels; `log` names the logarithmic axes."""

    title: str
    x: str
    y: str
    curves: Sequence[Curve]
    log: str = "xy"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its head, and rows of the same length. The first `left` columns are names."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """One table or figure: of "Beliakov 2011", "Table I"; or what belongs to a paper beside them.

    `fact` says what it shows, `changed` what changed since the paper, and why; where it is empty,
    `prose.md` has it.
    """

    paper: str
    name: str
    fact: str
    changed: str = ""
    notes: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    plots: Sequence[Plot] = ()

    @property
    def file(self) -> str:
        """The name of the file of its plots.

        Examples
        --------
        >>> Part("Beliakov 2011", "Figure 2", "").file
        'figures/beliakov-2011-figure-2.svg'
        """
        words = self.paper.replace(" et al.", "").lower().split() + self.name.lower().split()
        return f"figures/{'-'.join(words)}.svg"
