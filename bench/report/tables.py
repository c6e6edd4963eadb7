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
from bench.shared.words import about, count_of, named, short
from bench.sources import IMPROVED, LIBRARY, PRINTED, TODAY

OURS = IMPROVED


@dataclass(frozen=True, slots=True)
class Measured:
    """A record of `bench.reproduce`: its label, and its lines by their cells and variants."""

    label: str
    lines: Mapping[tuple[str, str], Line]

    def find_line(self, table: str, cell: Cell, variant: str = OURS) -> Line | None:
        """Return the line of a cell, if there is one."""
        return self.lines.get((_key(table, cell.of), variant))

    def lines_of(self, table: str, variant: str = OURS, **of: Any) -> list[Line]:
        """Return the lines of some cells of a table that were measured."""
        found = (self.find_line(table, cell, variant) for cell in load(table).cells(**of))
        return [line for line in found if line is not None and line.measured is not None]

    def variants(self, table: str) -> list[str]:
        """Return the variants of the lines of a table: as printed, ours, and those of others."""
        known = {v: None for (key, v) in self.lines if key.startswith(f"{table}{{")}
        first = [each for each in (PRINTED, IMPROVED) if each in known]
        return first + [each for each in known if each not in (*first, TODAY)]

    def today(self, table: str) -> list[Line]:
        """Return the lines of methods that no paper has."""
        of = f"{table}{{"
        return [x for (key, v), x in self.lines.items() if v == TODAY and key.startswith(of)]


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
    odd = [f"Note: {table.note}."] if table.note else []
    return Part(
        table.paper,
        f"Table {table.table}",
        fact,
        "",
        [f"Paper: {table.device}.", *_about(table, records), *odd],
        [grid, *_today(records[0].today(name), table.unit)],
    )


def _today(lines: Sequence[Line], unit: str) -> list[Grid]:
    """Return a grid of the methods of today on a table's keys: a column for each size."""
    sizes = sorted({line.of["n"] for line in lines})
    rows: dict[tuple[str, ...], dict[int, str]] = {}
    for line in lines:
        head = (line.label, ", ".join(named(k, v) for k, v in line.of.items() if k not in SHOWN))
        rows.setdefault(head, {})[line.of["n"]] = short(line.measured)
    texts = [[*head, *(cells.get(n, "") for n in sizes)] for head, cells in rows.items()]
    heads = [f"today, {unit}", "of", *map(count_of, sizes)]
    return [Grid(heads, texts, 2)] if lines else []


SHOWN = ("n", "method", "part", "statistic")
"""Fields that another column has, or that are the same in all lines of today."""


def _described(table: Table, column: Mapping[str, Any]) -> str:
    """Return a column's name, without the words that all columns share."""
    told = [
        named(key, value)
        for key, value in column.items()
        if key != "unit"
        and (len(table.columns) == 1 or len({str(each.get(key)) for each in table.columns}) > 1)
    ]
    return ", ".join(told) or table.fact


def _rows(
    table: Table, head: list[str], cells: list[Cell], records: Sequence[Measured]
) -> list[list[str]]:
    """Return the paper's row, and below it the row of each variant that was measured."""
    found = [[*head, "paper", *("" if c.value is None else short(c.value) for c in cells)]]
    for record in records:
        where = f", {record.label}" if len(records) > 1 else ""
        for variant in record.variants(table.name):
            lines = [record.find_line(table.name, cell, variant) for cell in cells]
            if any(line and line.measured is not None for line in lines):
                blank = [""] * len(head)
                found.append([*blank, f"{_named(variant, lines)}{where}", *map(_told, lines)])
    return found


def _named(variant: str, lines: Sequence[Line | None]) -> str:
    """Return the variant, with what its labels say beside it; for a library's function, that."""
    label = next((line.label for line in lines if line and line.label), "")
    beside = label.partition(f", {variant}")[2]
    return label if variant == LIBRARY else variant + beside * beside.startswith(",")


def _told(line: Line | None) -> str:
    """Return what was measured, and the paper's figure over it."""
    if line is None or line.measured is None:
        return ""
    fewer = line.n and "n" in line.of and line.n != line.of["n"]
    at = f" at {count_of(line.n)}" if fewer and line.n else ""
    return short(line.measured) + (f" ({about(line.ratio)}×{at})" if line.ratio else at)


def _about(table: Table, records: Sequence[Measured]) -> list[str]:
    """Return notes on each record: its device, the ratios in short, what ran, and remarks."""
    told = []
    for record in records:
        told.append(f"Measured: {record.label}.")
        for variant in record.variants(table.name):
            told += _about_variant(table, record, variant)
    return told


def _about_variant(table: Table, record: Measured, variant: str) -> list[str]:
    cells = [cell for cell in table.cells() if cell.value is not None]
    some = [line for cell in cells if (line := record.find_line(table.name, cell, variant))]
    ratios = [line.ratio for line in some if line.ratio]
    text = f"{sum(line.measured is not None for line in some)} of {len(cells)} cells"
    if ratios:
        low, middle, high = (f"{about(f)}×" for f in (min(ratios), median(ratios), max(ratios)))
        text += f"; paper over measured from {low} to {high}, median {middle}"
    whys = Counter(line.why for line in some if line.why).items()
    remarks = [f"{count} cell{'s' if count > 1 else ''}: {why}" for why, count in whys]
    steps: dict[str, dict[str, None]] = {}
    for line in some:
        for part in line.how.replace("; ", ", ").split(", ") if line.measured else ():
            steps.setdefault(line.label, {})[part] = None
    ran = [f"{label}: {', '.join(names)}" for label, names in steps.items() if any(names)]
    found = [f"{variant.capitalize()}: {'. '.join([text, *remarks])}."]
    return found + ([f"Steps: {'; '.join(ran)}."] if ran else [])
