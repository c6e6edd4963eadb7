"""The papers' tables as parts: below each row of a paper the measured rows, with their ratios."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import Any

from bench.papers import Cell, Table, load
from bench.report.parts import Grid, Part
from bench.reproduce.lines import Line
from bench.shared.record import Record
from bench.shared.versions import VARIANTS
from bench.shared.words import about, count_of, named, short
from shadersort.names import Variant

PRINTED, OURS = VARIANTS


@dataclass(frozen=True, slots=True)
class Measured:
    """A record of `bench.reproduce`: its label, and its lines by their cells and variants."""

    label: str
    lines: Mapping[tuple[str, str], Line]

    def of(self, table: str, cell: Cell, variant: Variant = OURS) -> Line | None:
        """Return the line of a cell, if there is one."""
        return self.lines.get((_key(table, cell.of), variant))

    def lines_of(self, table: str, variant: Variant = OURS, **of: Any) -> list[Line]:
        """Return the lines of some cells of a table that were measured."""
        found = (self.of(table, cell, variant) for cell in load(table).cells(**of))
        return [line for line in found if line is not None and line.measured is not None]

    def variants(self, table: str) -> list[Variant]:
        """Return the variants of the lines of a table."""
        known = {
            line.variant for (key, _), line in self.lines.items() if key.startswith(f"{table}{{")
        }
        return [variant for variant in VARIANTS if variant in known]


def _key(table: str, of: Mapping[str, Any]) -> str:
    return table + json.dumps(of, sort_keys=True)


def measured(record: Record) -> Measured:
    """Return the lines of a record."""
    rows = ((_key(row["table"], row["of"]), Line.of_row(row)) for row in record.rows)
    return Measured(record.label, {(key, line.variant): line for key, line in rows})


def table_part(name: str, records: Sequence[Measured]) -> Part:
    """Return the part of a table."""
    table = load(name)
    described = [_described(table, column) for column in table.columns]
    cells, rows = table.cells(), []
    for row in table.rows:
        head = [named(key, value) for key, value in zip(table.index, row, strict=False)]
        rows += _rows(table, head, list(islice(cells, len(table.columns))), records)
    grid = Grid([*table.index, "measured", *described], rows, len(table.index) + 1)
    said = table.unit == "ratio" or table.unit in table.fact
    fact = table.fact if said else f"{table.fact}, in {table.unit}"
    return Part(
        table.paper,
        f"Table {table.table}",
        fact,
        "",
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


def _rows(
    table: Table, head: list[str], cells: list[Cell], records: Sequence[Measured]
) -> list[list[str]]:
    """Return the paper's row, and below it the row of each variant that was measured."""
    found = [[*head, "paper", *("" if c.value is None else short(c.value) for c in cells)]]
    for record in records:
        where = f", {record.label}" if len(records) > 1 else ""
        for variant in record.variants(table.name):
            lines = [record.of(table.name, cell, variant) for cell in cells]
            if any(line and line.measured is not None for line in lines):
                blank = [""] * len(head)
                found.append([*blank, f"{variant}{where}", *map(_told, lines)])
    return found


def _told(line: Line | None) -> str:
    """Return what was measured, and the paper's figure over it."""
    if line is None or line.measured is None:
        return ""
    fewer = line.n and "n" in line.of and line.n != line.of["n"]
    at = f" at {count_of(line.n)}" if fewer and line.n else ""
    return short(line.measured) + (f" ({about(line.ratio)}×{at})" if line.ratio else at)


def _about(table: Table, records: Sequence[Measured]) -> list[str]:
    """Return notes on each record: its device, the ratios in short, and the remarks on lines."""
    told = []
    for record in records:
        told.append(f"Measured: {record.label}.")
        for variant in record.variants(table.name):
            told += _about_variant(table, record, variant)
    return told


def _about_variant(table: Table, record: Measured, variant: Variant) -> list[str]:
    lines = [
        record.of(table.name, cell, variant) for cell in table.cells() if cell.value is not None
    ]
    some = [line for line in lines if line is not None]
    ratios = [line.ratio for line in some if line.ratio]
    text = f"{sum(line.measured is not None for line in some)} of {_filled(table)} cells"
    if ratios:
        low, middle, high = (f"{about(f)}×" for f in (min(ratios), median(ratios), max(ratios)))
        text += f"; paper over measured from {low} to {high}, median {middle}"
    whys = Counter(line.why for line in some if line.why).items()
    remarks = [f"{count} cell{'s' if count > 1 else ''}: {why}" for why, count in whys]
    return [f"{variant.capitalize()}: {'. '.join([text, *remarks])}."]


def _filled(table: Table) -> int:
    return sum(cell.value is not None for cell in table.cells())


def _odd(table: Table) -> list[str]:
    return [f"Note: {table.note}."] if table.note else []
