"""What the report is made of: a part for each table and figure of a paper."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bench.report.changes import CHANGED
from bench.report.plot import Plot

__all__ = ["Grid", "Part", "figure"]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its head, and its rows of as many fields. The first `left` columns are names."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """One table or figure.

    Attributes
    ----------
    paper, name
        "Beliakov 2011", "Table I".
    fact
        What it shows.
    changed
        One sentence: what changed, and why.
    notes
        Where figures come from: devices, dates, what is odd, what is missing.
    grids, plots
        What is seen.
    """

    paper: str
    name: str
    fact: str
    changed: str
    notes: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    plots: Sequence[Plot] = field(default=())

    @property
    def slug(self) -> str:
        """The name of its files, and of its place in a page.

        Examples
        --------
        >>> Part("Beliakov 2011", "Figure 2", "", "").slug
        'beliakov-2011-figure-2'
        """
        words = self.paper.replace(" et al.", "").lower().split() + self.name.lower().split()
        return "-".join(words)

    @property
    def files(self) -> dict[str, Plot]:
        """The plots, by the names of their files beside the pages."""
        return {f"figures/{self.slug}-{n}.svg": plot for n, plot in enumerate(self.plots, start=1)}


def figure(paper: str, number: int, fact: str, notes: Sequence[str] = (), **seen: Any) -> Part:
    """Return a figure of a paper, with the sentence on what changed."""
    part = Part(paper, f"Figure {number}", fact, "", notes, **seen)
    return replace(part, changed=CHANGED[part.slug])
