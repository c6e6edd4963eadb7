"""Each cell of the papers' tables beside the measurements of the same thing, as printed and ours.

A line without a measurement has the reason. If the machine is too small for the paper's n, fewer
keys are measured, and the paper's time is divided in proportion.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bench.papers import Cell, Table
from bench.reproduce.timing import Bench, Timed
from bench.shared.data import REFUSALS
from bench.shared.record import Row
from bench.shared.versions import Version, versions


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure: sizes of each table, the largest size, ranks, vectors, distributions."""

    sizes: int
    largest: int
    ranks: int
    vectors: int
    distributions: tuple[str, ...]

    def chosen(self, table: Table) -> set[int]:
        """Return evenly chosen sizes of a table, at least the smallest one."""
        every = sorted({cell.of["n"] for cell in table.cells() if "n" in cell.of})
        here = [n for n in every if n <= self.largest] or every[:1]
        places = np.linspace(0, len(here) - 1, min(self.sizes, len(here))).round().astype(int)
        return {here[place] for place in places}

    def at(self, n: int) -> int:
        """Return the number of keys that are measured for a paper's n."""
        return min(n, self.largest)


class Figure(NamedTuple):
    """A measurement, or None; what ran; and a remark, or the reason why there is none."""

    measured: float | None
    label: str = ""
    how: str = ""
    why: str = ""


def of_timed(found: Timed, *remarks: str) -> Figure:
    """Return the figure of a measurement, with remarks; the fault of an answer is one of them."""
    return Figure(found.ms, found.label, found.how, one_remark(found.fault, *remarks))


def one_remark(*remarks: str) -> str:
    """Return some remarks as one."""
    return "; ".join(remark for remark in remarks if remark)


@dataclass(frozen=True, slots=True)
class Line:
    """A cell of a paper, and a measurement beside it.

    `label` names what ran, as its trace told it, and `how` the steps of the trace. `n` keys were
    measured; `why` says why there is no measurement, or is a remark on it.
    """

    of: dict[str, Any]
    variant: str
    unit: str
    paper: float
    measured: float | None = None
    n: int | None = None
    label: str = ""
    how: str = ""
    why: str = ""

    @classmethod
    def of_row(cls, row: Row) -> "Line":
        """Return the line in a row of a record."""
        return cls(**{name: value for name, value in row.items() if name != "table"})

    @property
    def ratio(self) -> float | None:
        """The paper's figure over the measured one; with fewer keys, the ratio of times per key."""
        if not self.measured:
            return None
        fewer = self.n / self.of["n"] if self.n and self.unit == "ms" and "n" in self.of else 1
        return self.paper * fewer / self.measured


Measure = Callable[[Bench, Cell, Version, int, Wanted], Figure]
"""Measures a cell in one version of its method, with a number of keys."""

MANY = {"bucket-multi": "bucket"}
"""Methods that find many ranks together: the papers' names and ours."""


def lines(bench: Bench, table: Table, wanted: Wanted, measure: Measure) -> Iterator[Line]:
    """Measure a table cell by cell, each as printed and in our version."""
    sizes = wanted.chosen(table)
    for cell in table.cells():
        sampled = "n" in cell.of and "data" not in cell.of  # a table of data sets is measured whole
        if cell.value is None or (sampled and cell.of["n"] not in sizes):
            continue
        n = wanted.at(cell.of.get("n", wanted.largest))
        for version in versions(method_of(cell)):
            found = _measured(measure, bench, cell, version, n, wanted)
            count = n if found.measured is not None else None
            yield Line(cell.of, version.variant, cell.unit, cell.value, n=count, **found._asdict())


def method_of(cell: Cell) -> str:
    """Return our name of the method of a cell; some tables are of one method."""
    named = cell.of.get("method") or cell.of.get("faster") or "bucket"
    return MANY.get(named, named)


def _measured(
    measure: Measure, bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted
) -> Figure:
    try:
        return measure(bench, cell, version, n, wanted)
    except REFUSALS as error:
        return Figure(None, why=str(error))
