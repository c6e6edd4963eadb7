"""The papers' tables as parts: each cell has the paper's figure, the measured one and the ratio."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any

from bench.papers import Cell, Table, load
from bench.report.parts import Grid, Part
from bench.reproduce.cells import Line
from bench.shared.record import Record
from bench.shared.words import about, count_of, named, short, span

MEMORY = "memory limits these methods, and the newer card moves far more bytes a second"
"""Why many methods are faster than they were."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A record of `bench.reproduce`: its label, and its lines by their cells."""

    label: str
    lines: Mapping[str, Line]

    def of(self, table: str, cell: Cell) -> Line | None:
        """Return the line of a cell, if there is one."""
        return self.lines.get(_key(table, cell.of))

    def lines_of(self, table: str, **of: Any) -> list[Line]:
        """Return the lines of some cells of a table that were measured."""
        found = (self.of(table, cell) for cell in load(table).cells(**of))
        return [line for line in found if line is not None and line.measured is not None]


class Cells:
    """Measured cells of a table: those that are of something. Prose takes its figures from them."""

    def __init__(self, ours: Measured, table: str, **of: Any) -> None:
        self.lines = ours.lines_of(table, **of)

    @property
    def gains(self) -> str:
        """How many times faster they are than in the paper."""
        return span(line.ratio for line in self.lines if line.ratio)

    @property
    def ours(self) -> str:
        """The measurements."""
        return span(self.values("measured"))

    @property
    def papers(self) -> str:
        """The paper's figures."""
        return span(self.values("paper"))

    @property
    def share(self) -> str:
        """The measurements, as shares or multiples of the paper's figures."""
        return span(line.measured / line.paper for line in self.lines if line.measured)

    def values(self, key: str) -> list[float]:
        """Return the paper's figures, or the measurements."""
        return [getattr(line, key) for line in self.lines]

    def over(self, other: "Cells", key: str) -> float:
        """Return the sum of some figures over that of others."""
        return sum(self.values(key)) / sum(other.values(key))

    def swing(self, key: str) -> str:
        """Return the longest time over the shortest for the same number of keys."""
        times = defaultdict(list)
        for line in self.lines:
            times[line.of["n"]].append(getattr(line, key))
        return about(max(max(some) / min(some) for some in times.values()))


def _key(table: str, of: Mapping[str, Any]) -> str:
    return table + json.dumps(of, sort_keys=True)


def measured(record: Record) -> Measured:
    """Return the lines of a record."""
    return Measured(
        record.label, {_key(row["table"], row["of"]): Line.of_row(row) for row in record.rows}
    )


def table_part(name: str, records: Sequence[Measured], changed: str = "") -> Part:
    """Return the part of a table; `changed` is the sentence on what changed."""
    table = load(name)
    described = [_described(table, column) for column in table.columns]
    cells, rows = table.cells(), []
    for row in table.rows:
        head = [named(key, value) for key, value in zip(table.index, row, strict=False)]
        some = islice(cells, len(table.columns))
        rows.append([*head, *(_cell(table, cell, records) for cell in some)])
    grid = Grid([*table.index, *described], rows, len(table.index))
    said = table.unit == "ratio" or table.unit in table.fact
    fact = table.fact if said else f"{table.fact}, in {table.unit}"
    return Part(
        table.paper,
        f"Table {table.table}",
        fact,
        changed,
        [f"Paper: {table.device}.", *_about(table, records), *_odd(table)],
        [grid],
    )


def _described(table: Table, column: Mapping[str, Any]) -> str:
    """Return a column's name, without the words that all columns share."""
    told = [
        named(key, value)
        for key, value in column.items()
        if key != "unit" and (len(table.columns) == 1 or not _common(table, key))
    ]
    return ", ".join(told) or table.fact


def _common(table: Table, key: str) -> bool:
    return len({str(column.get(key)) for column in table.columns}) == 1


def _cell(table: Table, cell: Cell, records: Sequence[Measured]) -> str:
    """Return the paper's figure, and after arrows the measured ones."""
    if cell.value is None:
        return ""
    told = [short(cell.value)]
    for record in records:
        line = record.of(table.name, cell)
        if line is None or line.measured is None:
            continue
        fewer = line.n and "n" in line.of and line.n != line.of["n"]
        at = f" at {count_of(line.n)}" if fewer and line.n else ""
        told.append(short(line.measured) + (f" ({short(line.ratio)}×{at})" if line.ratio else at))
    return " → ".join(told)


def _about(table: Table, records: Sequence[Measured]) -> list[str]:
    """Return notes on each record: its device, the ratios in short, and the remarks on lines."""
    told = []
    for record in records:
        lines = [record.of(table.name, cell) for cell in table.cells()]
        some = [line for line in lines if line is not None]
        ratios = [line.ratio for line in some if line.ratio]
        text = f"Measured: {record.label}"
        if ratios:
            low, middle, high = (f"{short(f)}×" for f in (min(ratios), median(ratios), max(ratios)))
            text += f"; paper over measured from {low} to {high}, median {middle}"
        told.append(f"{text}; {len(ratios)} of {_filled(table)} cells.")
        for why, count in Counter(line.why for line in some if line.why).items():
            told.append(f"{count} cells: {why}.")
    return told


def _filled(table: Table) -> int:
    return sum(cell.value is not None for cell in table.cells())


def _odd(table: Table) -> list[str]:
    return [f"Note: {table.note}."] if table.note else []
