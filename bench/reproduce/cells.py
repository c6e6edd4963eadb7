"""Each cell of the papers' tables beside the measurement of the same thing.

A line without a measurement has the reason. If the machine is too small for the paper's n, fewer
keys are measured, and the paper's time is divided in proportion.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.papers import Cell, Table
from bench.reproduce.phases import BUCKETS, CUTTING_PLANE
from bench.reproduce.timing import Bench
from bench.shared.data import REFUSALS
from bench.shared.machines import Host
from bench.shared.record import Row

SHARES = (0.01, 0.025, *np.arange(0.05, 0.96, 0.05).round(2).tolist(), 0.975, 0.99)
RANKS = len(SHARES) + 2
"""Number of ranks in Alabi et al.: the second, the last but one, and shares of n."""

DATA_SETS = 9
"""Number of data sets in Beliakov's means."""

PERCENTILES, TENTHS, PAPER_BUCKETS = 101, 11, 11264
MOST_RANKS = 8191
"""The most ranks that Blanchard et al. could select together."""

MANY = {"bucket-multi": "bucket", "sort-choose": "sort-choose"}
"""Methods that find many ranks together: the papers' names and ours."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure: sizes of each table, the largest size, ranks, and distributions."""

    sizes: int
    largest: int
    ranks: int
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


@dataclass(frozen=True, slots=True)
class Line:
    """A cell of a paper, and the measurement beside it.

    `n` keys were measured; `why` says why there is no measurement, or is a remark on it.
    """

    of: dict[str, Any]
    unit: str
    paper: float
    measured: float | None = None
    n: int | None = None
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


Figure = tuple[float | None, str]
"""A measurement and a remark; or None and the reason."""


def lines(bench: Bench, table: Table, wanted: Wanted) -> Iterator[Line]:
    """Measure a table, cell by cell."""
    measure = HOW[table.name]
    sizes = wanted.chosen(table)
    for cell in table.cells():
        sampled = "n" in cell.of and "data" not in cell.of  # a table of data sets is measured whole
        if cell.value is None or (sampled and cell.of["n"] not in sizes):
            continue
        n = wanted.at(cell.of.get("n", wanted.largest))
        try:
            figure, why = measure(bench, cell, n, wanted)
        except REFUSALS as error:
            figure, why = None, str(error)
        yield Line(cell.of, cell.unit, cell.value, figure, n if figure is not None else None, why)


