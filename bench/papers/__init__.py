"""The tables that the papers print of their own measurements, as data: one file a table.

A file holds the paper and the number of the table, what it measures and in what unit, the device,
a note on what is odd about it, and its cells. The first fields of a row, named by `index`, and the
description of a column say together what a cell is of. Methods, types and distributions have the
names that this package gives them; `bucket-multi` is bucketMultiSelect, all ranks at once. A null
is a cell that the paper leaves empty.

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

__all__ = ["TABLES", "Cell", "Table", "load"]

FOLDER = Path(__file__).parent

TABLES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
"""Every table by the name of its file."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of a table: `of` says what it was measured of; `value` is None if left empty."""

    of: dict[str, Any]
    value: float | None
    unit: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper.

    Attributes
    ----------
    name, paper, table
        The file's name; author and year; the number that the paper gives it.
    fact, unit, device, note
        What was measured, in what unit, on what; and what is odd about it.
    index
        What the first fields of each row are.
    columns
        What the others are: a description each. Its "unit" goes before the table's.
    rows
        The fields.
    """

    name: str
    paper: str
    table: str
    fact: str
    unit: str
    device: str
    note: str
    index: list[str]
    columns: list[dict[str, Any]]
    rows: list[list[Any]]

    def cells(self, **of: Any) -> Iterator[Cell]:
        """Yield the cells that are of all this, row by row."""
        for row in self.rows:
            head = dict(zip(self.index, row, strict=False))
            for column, value in zip(self.columns, row[len(self.index) :], strict=True):
                unit = column.get("unit", self.unit)
                cell = Cell({**head, **column}, value, unit)
                if of.items() <= cell.of.items():
                    yield cell

    def value(self, **of: Any) -> float | None:
        """Return the value of the only cell that is of all this.

        Raises KeyError if there is none, or several.
        """
        found = list(self.cells(**of))
        if len(found) != 1:
            raise KeyError(f"{len(found)} cells of {self.name} are of {of}")
        return found[0].value


def load(name: str) -> Table:
    """Return the table called `name`, one of `TABLES`."""
    return Table(name, **json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))
