"""What is compared on the page: the times then and now, and what each program moves for a key."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bench.papers import load
from shadersort.drawing.compile import build
from shadersort.drawing.cost.calibration import find_profile
from shadersort.drawing.cost.estimate import Cost, estimate, price_of_pass
from shadersort.drawing.memory_bandwidths import memory_bandwidth
from shadersort.drawing.networks import network
from shadersort.drawing.texture_size import texture_size, window_texels
from shadersort.lessons.shared.records import Record, record
from shadersort.lessons.shared.selecting import LARGEST
from shadersort.lessons.shared.speedups import SpeedUp, splits
from shadersort.lessons.shared.streams import seconds
from shadersort.names import DrawingMethod, NetworkName
from shadersort.streams import QuantileSummary

OLD_CARD = "GeForce 6800 Ultra"
SORTED = 1 << 23
"""Keys of the largest sort of the paper of 2005."""

SORT = "sort-choose"
"""The method that sorts all keys, and looks at the places asked for."""

EPSILON = 1e-4
"""The error of the summary whose windows are sorted."""

Way = tuple[NetworkName, DrawingMethod]
PAPERS_WAY: Way = ("pbsn", "blend")
SORTS: tuple[Way, ...] = (
    PAPERS_WAY,
    *(("bitonic", "fragment"), ("bitonic", "fused"), ("bitonic", "compute")),
)
STREAMS: tuple[Way, ...] = (PAPERS_WAY, ("pbsn", "compute"), ("bitonic", "compute"))

SELECTIONS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "beliakov-2011-1": ((SORT, "cutting-plane"), {"part": "total"}),
    "alabi-2012-3": ((SORT, "radix", "bucket"), {"statistic": "mean"}),
    "blanchard-2015-5": (
        (SORT, "bucket-multi"),
        {"ranks": 101, "dtype": "float32", "distribution": "uniform"},
    ),
}
"""Tables of the papers: their methods, and which of their cells are compared."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A program then and now, on the same number of keys.

    Attributes
    ----------
    name
        What runs now.
    then, now
        Milliseconds.
    moved
        What the older and the newer program move for each key, in the unit of the group.
    factors
        The speed-up and its factors.
    """

    name: str
    then: float
    now: float
    moved: tuple[float, float]
    factors: SpeedUp

    @property
    def by_bandwidth(self) -> float:
        """The milliseconds if nothing but the bandwidth had changed."""
        return self.then / self.factors.bandwidth

    @property
    def by_both(self) -> float:
        """The milliseconds if nothing but bandwidth and algorithm had changed."""
        return self.by_bandwidth * self.moved[1] / self.moved[0]


@dataclass(frozen=True, slots=True)
class Group:
    """Comparisons that share a problem and its size, and so share an axis."""

    title: str
    problem: str
    then: str
    now: str
    unit: str
    comparisons: tuple[Comparison, ...]


def groups() -> Iterator[Group]:
    """Yield all groups: the sort, the papers on selection, and a stream."""
    yield _sorting()
    for table in SELECTIONS:
        yield _selecting(table)
    yield _streaming()


@cache
def bytes_moved(way: Way, texels: int) -> float:
    """Return the bytes that a program reads and writes for each key, without a cache.

    Its textures have so many texels of four 16-bit keys.

    Examples
    --------
    >>> bytes_moved(("pbsn", "blend"), 1 << 21)  # 441 steps: MIN, MAX and a copy
    4410.0
    """
    name, method = way
    program = build(network(name, texels), *texture_size(texels), method)
    halves, card = np.dtype(np.float16), find_profile("geforce-6800-ultra")
    moved = sum((price_of_pass(each, card, halves) for each in program.passes), Cost())
    return (moved.bytes_read + moved.bytes_written) / (4 * texels)


def _drawn(way: Way, texels: int, then: float, now: float, card: str) -> Comparison:
    """Compare a way to sort with that of the paper; times are in milliseconds."""
    before, after = bytes_moved(PAPERS_WAY, texels), bytes_moved(way, texels)
    bandwidth = memory_bandwidth(card).value / memory_bandwidth(OLD_CARD).value
    factors = SpeedUp(then / now, bandwidth, before / after)
    return Comparison(", ".join(way), then, now, (before, after), factors)


def _sorting() -> Group:
    recorded = record("sort-nvidia-h200")
    then = 1e3 * estimate(SORTED).gpu_seconds
    found = []
    for name, method in SORTS:
        of = {"keys": SORTED, "dtype": "float16", "network": name, "method": method}
        (row,) = recorded.where(**of)
        texels = window_texels(SORTED, 4)
        found.append(_drawn((name, method), texels, then, row["program_ms"], recorded.device))
    return Group(
        "Sorting by drawing",
        f"{SORTED:,} 16-bit keys, without transfers",
        f"{OLD_CARD}, by the cost model",
        recorded.label,
        "bytes for each key",
        tuple(found),
    )


def _streaming() -> Group:
    recorded = record("streams-figures-nvidia-h200")
    window = QuantileSummary(EPSILON, structure="exponential-histogram").window
    texels = window_texels(4 * window, 4)
    found = []
    for way in STREAMS:
        of = {"workload": "quantiles", "method": "QuantileSummary", "epsilon": EPSILON}
        (row,) = recorded.where(**of, sorter="-".join(way))
        drawings = row["keys"] / (4 * window)
        then = 1e3 * drawings * estimate(4 * window).seconds
        now = 1e3 * seconds(row) * row["sort_share"]
        found.append(_drawn(way, texels, then, now, recorded.device))
    return Group(
        "Sorting the windows of a stream",
        f"{row['keys']:,} 16-bit values in windows of {window:,} (ε = {EPSILON:g}), with transfers",
        f"{OLD_CARD}, by the cost model",
        recorded.label,
        "bytes for each key",
        tuple(found),
    )


def _selecting(name: str) -> Group:
    again, table = record("reproduce-nvidia-h200"), load(name)
    methods, of = SELECTIONS[name]
    card = table.device.split(";")[0]
    found, sizes = [], set()
    for method, (n, then, now), factors in splits(again, name, methods, card, **of):
        if factors.algorithm is None:
            raise LookupError(f"{name}: {method} was not measured as printed")
        reads = now / (n * _read_of_a_key(record("modern-nvidia-h200")))
        moved = (reads * factors.algorithm, reads)
        found.append(Comparison(method, then, now, moved, factors))
        sizes.add(n)
    (n,) = sizes
    wanted = f"{of['ranks']} ranks" if "ranks" in of else "one rank"
    title = f"Selection: {table.paper}, table {table.table}"
    problem = f"{wanted} of {n:,} float32 keys"
    return Group(title, problem, card, again.label, "reads of all keys", tuple(found))


def _read_of_a_key(peers: Record) -> float:
    """Return the milliseconds of reading one of many float32 keys, as `max` reads them."""
    of = {"what": "max", "n": LARGEST, "dtype": "float32", "distribution": "uniform"}
    (row,) = peers.where(**of, group="peer")
    return float(row["ms"]) / LARGEST