def beliakov(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Measure the median of all keys; return the mean over the distributions."""
    method, part, dtype = (cell.of[key] for key in ("method", "part", "dtype"))
    hosted = isinstance(bench.machine, Host)
    copied = method == "quickselect" and part in ("copy", "total")
    if hosted and copied and part == "copy":
        return None, "the keys are on the host already"
    of = [(name, dtype, n) for name in wanted.distributions]
    if method == "quickselect":  # on the CPU
        found = [0.0 if part == "copy" else bench.on_host(method, *each) for each in of]
        copies = [bench.copied(*each) if copied and not hosted else 0.0 for each in of]
        found = [one + copy for one, copy in zip(found, copies, strict=True)]
    elif part == "total":
        found = [bench.one(method, *each, n // 2) for each in of]
    else:
        found = [bench.parts(method, CUTTING_PLANE, *each).get(part, 0.0) for each in of]
    whys = [f"{len(found)} of {DATA_SETS} data sets"] if len(found) < DATA_SETS else []
    if hosted and copied:
        whys.append("nothing is copied: the keys are on the host already")
    return float(np.mean(found)), "; ".join(whys)


def _ranks(n: int, count: int) -> list[int]:
    """Return some of the ranks of Alabi et al., counted from zero."""
    every = [1, *(int(share * n) - 1 for share in SHARES), n - 2]
    return [every[place] for place in np.linspace(0, RANKS - 1, count).round().astype(int)]


def _times(bench: Bench, method: str, cell: Cell, n: int, wanted: Wanted) -> list[float]:
    of = cell.of["distribution"], cell.of.get("dtype", "float32"), n
    return [bench.one(method, *of, k) for k in _ranks(n, wanted.ranks)]


def alabi(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Measure some of the ranks on one vector."""
    times = _times(bench, cell.of["method"], cell, n, wanted)
    statistics = {"min": min(times), "mean": float(np.mean(times)), "max": max(times)}
    return statistics[cell.of["statistic"]], _some(wanted)


def ratio(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Compare the mean time of sorting with another's, or that of randomized with bucket's."""
    faster = cell.of.get("faster")
    methods = ("sort-choose", faster) if faster else ("randomized", "bucket")
    one, other = (np.mean(_times(bench, method, cell, n, wanted)) for method in methods)
    return float(one / other), _some(wanted)


def _some(wanted: Wanted) -> str:
    """Return a remark if not all ranks of the paper were measured."""
    return f"{wanted.ranks} of {RANKS} ranks" if wanted.ranks < RANKS else ""


def memory(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Measure the most memory while one key is selected."""
    if cell.of["input"] == "altered":
        return None, "no method here alters its input"
    return bench.memory(cell.of["method"], _case(cell), cell.of["dtype"], n), ""


def _case(cell: Cell) -> str:
    """Return the data of a case: in the worst case, one bucket has nearly all keys."""
    return "bucket-killer" if cell.of["case"] == "worst" else "uniform"


def crossover(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Search for the number of ranks that take as long as sorting."""
    of = cell.of["distribution"], cell.of["dtype"], n
    sorting = bench.many("sort-choose", *of, 1)
    low, high = 0, MOST_RANKS + 1
    if bench.many("bucket", *of, MOST_RANKS) <= sorting:
        return MOST_RANKS, "as many as were tried"
    while high - low > max(1, low // 16):
        count = (low + high) // 2
        faster = bench.many("bucket", *of, count) <= sorting
        low, high = (count, high) if faster else (low, count)
    return low, "" if low else "sort-choose is faster even for one"


def phases(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Measure the phases of bucketMultiSelect."""
    found = bench.parts("bucket", BUCKETS, "uniform", cell.of["dtype"], n, ranks=cell.of["ranks"])
    return found.get(cell.of["phase"], 0.0), ""


def memory_of_many(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Measure the most memory for a few ranks, and how much more ranks add."""
    of = _case(cell), cell.of["dtype"], n
    few, more = (bench.memory("bucket", *of, count) for count in (TENTHS, PERCENTILES))
    if cell.of["term"] == "n":
        return few, f"all that {TENTHS} ranks need"
    if cell.of["case"] == "worst":
        return None, "at worst the paper has no such term"
    added = max(more - few, 0.0) * PAPER_BUCKETS / (PERCENTILES - TENTHS)
    return added, f"what {PERCENTILES - TENTHS} ranks more add, for B = {PAPER_BUCKETS:,}"


def many(bench: Bench, cell: Cell, n: int, wanted: Wanted) -> Figure:
    """Measure many ranks together, or how much faster that is than sorting."""
    distribution = cell.of.get("distribution") or cell.of["data"]
    of = distribution, cell.of.get("dtype", "float32"), n, cell.of["ranks"]
    why = "made-up readings, as many and as tied" if "data" in cell.of else ""
    if "faster" in cell.of:
        return bench.many("sort-choose", *of) / bench.many("bucket", *of), why
    return bench.many(MANY[cell.of["method"]], *of), why


HOW: dict[str, Callable[[Bench, Cell, int, Wanted], Figure]] = {
    **dict.fromkeys(["beliakov-2011-1", "beliakov-2011-2"], beliakov),
    "alabi-2012-1": memory,
    **dict.fromkeys([f"alabi-2012-{number}" for number in range(2, 7)], alabi),
    **dict.fromkeys([f"alabi-2012-{number}" for number in range(7, 10)], ratio),
    "blanchard-2015-1": crossover,
    "blanchard-2015-2": phases,
    "blanchard-2015-3": memory_of_many,
    **dict.fromkeys(["blanchard-2015-4", "blanchard-2015-5"], many),
}
"""How the cells of each table are measured."""
