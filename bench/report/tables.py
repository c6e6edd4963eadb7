"""The papers' tables as parts: each cell is the paper's figure, the one measured, and the ratio."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any

from bench.papers import Cell, Table, load
from bench.report.changes import CHANGED
from bench.report.parts import Grid, Part
from bench.reproduce.cells import Line
from bench.reproduce.words import count_of, named, short
from bench.shared.record import Record

__all__ = ["Measured", "lines_of", "measured", "table_part"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A record of `bench.reproduce`: its label, and its lines by the cell that they are of."""

    label: str
    lines: Mapping[str, Line]

    def of(self, table: str, cell: Cell) -> Line | None:
        """Return the line of a cell, if it was wanted."""
        return self.lines.get(_key(table, cell.of))


def _key(table: str, of: Mapping[str, Any]) -> str:
    return table + json.dumps(of, sort_keys=True)


def measured(record: Record) -> Measured:
    """Return the lines of a record."""
    return Measured(
        record.label, {_key(row["table"], row["of"]): Line.of_row(row) for row in record.rows}
    )


def lines_of(records: Sequence[Measured], name: str, **of: Any) -> list[Line]:
    """Return the lines of the first record for some cells of a table that were measured."""
    found = (records[0].of(name, cell) for cell in load(name).cells(**of))
    return [line for line in found if line is not None and line.measured is not None]


def table_part(name: str, records: Sequence[Measured]) -> Part:
    """Return the part of a table."""
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
        CHANGED[name],
        [f"Paper: {table.device}.", *_about(table, records), *_odd(table)],
        [grid],
    )


def _described(table: Table, column: Mapping[str, Any]) -> str:
    """Return a column's name, without what is the same in all columns."""
    told = [
        named(key, value)
        for key, value in column.items()
        if key != "unit" and (len(table.columns) == 1 or not _common(table, key))
    ]
    return ", ".join(told) or table.fact


def _common(table: Table, key: str) -> bool:
    return len({str(column.get(key)) for column in table.columns}) == 1


def _cell(table: Table, cell: Cell, records: Sequence[Measured]) -> str:
    """Write the paper's figure, and after arrows those measured."""
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
    """Say for each record what it is, the ratios in short, and what was to be known of lines."""
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
