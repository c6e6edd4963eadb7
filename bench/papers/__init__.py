"""The papers' tables of their own measurements, as data: one file for each table.

A file has the paper, the number of the table, the measured quantity and its unit, the device, a
note on oddities, and the cells. The first fields of a row, named by `index`, and the description of
its column together describe a cell. Methods, types and distributions have the names of this
package; `bucket-multi` is bucketMultiSelect, all ranks together. A null is a cell that the paper
leaves empty.

>>> radix = load("alabi-2012-3")
>>> radix.paper, radix.table, radix.unit
('Alabi et al. 2012', 'III', 'ms')
>>> radix.value(n=1 << 29, method="bucket", statistic="mean")
156.776
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

TABLES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
"""The names of all tables: those of their files."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table: `of` describes it; an empty cell has no value."""

    of: dict[str, Any]
    value: float | None
    unit: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper."""

    # the file's name; author and year; the table's number in the paper
    name: str
    paper: str
    table: str
    # the measured quantity, its unit, the device; and oddities
    fact: str
    unit: str
    device: str
    note: str
    index: list[str]  # the names of the first fields of each row
    # a description of each further field; its "unit" overrides the table's
    columns: list[dict[str, Any]]
    rows: list[list[Any]]  # the fields

    def cells(self, **of: Any) -> Iterator[Cell]:
        """Yield the cells whose description includes all this, row by row."""
        for row in self.rows:
            head = dict(zip(self.index, row, strict=False))
            for column, value in zip(self.columns, row[len(self.index) :], strict=True):
                unit = column.get("unit", self.unit)
                cell = Cell({**head, **column}, value, unit)
                if of.items() <= cell.of.items():
                    yield cell

    def value(self, **of: Any) -> float | None:
        """Return the value of the only cell whose description includes all this.

        Raises KeyError if there is no such cell, or several.
        """
        found = list(self.cells(**of))
        if len(found) != 1:
            raise KeyError(f"{len(found)} cells of {self.name} are of {of}")
        return found[0].value


def load(name: str) -> Table:
    """Return the table called `name`, one of `TABLES`."""
    return Table(name, **json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))
