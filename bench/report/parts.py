"""What the report is made of: a part for each table and figure of a paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.report.plot import Plot


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its head, and rows of the same length. The first `left` columns are names."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """One table or figure: of "Beliakov 2011", "Table I"; or what belongs to a paper beside them.

    `fact` says what it shows, `changed` what changed since the paper, and why, in one sentence.
    """

    paper: str
    name: str
    fact: str
    changed: str
    notes: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    plots: Sequence[Plot] = ()

    @property
    def slug(self) -> str:
        """The stem of the names of its files.

        Examples
        --------
        >>> Part("Beliakov 2011", "Figure 2", "", "").slug
        'beliakov-2011-figure-2'
        """
        words = self.paper.replace(" et al.", "").lower().split() + self.name.lower().split()
        return "-".join(words)

    @property
    def files(self) -> dict[str, Sequence[Plot]]:
        """The plots, by the name of their file beside the pages."""
        return {f"figures/{self.slug}.svg": self.plots} if self.plots else {}
