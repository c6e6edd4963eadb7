"""The tables of Alabi et al. 2012: one rank of 25 in turn, on many vectors; and memory."""

import numpy as np

from bench.papers import Cell
from bench.reproduce.lines import Figure, Wanted, of_timed, one_remark
from bench.reproduce.timing import Bench, Times
from bench.shared.versions import Version

SHARES = (0.01, 0.025, *np.arange(0.05, 0.96, 0.05).round(2).tolist(), 0.975, 0.99)
RANKS = len(SHARES) + 2
"""Number of ranks: k = 2, k = n − 1, and shares of n; k counts from the largest key."""

VECTORS = 50
"""Number of vectors for each rank."""


def ranks(n: int, count: int) -> tuple[int, ...]:
    """Return some of the ranks of n keys, counted from zero and from the smallest key."""
    largest_first = [2, *(int(round(share * n, 6)) for share in SHARES), n - 1]
    places = np.linspace(0, RANKS - 1, count).round().astype(int)
    return tuple(n - largest_first[place] for place in places)


def times(bench: Bench, version: Version, cell: Cell, n: int, wanted: Wanted) -> Times:
    """Measure a method for some of the ranks, on some vectors."""
    of = cell.of["distribution"], cell.of.get("dtype", "float32"), n
    return bench.over_ranks(version, *of, ranks(n, wanted.ranks), wanted.vectors)


def one_rank(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Return the least, the mean or the largest time."""
    found = times(bench, version, cell, n, wanted)
    statistics = {"min": min(found.ms), "mean": float(np.mean(found.ms)), "max": max(found.ms)}
    why = one_remark(_some(wanted), _faults(found))
    return Figure(statistics[cell.of["statistic"]], found.label, found.how, why)


def ratio(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Compare the mean time of sorting with another's, or that of randomized with bucket's.

    Both are of the same variant.
    """
    names = ("sort-choose", version.method) if "faster" in cell.of else ("randomized", "bucket")
    both = [Version(name, version.as_printed) for name in names]
    one, other = (times(bench, each, cell, n, wanted) for each in both)
    label, how = (f"{a} / {b}" for a, b in zip(one[1:3], other[1:3], strict=True))
    why = one_remark(_some(wanted), _faults(one), _faults(other))
    return Figure(float(np.mean(one.ms) / np.mean(other.ms)), label, how, why)


def _some(wanted: Wanted) -> str:
    """Return a remark on the number of ranks and of vectors."""
    vectors = "vector" if wanted.vectors == 1 else "vectors"
    of = (wanted.ranks, "ranks", RANKS), (wanted.vectors, vectors, VECTORS)
    return ", ".join(f"{n} {what} where the paper took {all_}" for n, what, all_ in of if n < all_)


def _faults(found: Times) -> str:
    """Return how many answers of a method were refuted, or did not come."""
    return "; ".join(
        f"{count} of {len(found.ms)} answers of {found.label}: {fault}"
        for fault, count in found.faults.items()
    )


def memory(bench: Bench, cell: Cell, version: Version, n: int, wanted: Wanted) -> Figure:
    """Measure the most memory while one key is selected."""
    of = case(cell), cell.of["dtype"], n
    if cell.of["input"] == "preserved" or version.method == "bucket":  # bucket alters no input
        return of_timed(bench.memory(version, *of))
    if version.method == "sort-choose":
        label = f"sort in place, {bench.machine.name}"
        keys = bench.data(*of).keys.copy()
        most = 1 + bench.machine.peak(keys.sort) / keys.nbytes
        return Figure(most, label, why="a sort in place, by the library")
    if version.as_printed:
        return Figure(None, why="no method here alters its input: it works in a private copy")
    return of_timed(bench.memory(Version("radix-inplace"), *of), "the input is not altered, either")


def case(cell: Cell) -> str:
    """Return the data of a case: in the worst case, one bucket has nearly all keys."""
    return "bucket-killer" if cell.of["case"] == "worst" else "uniform"
