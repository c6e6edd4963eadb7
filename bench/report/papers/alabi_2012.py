"""The figures of Alabi et al. 2012, drawn from `bench.curves`, with the paper's numbers."""

from collections.abc import Iterable, Sequence
from itertools import product

from bench.report.curves import POINTS, Statistic, Times, lines, note_of, paper
from bench.report.parts import Curve, Part, Plot
from bench.shared.words import count_of

THREE = ("sort-choose", "radix", "bucket")
FIVE = (*THREE, "cutting-plane", "randomized")
BOTH, TYPES = ("uniform", "normal"), ("float32", "float64")
ALL = [("uniform", "uint32"), *product(("uniform",), TYPES), *product(("normal",), TYPES)]

TIMES = {
    ("uint32", "uniform"): "alabi-2012-2",
    ("float32", "uniform"): "alabi-2012-3",
    ("float64", "uniform"): "alabi-2012-4",
    ("float32", "normal"): "alabi-2012-5",
    ("float64", "normal"): "alabi-2012-6",
}
"""Tables by type and distribution."""

STATISTICS: dict[str, tuple[Statistic, str, str]] = {
    "least": (min, "v", "min"),
    "mean": (lambda some: sum(some) / len(some), "o", "mean"),
    "longest": (max, "^", "max"),
}
"""What is told of the times of all ranks: how, by which marker, and its name in the tables."""

POWERS = (23, 25, 27, 28, 29)
"""Sizes of the figures over the rank; the largest is 2^28 for doubles, 2^29 for floats."""

RATIOS = "The paper's times are not in its text; table VIII has their ratios."
READS = "The section on adversaries has their reads, too."


def parts(times: Times) -> list[Part]:
    """Return the figures."""
    narrow = [(name, dtype) for dtype in TYPES for name in BOTH]
    wide = [("uniform-wide", "float32"), ("normal-wide", "float32")]
    half = [*_means(times, [("half-normal", "float32")], THREE)]
    half += _spread(times, ["half-normal"], THREE[1:], False)
    dice = [_spread(times, [n], [m], m == "bucket") for n in BOTH for m in ("bucket", "randomized")]
    figures: dict[int, tuple[str, list[Plot], str]] = {
        1: ("mean times on unsigned integers", _means(times, ALL[:1], THREE), "table II"),
        2: ("mean times by type", _means(times, ALL, THREE), "tables II to VI"),
        3: (
            "least, mean and longest times over the rank, float32",
            _spread(times, BOTH, THREE[1:]),
            "tables III and V",
        ),
        4: ("mean times by distribution", _means(times, narrow, THREE), "tables III to VI"),
        5: ("time over the rank, float32", _over_ranks(times, "float32"), ""),
        6: ("time over the rank, float64", _over_ranks(times, "float64"), ""),
        7: (
            "the half-normal distribution: mean times; least, mean and longest times",
            half,
            RATIOS,
        ),
        8: ("wide distributions: mean times", _means(times, wide, THREE), RATIOS),
        9: (
            "mean times on sorted and on equal keys",
            _adversaries(times, ("sorted", "ones")),
            READS,
        ),
        10: (
            "mean times on ones and twos, and on the Bucket Killer",
            _adversaries(times, ("ones-and-twos", "bucket-killer")),
            READS,
        ),
        11: ("mean times of five methods", _means(times, narrow, FIVE), "tables III to VI"),
        12: (
            "least, mean and longest times of bucket and randomized, float32",
            [plot for some in dice for plot in some],
            "tables III and V, for bucket",
        ),
    }
    return [_part(times, number, *figure) for number, figure in figures.items()]


def _part(times: Times, number: int, fact: str, plots: list[Plot], note: str) -> Part:
    said = POINTS.format(note) if note.startswith("table") else note
    notes = [each for each in (said, note_of(times.record), times.ranks(), times.faults()) if each]
    return Part("Alabi et al. 2012", f"Figure {number}", fact, notes=notes, plots=plots)


def _means(times: Times, kinds: Iterable[tuple[str, str]], methods: Sequence[str]) -> list[Plot]:
    """Plot mean times over the number of keys, with the paper's: a plot for each kind of keys."""
    found = []
    for name, dtype in kinds:
        drawn: list[Curve] = []
        for method in methods:
            table = TIMES.get((dtype, name))
            if table and method in THREE:
                drawn += paper(table, method, "n", method=method, statistic="mean")
            drawn += lines(times.where(distribution=name, dtype=dtype, method=method), "n")
        found.append(Plot(f"{name}, {dtype}", "keys", "ms, mean", drawn))
    return found


def _spread(
    times: Times, names: Sequence[str], methods: Sequence[str], table: bool = True
) -> list[Plot]:
    """Plot least, mean and longest times of float32: a row for each distribution."""
    found = []
    for name, method in product(names, methods):
        drawn: list[Curve] = []
        rows = times.where(distribution=name, dtype="float32", method=method)
        for what, (of, marker, key) in STATISTICS.items():
            end, look = f", {what}", f"{method} {marker}"
            if table:
                named = TIMES["float32", name]
                drawn += paper(named, method, "n", end=end, look=look, method=method, statistic=key)
            drawn += lines(rows, "n", of=of, end=end, look=look)
        found.append(Plot(f"{method}, {name}, float32", "keys", "ms", drawn))
    return found


def _over_ranks(times: Times, dtype: str) -> list[Plot]:
    plots = []
    for name, method in product(BOTH, THREE[1:]):
        of = {"distribution": name, "dtype": dtype, "method": method}
        drawn: list[Curve] = []
        for look, n in enumerate(times.sizes(POWERS, **of)):
            rows = times.where(n=n, **of)
            drawn += lines(rows, "share", end=f", {count_of(n)} keys", look=str(look + 1))
        plots.append(Plot(f"{method}, {name}, {dtype}", "rank, share of n", "ms", drawn, "y"))
    return plots


def _adversaries(times: Times, names: Sequence[str]) -> list[Plot]:
    found = []
    for name in names:
        rows = times.where(curve="adversaries", distribution=name)
        drawn = [c for m in THREE for c in lines([r for r in rows if r["method"] == m], "n")]
        found.append(Plot(f"{name}, {rows[0]['dtype']}", "keys", "ms, mean", drawn))
    return found
