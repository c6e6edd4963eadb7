"""The figures 8 and 9 of Govindaraju, Raghuvanshi and Manocha 2005, redrawn from our records."""

from collections.abc import Iterator
from typing import NamedTuple

from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import Record, Row, record
from shadersort.lessons.shared.tables import Table


class Sliding(NamedTuple):
    """A figure of the paper: its number, what is summarised, the window, and our record."""

    number: int
    workload: str
    window: int
    recorded: Record

    @property
    def title(self) -> str:
        """What is summarised, of how many values."""
        return f"{self.number}: {self.workload} of the last {self.window / 1e6:g} million"

    def series(self, shortest: int) -> streams.Series:
        """Return the series for windows of at least so many values."""
        of = {"workload": f"sliding-{self.workload}", "window": self.window, "shortest": shortest}
        return streams.series(self.recorded, data="uniform", **of)

    def ways(self) -> Iterator[tuple[str, streams.Series]]:
        """Yield the series for one length of the window, and for every length up to it."""
        yield "n fixed", self.series(self.window)
        yield "any n", self.series(1)


FIGURES = (
    Sliding(8, "frequencies", 10**6, record("streams-sliding-frequencies-nvidia-h200")),
    Sliding(9, "quantiles", 10**7, record("streams-sliding-quantiles-nvidia-h200")),
)


def table_of_seconds(number: int) -> Table:
    """Return the seconds of a figure of the paper, for both ways to ask."""
    (each,) = (each for each in FIGURES if each.number == number)
    found = {f"{label}; {way}": rows for way, some in each.ways() for label, rows in some.items()}
    told = f"{each.title}, {streams.machines(each.recorded)}: seconds for 100 million values"
    return streams.seconds_table(found, told)


def show_shares() -> Table:
    """Return the share of sorting in the time of each sorter but CUDA, where there are blocks."""
    lines: dict[str, list[str]] = {}
    for each in FIGURES:
        for _, found in each.ways():
            for label, rows in found.items():
                if not label.startswith(streams.CUDA):
                    lines.setdefault(label, []).append(_shares(rows))
    head = ("", *(f"{each.number}: {way}" for each in FIGURES for way, _ in each.ways()))
    told = tuple((label, *shares) for label, shares in lines.items())
    return Table(head, told, "share of the time that sorting takes")


def _shares(rows: list[Row]) -> str:
    """Return the least and the largest share of sorting, in percent."""
    shares = [100 * row["sort_share"] for row in rows if row.get("sort_share") is not None]
    return f"{streams.span(shares)} %" if shares else "–"
