"""The figures of Blanchard et al. 2015, drawn from `bench.curves`, with the paper's numbers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import modern
from bench.report.curves import POINTS, Times, lines, note_of, paper
from bench.report.parts import Curve, Part, Plot
from bench.shared.record import Row
from bench.shared.words import count_of
from shadersort.keys import datasets

PAPER = "Blanchard et al. 2015"
METHODS = {"sort-choose": "sort-choose", "bucket": "bucket-multi"}
"""Our names and the paper's."""

ON_HOST = ("np.partition", "quickselect")
"""On the CPU: introselect in C, and ours, vectorised Python."""

TABLE = "blanchard-2015-5"
POINTS_OF_TABLE = POINTS.format("table V, which has some of the points")
LARGE, MODERATE = 1 << 18, 1 << 24
"""The least number of keys in figure 3, and the largest in figure 4."""

READINGS = 1 << 18
"""Made-up readings in figure 5."""


def parts(times: Times) -> list[Part]:
    """Return the figures."""
    most, n = 1 << 20, times.most(curve="percentiles")
    host = f"The host: {times.record.host.get('cpu')}; NumPy uses one of its cores."
    counts = _both(times, "counts", "count", 1, most, list(METHODS), n=1 << 26)
    many = _both(times, "percentiles", "n", min(LARGE, n), n, list(METHODS), ranks=101)
    few = _both(times, "percentiles", "n", 1, MODERATE, [*METHODS, *ON_HOST], ranks=101)
    figures = {
        1: (
            "time of bucketMultiSelect over the number of ranks, for sets of ranks",
            _rank_sets(times),
            [],
        ),
        2: (
            "time over the number of evenly spaced ranks",
            [*counts, *_further(times)],
            [POINTS_OF_TABLE],
        ),
        3: ("time of the 101 percentiles over the number of keys", many, [POINTS_OF_TABLE]),
        4: (
            "time of the 101 percentiles over few keys: sorting, buckets, quickselect on the CPU",
            few,
            [POINTS_OF_TABLE, host],
        ),
    }
    found = []
    for number, (fact, plots, notes) in figures.items():
        notes = [*notes, note_of(times.record)]
        found.append(Part(PAPER, f"Figure {number}", fact, notes=notes, plots=plots))
    return [*found, distribution()]


def _both(
    times: Times, curve: str, x: str, first: float, last: float, methods: Sequence[str], **of: Any
) -> list[Plot]:
    """Plot times of methods between two places, with the paper's: one plot for each keys."""
    found, every = [], times.where(curve=curve)
    for name, dtype in dict.fromkeys((row["distribution"], row["dtype"]) for row in every):
        kind = {"distribution": name, "dtype": dtype}
        drawn: list[Curve] = []
        for method in methods:
            rows = times.where(curve=curve, method=method, **kind)
            some = [row for row in rows if first <= row[x] <= last]
            if method in METHODS:
                at = "ranks" if x == "count" else x
                numbers = paper(TABLE, method, at, method=METHODS[method], **of, **kind)
                for each in numbers:
                    points = [point for point in each.points if first <= point[0] <= last]
                    drawn.append(replace(each, points=points))
            hosted = any(row.get("on") == "host" for row in some)  # which no label says
            drawn += lines(some, x, end=", NumPy on the host" if hosted else "")
        axis = "keys" if x == "n" else "ranks"
        found.append(Plot(f"{name}, {dtype}", axis, "ms", [each for each in drawn if each.points]))
    return found


def _further(times: Times) -> list[Plot]:
    """Plot what the paper foresees or explains: other numbers of buckets, ranks beside 2^p."""
    found = []
    for curve, x, axis in (("buckets", "buckets", "buckets"), ("steps", "count", "ranks")):
        groups: dict[str, list[Row]] = {}
        for row in times.where(curve):
            ranks = f", {row['count']} ranks" if axis == "buckets" else ""
            groups.setdefault(f"{row['distribution']}, {row['dtype']}{ranks}", []).append(row)
        found += [Plot(f"{of}, {axis}", axis, "ms", lines(rows, x)) for of, rows in groups.items()]
    return found


def _rank_sets(times: Times) -> list[Plot]:
    plots = []
    for dtype in ("float32", "float64"):
        rows = times.where(curve="rank-sets", dtype=dtype)
        drawn: list[Curve] = []
        for look, name in enumerate(datasets.RANK_SETS):
            some = [row for row in rows if row["ranks"] == name]
            drawn += lines(some, "count", end=f", {name}", look=str(look + 1))
        sorts = times.where(
            curve="counts", dtype=dtype, distribution="uniform", method="sort-choose"
        )
        drawn += lines(sorts, "count", end=", uniform")
        title = f"uniform, {dtype}, {count_of(rows[0]['n'])} keys"
        plots.append(Plot(title, "ranks", "ms", drawn))
    return plots


def distribution() -> Part:
    """Draw density and distribution from 11 and from 101 order statistics."""
    keys = datasets.make("power-small", READINGS, dtype="float64")
    densities, shares = [], []
    for count, look in ((11, "3"), (101, "1")):
        ks = datasets.ranks("uniform", keys.size, count)
        found = modern.multiselect(keys, ks, method="bucket")
        of: Any = {"label": f"{count} numbers", "look": look}
        of["line"] = "dashed" if count == 11 else "solid"
        densities.append(Curve(points=_density(found), **of))
        places = zip(found.tolist(), np.linspace(0, 1, count).tolist(), strict=True)
        shares.append(Curve(points=list(places), **of))
    counts, edges = np.histogram(keys, 100, (-200.0, 200.0), density=True)
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    densities.append(Curve("histogram", list(zip(middles, counts.tolist(), strict=True)), "6"))
    below = (np.cumsum(counts) * (edges[1] - edges[0])).tolist()
    ends = list(zip(edges[1:].tolist(), below, strict=True))
    shares.append(Curve("histogram, cumulative", ends, "6"))
    return Part(
        PAPER,
        "Figure 5",
        "a distribution from order statistics",
        notes=[
            "The paper's numbers are not in its text.",
            f"Computed for this page: {count_of(READINGS)} made-up readings.",
        ],
        plots=[
            Plot("density", "reading", "share for a unit", densities, "y"),
            Plot("distribution", "reading", "share at or below", shares, ""),
        ],
    )


def _density(found: Any) -> list[tuple[float, float]]:
    """Return the density between different neighbours, in the middle between them."""
    firsts, counts = np.unique(found, return_counts=True)
    ends = np.cumsum(counts) - (counts + 1) / 2  # the mean place of equal ones
    heights = np.diff(ends) / (len(found) - 1) / np.diff(firsts)
    middles = (firsts[1:] + firsts[:-1]) / 2
    return [(float(a), float(b)) for a, b in zip(middles, heights, strict=True)]
