"""Figures whose numbers are not in the text: drawn from ours alone, by `bench.curves`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import modern
from bench.report.curves import curve, curves
from bench.report.figures_sorting import OURS_ALONE
from bench.report.parts import Grid, Part, figure
from bench.report.plot import Curve, Plot
from bench.reproduce.words import count_of, short
from bench.shared.record import Record, Row, load
from shadersort.keys import datasets

__all__ = ["parts"]

ALABI, BLANCHARD = "Alabi et al. 2012", "Blanchard et al. 2015"
ADVERSARIES = ("ones", "ones-and-twos", "sorted", "bucket-killer")
FIVE = ("sort-choose", "radix", "bucket", "cutting-plane", "randomized")

READINGS = 1 << 18
"""Made-up readings in figure 5."""

Statistic = Callable[[list[float]], float]


def parts() -> list[Part]:
    """Return every such figure."""
    ours, gpu = load("curves-nvidia-h200"), load("modern-nvidia-h200")
    return [
        _over_k(ours, 5, "float32"),
        _over_k(ours, 6, "float64"),
        _adversaries(ours, gpu, 9, ("sorted", "ones")),
        _adversaries(ours, gpu, 10, ("ones-and-twos", "bucket-killer")),
        _methods(ours, gpu),
        _spread(ours),
        _rank_sets(ours),
        _percentiles(ours),
        _distribution(),
    ]


def _notes(ours: Record, *more: str) -> list[str]:
    return [OURS_ALONE, f"Plot: {ours.label}.", *more]


def _over_k(ours: Record, number: int, dtype: str) -> Part:
    plots = []
    for name in ("uniform", "normal"):
        rows = ours.where(curve="ranks", distribution=name, dtype=dtype)
        title = f"{name}, {count_of(rows[0]['n'])} keys"
        plots.append(
            Plot(title, "rank, share of n", "ms", curves(rows, "method", "share", "ms"), "y")
        )
    fact = f"time over the rank, {dtype}"
    return figure(ALABI, number, fact, _notes(ours), plots=plots)


def _adversaries(ours: Record, gpu: Record, number: int, names: Sequence[str]) -> Part:
    plots = [
        Plot(
            name,
            "keys",
            "ms",
            curves(ours.where(curve="adversaries", distribution=name), "method", "n", "ms"),
        )
        for name in names
    ]
    grid = _on_gpu(gpu, FIVE[:3], [("uniform", "float32"), *((name, "float32") for name in names)])
    notes = _notes(ours, f"Table: {gpu.label}, 2^28 keys, ms.")
    fact = f"time on {' and on '.join(names)}, over the number of keys"
    return figure(ALABI, number, fact, notes, grids=[grid], plots=plots)


def _on_gpu(gpu: Record, methods: Sequence[str], data: Sequence[tuple[str, str]]) -> Grid:
    """Return a table of methods on some data, 2^28 keys each."""
    rows = []
    for name, dtype in data:
        found = gpu.where(distribution=name, dtype=dtype, n=1 << 28, group="method")
        times = {row["what"]: row["ms"] for row in found}
        rows.append([f"{name}, {dtype}", *(short(times[method]) for method in methods)])
    return Grid(["data", *methods], rows)


def _methods(ours: Record, gpu: Record) -> Part:
    kinds = [(name, dtype) for dtype in ("float32", "float64") for name in ("uniform", "normal")]
    plots = [
        Plot(
            f"{name}, {dtype}",
            "keys",
            "ms, mean of three ranks",
            curves(_of(ours, name, dtype), "method", "n", "ms"),
        )
        for name, dtype in kinds
    ]
    notes = _notes(ours, f"Table: {gpu.label}, 2^28 keys, ms.")
    fact = "five methods over the number of keys"
    return figure(ALABI, 11, fact, notes, grids=[_on_gpu(gpu, FIVE, kinds)], plots=plots)


def _of(ours: Record, name: str, dtype: str) -> list[Row]:
    return ours.where(curve="methods", distribution=name, dtype=dtype)


def _spread(ours: Record) -> Part:
    plots = []
    statistics: tuple[tuple[str, Statistic], ...] = (("least", min), ("longest", max))
    for name in ("uniform", "normal"):
        drawn = []
        for method in ("bucket", "randomized"):
            rows = [row for row in _of(ours, name, "float32") if row["method"] == method]
            drawn += [
                curve(
                    f"{method}, {what}", rows, "n", "ms", look=method, dashed=what == "least", of=of
                )
                for what, of in statistics
            ]
        plots.append(Plot(f"{name}, float32", "keys", "ms", drawn))
    fact = "least and longest times of bucket and randomized, over three ranks"
    return figure(ALABI, 12, fact, _notes(ours), plots=plots)


def _rank_sets(ours: Record) -> Part:
    plots = []
    for dtype in ("float32", "float64"):
        rows = ours.where(curve="rank-sets", dtype=dtype)
        looks = dict(zip(datasets.RANK_SETS, "01234", strict=False))
        drawn = curves(rows, "ranks", "count", "ms", looks)
        plots.append(Plot(f"{dtype}, {count_of(rows[0]['n'])} keys", "ranks", "ms", drawn))
    fact = "time of bucketMultiSelect over the number of ranks, for sets of ranks"
    return figure(BLANCHARD, 1, fact, _notes(ours), plots=plots)


def _percentiles(ours: Record) -> Part:
    plots = []
    for name in ("uniform", "normal", "half-normal", "cauchy"):
        rows = ours.where(curve="percentiles", distribution=name)
        plots.append(Plot(f"{name}, float32", "keys", "ms", curves(rows, "method", "n", "ms")))
    fact = "time of the 101 percentiles over the number of keys: sorting, buckets, quickselect"
    return figure(BLANCHARD, 4, fact, _notes(ours), plots=plots)


def _distribution() -> Part:
    """Draw density and distribution from 11 and from 101 order statistics."""
    keys = datasets.make("power-small", READINGS, dtype="float64")
    densities, shares = [], []
    for count, look in ((11, "3"), (101, "1")):
        ks = datasets.ranks("uniform", keys.size, count)
        found = modern.multiselect(keys, ks, method="bucket")
        label = f"{count} numbers"
        densities.append(Curve(label, _density(found), look, dashed=count == 11))
        places = zip(found.tolist(), np.linspace(0, 1, count).tolist(), strict=True)
        shares.append(Curve(label, list(places), look, dashed=count == 11))
    counts, edges = np.histogram(keys, 100, (-200.0, 200.0), density=True)
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    densities.append(Curve("histogram", list(zip(middles, counts.tolist(), strict=True)), "6"))
    notes = [OURS_ALONE, f"Computed for this page: {count_of(READINGS)} made-up readings."]
    plots = [
        Plot("density", "reading", "share for a unit", densities, "y"),
        Plot("distribution", "reading", "share at or below", shares, ""),
    ]
    return figure(BLANCHARD, 5, "a distribution from order statistics", notes, plots=plots)


def _density(found: Any) -> list[tuple[float, float]]:
    """Return the density between neighbours that differ, in their middle."""
    firsts, counts = np.unique(found, return_counts=True)
    ends = np.cumsum(counts) - (counts + 1) / 2  # the mean place of those that are equal
    heights = np.diff(ends) / (len(found) - 1) / np.diff(firsts)
    middles = (firsts[1:] + firsts[:-1]) / 2
    return [(float(a), float(b)) for a, b in zip(middles, heights, strict=True)]
