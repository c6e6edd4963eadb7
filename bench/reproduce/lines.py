"""Each cell of the papers' tables beside the measurements of the same thing, as printed and ours.

A line without a measurement has the reason. If the machine is too small for the paper's n, fewer
keys are measured, and the paper's time is divided in proportion.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from bench.papers import Cell, Table
from bench.reproduce.timing import Bench, Timed
from bench.shared.data import REFUSALS
from bench.shared.record import Row
from bench.shared.versions import LIBRARY, TODAY, Version, versions


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure."""

    sizes: int  # of each table, at most
    largest: int  # the most keys
    ranks: int
    vectors: int  # for each rank
    distributions: tuple[str, ...]

    def chosen(self, table: Table) -> set[int]:
        """Return evenly chosen sizes of a table, at least the smallest one."""
        every = sorted({cell.of["n"] for cell in table.cells() if "n" in cell.of})
        here = [n for n in every if n <= self.largest] or every[:1]
        places = np.linspace(0, len(here) - 1, min(self.sizes, len(here))).round().astype(int)
        return {here[place] for place in places}


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
    """A cell of a paper, and a measurement beside it; of methods of today the paper has none."""

    of: dict[str, Any]
    variant: str
    unit: str
    paper: float | None
    measured: float | None = None
    n: int | None = None  # keys that were measured
    label: str = ""  # what ran, as its trace told it
    how: str = ""  # the steps of the trace
    why: str = ""  # why there is no measurement, or a remark on it

    @classmethod
    def of_row(cls, row: Row) -> "Line":
        """Return the line in a row of a record."""
        return cls(**{name: value for name, value in row.items() if name != "table"})

    @property
    def ratio(self) -> float | None:
        """The paper's figure over the measured one; with fewer keys, the ratio of times per key."""
        if not self.measured or self.paper is None:
            return None
        fewer = self.n / self.of["n"] if self.n and self.unit == "ms" and "n" in self.of else 1
        return self.paper * fewer / self.measured


Measure = Callable[[Bench, Cell, Version, int, Wanted], Figure]
"""Measures a cell in one version of its method, with a number of keys."""

MANY = {"bucket-multi": "bucket"}
"""Methods that find many ranks together: the papers' names and ours."""

MOST = {"quickselect-serial": 1 << 22}
"""The most keys of a method that takes seconds for them: the time of more grows in proportion."""


def lines(bench: Bench, table: Table, wanted: Wanted, measure: Measure) -> Iterator[Line]:
    """Measure a table cell by cell, each in every version; few keys first."""
    sizes, some = wanted.chosen(table), list[tuple[Cell, Version]]()
    for cell in table.cells():
        sampled = "n" in cell.of and "data" not in cell.of  # a table of data sets is measured whole
        if cell.value is not None and (not sampled or cell.of["n"] in sizes):
            some += [(cell, version) for version in versions_of(cell)] + today(cell)
    for cell, version in sorted(some, key=lambda each: each[0].of.get("n", 0)):
        most = min(wanted.largest, MOST.get(version.method, wanted.largest))
        n = min(cell.of.get("n", most), most)
        found = _measured(measure, bench, cell, version, n, wanted)
        count = n if found.measured is not None else None
        yield Line(cell.of, version.variant, cell.unit, cell.value, n=count, **found._asdict())


def versions_of(cell: Cell) -> tuple[Version, ...]:
    """Return the versions of a cell's method; of quickselect, which ran on the CPU, NumPy's too."""
    library = (Version(LIBRARY),) if cell.of.get("method") == "quickselect" else ()
    return (*library, *versions(method_of(cell)))


def today(cell: Cell) -> list[tuple[Cell, Version]]:
    """Return cells of the methods of today beside that of a sort; many ranks are found by auto."""
    total = cell.of.get("part") == "total" or cell.of.get("statistic") == "mean"
    many = "ranks" in cell.of and "dtype" in cell.of
    if cell.of.get("method") != "sort-choose" or not (total or many):
        return []
    names = TODAY[:1] if many else TODAY
    return [
        (replace(cell, of={**cell.of, "method": name}, value=None), Version(name)) for name in names
    ]


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
