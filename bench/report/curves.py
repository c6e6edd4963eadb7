"""Curves of plots, made of the rows of records or of the cells of tables."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean
from typing import Any

from bench.papers import load
from bench.report.plot import Curve, Line, Plot
from bench.report.tables import Measured
from bench.shared.record import Record, Row

OURS_ALONE = "The paper's numbers are not in its text: the plot is of ours alone."
DASHED = "Dashed, with open markers: the paper's numbers, from {}. Solid: {}."
"""Notes on plots."""


def curve(
    label: str,
    rows: Iterable[Row],
    x: str | Callable[[Row], float],
    y: str | Callable[[Row], float],
    *,
    look: str = "",
    line: Line = "solid",
    of: Callable[[list[float]], float] = mean,
) -> Curve:
    """Make a curve of rows; `of` makes one value of several rows at the same place."""
    found = ((_asked(row, x), _asked(row, y)) for row in rows)
    return Curve(label, _points([each for each in found if each[1] is not None], of), look, line)


def _asked(row: Row, what: str | Callable[[Row], float]) -> Any:
    return row[what] if isinstance(what, str) else what(row)


def _points(
    found: Iterable[tuple[Any, Any]], of: Callable[[list[float]], float] = mean
) -> list[tuple[float, float]]:
    places: dict[Any, list[float]] = defaultdict(list)
    for place, value in found:
        places[place].append(value)
    return [(place, of(values)) for place, values in sorted(places.items())]


def curves(
    rows: Sequence[Row], by: str, x: str, y: str, looks: Mapping[Any, str] | None = None
) -> list[Curve]:
    """Make a curve for each value of one field, in the order of the rows."""
    found = []
    for value in dict.fromkeys(row[by] for row in rows):
        some = [row for row in rows if row[by] == value]
        found.append(curve(str(value), some, x, y, look=(looks or {}).get(value, str(value))))
    return [each for each in found if each.points]


def plots(
    record: Record,
    wanted: Mapping[str, Mapping[str, Any]],
    by: str = "method",
    over: str = "n",
    axes: tuple[str, str] = ("keys", "ms"),
    log: str = "xy",
    looks: Mapping[Any, str] | None = None,
) -> list[Plot]:
    """Plot times of some rows of a record, by title; a curve for each value of `by`."""
    return [
        Plot(title, *axes, curves(record.where(**of), by, over, "ms", looks), log)
        for title, of in wanted.items()
    ]


def pair(
    ours: Measured, table: str, label: str, x: str, *, look: str = "", **of: Any
) -> list[Curve]:
    """Make two curves of some cells of a table: the paper's, of all cells, and the measured one."""
    paper = _points((cell.of[x], cell.value) for cell in load(table).cells(**of) if cell.value)
    whole = [
        (line.of[x], line.paper / line.ratio if line.ratio else line.measured)
        for line in ours.lines_of(table, **of)
        if line.measured
    ]
    look = look or label
    found = [Curve(f"{label}, paper", paper, look, "dotted"), Curve(label, _points(whole), look)]
    return [each for each in found if each.points]


def pairs(
    ours: Measured, table: str, labels: Iterable[str], x: str, by: str = "method", **of: Any
) -> list[Curve]:
    """Make two curves for each value of one field of a table."""
    return [each for label in labels for each in pair(ours, table, label, x, **{by: label}, **of)]
