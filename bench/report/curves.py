"""Curves of plots, made of the rows of records or of the cells of tables."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import mean
from typing import Any

from bench.papers import load
from bench.report.parts import Curve, Line
from bench.shared.record import Record, Row
from bench.shared.words import joined
from bench.sources import PRINTED, Sources

Statistic = Callable[[list[float]], float]
"""Makes one value of several."""

POINTS = "Open markers: the paper's numbers, from {}."
OURS_ALONE = "The paper's numbers are not in its text: the plot is of ours alone."
DASHED = "Open markers: the paper's numbers, from {}. Dashed: as printed. Solid: improved. {}."
"""Notes on plots."""


def curve(
    label: str,
    rows: Iterable[Row],
    x: str,
    y: str | Callable[[Row], float],
    *,
    look: str = "",
    line: Line = "solid",
    of: Statistic = mean,
) -> Curve:
    """Make a curve of rows; `of` makes one value of several rows at the same place."""
    found = ((row[x], row[y] if isinstance(y, str) else y(row)) for row in rows)
    return Curve(label, _points([each for each in found if each[1] is not None], of), look, line)


def _points(found: Iterable[tuple[Any, Any]], of: Statistic = mean) -> list[tuple[float, float]]:
    places: dict[Any, list[float]] = defaultdict(list)
    for place, value in found:
        places[place].append(value)
    return [(place, of(values)) for place, values in sorted(places.items())]


def paper(
    table: str, name: str, x: str, /, *, look: str = "", end: str = "", **of: Any
) -> list[Curve]:
    """Make a curve of the numbers in a paper's table, if it has some."""
    cells = load(table).cells(**of)
    points = _points((cell.of[x], cell.value) for cell in cells if cell.value)
    found = Curve(f"{name}, paper{end}", points, look or name, "dotted")
    return [found] if points else []


def lines(
    rows: Iterable[Row],
    x: str,
    y: str = "ms",
    *,
    of: Statistic = mean,
    look: str = "",
    end: str = "",
) -> list[Curve]:
    """Make a curve of each thing that ran, named by its label."""
    by_label: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_label[row["label"]].append(row)
    return [
        curve(
            f"{label}{end}",
            some,
            x,
            y,
            look=look or some[0]["method"],
            line="dashed" if some[0]["variant"] == PRINTED else "solid",
            of=of,
        )
        for label, some in by_label.items()
    ]


class Times:
    """The rows of a record of `bench.curves`, one for each rank; of one rank after the other."""

    def __init__(self, sources: Sources) -> None:
        self.record = sources["curves"]
        self.rows = [row for row in sources.rows("curves") if row["ms"]]

    def where(self, curve: str = "methods", **of: Any) -> list[Row]:
        """Return the rows that have these values, and a time."""
        wanted = {"curve": curve, **of}
        return [row for row in self.rows if wanted.items() <= row.items()]

    def most(self, curve: str = "methods", **of: Any) -> int:
        """Return the largest number of keys."""
        return max(int(row["n"]) for row in self.where(curve, **of))

    def sizes(self, powers: Iterable[int], **of: Any) -> list[int]:
        """Return the numbers of keys that are these powers of two, or all that were measured."""
        known = sorted({int(row["n"]) for row in self.where(**of)})
        return [1 << power for power in powers if 1 << power in known] or known

    def ranks(self) -> str:
        """Return a note on how many ranks were measured, each on one vector."""
        rows = [row for row in self.record.rows if "each" in row]
        most = max(len(row["each"]) for row in rows)
        fewer: dict[int, set[str]] = defaultdict(set)
        for row in rows:
            if len(row["each"]) < most:
                what = "adversaries" if row["curve"] == "adversaries" else row["method"]
                fewer[len(row["each"])].add(what)
        told = (f"{count} for {joined(sorted(of))}" for count, of in sorted(fewer.items()))
        return "; ".join([f"One vector of each size, {most} ranks", *told]) + "."

    def faults(self) -> str:
        """Return a note on the answers that counts refuted, or that did not come; or nothing."""
        told: dict[tuple[str, str], int] = defaultdict(int)
        for row in self.record.rows:
            for fault, count in row.get("faults", {}).items():
                told[row["label"], fault] += count
        found = (f"{label}, {count} answers: {fault}" for (label, fault), count in told.items())
        named = "; ".join(found)
        return f"Timed with a fault, over all curves: {named}." if named else ""


def note_of(record: Record) -> str:
    """Return what was drawn, and how variants look."""
    return (
        f"Dashed: as printed, timed without the proof by counts. Solid: our version, with it. "
        f"Measured: {record.label}."
    )
