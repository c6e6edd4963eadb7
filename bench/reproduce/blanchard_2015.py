"""The tables of Blanchard et al. 2015: many ranks together, their phases, and memory."""

from bench.papers import Cell
from bench.reproduce.alabi_2012 import case
from bench.reproduce.lines import Figure, Wanted, of_timed, one_remark
from bench.reproduce.phases import BUCKETS, BUCKETS_AS_PRINTED
from bench.reproduce.timing import Bench, Timed
from bench.shared.versions import Version

PERCENTILES, TENTHS, PAPER_BUCKETS = 101, 11, 11264
POWER_ALPHA_1 = 1200
"""The cutoff α₁ that the paper tuned for its power readings (section 3.3)."""

MOST_RANKS = 8191
"""The most ranks that the paper could select together."""


def crossover(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Search for the number of ranks that take as long as sorting, in the same variant."""
    of = cell.of["distribution"], cell.of["dtype"], n
    sorting = bench.many(_sorting(version), *of, 1)
    found = bench.many(version, *of, MOST_RANKS)
    if found.ms <= sorting.ms:
        return _against(found, sorting, MOST_RANKS, "as many as were tried")
    low, high = 0, MOST_RANKS + 1
    while high - low > max(1, low // 16):
        count = (low + high) // 2
        found = bench.many(version, *of, count)
        low, high = (count, high) if found.ms <= sorting.ms else (low, count)
    return _against(found, sorting, low, "" if low else "sort-choose is faster even for one")


def _sorting(version: Version) -> Version:
    return Version("sort-choose", version.as_printed)


def _tuned(version: Version) -> Version:
    """Return bucketMultiSelect as printed with the cutoff of the table of power readings."""
    tuned = version.as_printed and version.method == "bucket"
    return version._replace(options=(("alpha_1", POWER_ALPHA_1),)) if tuned else version


def _against(found: Timed, sorting: Timed, value: float, why: str = "") -> Figure:
    """Return a figure of two methods."""
    label, how = f"{found.label} / {sorting.label}", f"{found.how} / {sorting.how}"
    return Figure(value, label, how, one_remark(found.fault, why))


def phases(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Measure the phases of bucketMultiSelect."""
    known = BUCKETS_AS_PRINTED if version.as_printed else BUCKETS
    of = "uniform", cell.of["dtype"], n
    spent, whole = bench.parts(version, known, *of, ranks=cell.of["ranks"])
    phase = whole._replace(ms=spent.get(cell.of["phase"], 0.0))
    return of_timed(phase)


def memory(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Measure the most memory for a few ranks, and how much more ranks add."""
    of = case(cell), cell.of["dtype"], n
    few, more = (bench.memory(version, *of, count) for count in (TENTHS, PERCENTILES))
    if cell.of["term"] == "n":
        return of_timed(few, f"all that {TENTHS} ranks need")
    if cell.of["case"] == "worst":
        return Figure(None, why="at worst the paper has no such term")
    added = max(more.ms - few.ms, 0.0) * PAPER_BUCKETS / (PERCENTILES - TENTHS)
    why = f"what {PERCENTILES - TENTHS} ranks more add, for B = {PAPER_BUCKETS:,}"
    return of_timed(more._replace(ms=added), why)


def many(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Measure many ranks together, or how much faster that is than sorting."""
    name = cell.of.get("distribution") or cell.of["data"]
    of = name, cell.of.get("dtype", "float32"), n, cell.of["ranks"]
    why = "made-up readings, as many and as tied" if "data" in cell.of else ""
    found = bench.many(_tuned(version) if "data" in cell.of else version, *of)
    if "faster" not in cell.of:
        return of_timed(found, why)
    sorting = bench.many(_sorting(version), *of)
    return _against(found, sorting, sorting.ms / found.ms, why)
