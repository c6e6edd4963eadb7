"""The figures 8 and 9 of Govindaraju, Raghuvanshi and Manocha 2005, redrawn from our records."""

from typing import NamedTuple

from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import Record, record
from shadersort.lessons.shared.tables import Table


class Sliding(NamedTuple):
    """A figure of the paper: its number, what is summarised, the window, and our record."""

    number: int
    workload: str
    window: int
    recorded: Record

    @property
    def rate(self) -> str:
        """How many values were measured, for the title of times of 100 million."""
        return f" at the speed of {self.recorded.rows[0]['keys'] / 1e6:g} million"

    def series(self, shortest: int) -> streams.Series:
        """Return the series for windows of at least so many values."""
        of = {"workload": f"sliding-{self.workload}", "window": self.window, "shortest": shortest}
        return streams.series(self.recorded, data="uniform", **of)

    def ways(self) -> dict[str, streams.Series]:
        """Return the series for one length of the window, and for every length up to it."""
        return {"n fixed": self.series(self.window), "any n": self.series(1)}


FIGURES = (
    Sliding(8, "frequencies", 10**6, record("streams-sliding-frequencies-nvidia-h200")),
    Sliding(9, "quantiles", 10**7, record("streams-sliding-quantiles-nvidia-h200")),
)


def table_of_seconds(number: int) -> Table:
    """Return the seconds of a figure of the paper, for both ways to ask."""
    (each,) = (each for each in FIGURES if each.number == number)
    ways = each.ways().items()
    found = {f"{label}; {way}": rows for way, some in ways for label, rows in some.items()}
    title = f"{number}: {each.workload} of the last {each.window / 1e6:g} million"
    told = f"{title}, {streams.machines(each.recorded)}: seconds for 100 million values{each.rate}"
    return streams.seconds_table(found, told)


def show_shares() -> Table:
    """Return the share of sorting in the time of each sorter but CUDA, where there are blocks."""
    lines: dict[str, list[str]] = {}
    for each in FIGURES:
        for found in each.ways().values():
            for label, rows in found.items():
                shares = [100 * row["sort_share"] for row in rows if not streams.is_whole(row)]
                told = f"{streams.span(shares)} %" if shares else "–"
                lines.setdefault(label, []).append(told)
    head = ("", *(f"{each.number}: {way}" for each in FIGURES for way in each.ways()))
    shown = {label: line for label, line in lines.items() if not label.startswith(streams.CUDA)}
    return Table(
        head,
        tuple((label, *line) for label, line in shown.items()),
        "share of the time that sorting takes",
    )
