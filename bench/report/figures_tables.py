"""Figures whose numbers are in tables: the paper's curves dashed, those measured beside them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import mean
from typing import Any

from bench.papers import load
from bench.report.parts import Part, figure
from bench.report.plot import Curve, Plot
from bench.report.tables import Measured, lines_of
from bench.reproduce.cells import Line

__all__ = ["parts"]

Values = dict[Any, list[float]]

DASHED = "Dashed, with open markers: the paper's numbers, from {}. Solid: {}."


def parts(records: Sequence[Measured]) -> list[Part]:
    """Return every such figure."""
    return [
        *_beliakov(records),
        *_alabi(records),
        _alabi_ratios(records, 7, ("half-normal",), "the half-normal distribution"),
        _alabi_ratios(records, 8, ("uniform-wide", "normal-wide"), "wide distributions"),
        *_blanchard(records),
    ]


def _pair(
    records: Sequence[Measured], table: str, label: str, look: str, x: str, **of: Any
) -> list[Curve]:
    """Return the paper's curve, of all that it has, and ours, of what was measured."""
    paper = _points((cell.of[x], cell.value) for cell in load(table).cells(**of))
    ours = _points((line.of[x], _whole(line)) for line in lines_of(records, table, **of))
    found = [Curve(f"{label}, paper", paper, look, dashed=True), Curve(label, ours, look)]
    return [each for each in found if each.points]


def _whole(line: Line) -> float | None:
    """Return a time as of the paper's number of keys, where fewer were measured."""
    return line.paper / line.ratio if line.ratio else line.measured


def _points(found: Iterable[tuple[Any, float | None]]) -> list[tuple[float, float]]:
    places: Values = {}
    for place, value in found:
        if value:
            places.setdefault(place, []).append(value)
    return [(place, mean(values)) for place, values in sorted(places.items())]


def _beliakov(records: Sequence[Measured]) -> list[Part]:
    found = []
    for number, table, dtype in (
        (2, "beliakov-2011-1", "float32"),
        (3, "beliakov-2011-2", "float64"),
    ):
        plots = []
        for title, some in (
            ("minimising, and sorting", ("sort-choose", "cutting-plane", "bisection")),
            ("the others", ("quickselect", "quickselect-serial", "brent-min", "brent-root")),
        ):
            drawn = [
                each
                for method in some
                for each in _pair(records, table, method, method, "n", method=method, part="total")
            ]
            plots.append(Plot(f"median of {dtype}: {title}", "keys", "ms", drawn))
        fact = f"average time to find the median, {dtype}"
        notes = [DASHED.format(f"table {load(table).table}", records[0].label)]
        found.append(figure("Beliakov 2011", number, fact, notes, plots=plots))
    return found


MARKERS = "os^D"
"""Of curves of one method, in turn."""

OF_ONE = ("sort-choose", "radix", "bucket")

OF_ALABI = {
    ("uint32", "uniform"): "alabi-2012-2",
    ("float32", "uniform"): "alabi-2012-3",
    ("float64", "uniform"): "alabi-2012-4",
    ("float32", "normal"): "alabi-2012-5",
    ("float64", "normal"): "alabi-2012-6",
}
"""Tables by type and distribution."""


def _alabi(records: Sequence[Measured]) -> list[Part]:
    notes = [DASHED.format("tables II to VI", records[0].label)]
    facts = (
        (1, "mean times on unsigned integers", [_of_methods(records)]),
        (2, "mean times by type", [_by(records, d) for d in ("uniform", "normal")]),
        (
            3,
            "least and longest times, float32",
            [_ranges(records, d) for d in ("uniform", "normal")],
        ),
        (4, "mean times by distribution", [_by_data(records, t) for t in ("float32", "float64")]),
    )
    return [
        figure("Alabi et al. 2012", number, fact, notes, plots=plots)
        for number, fact, plots in facts
    ]


def _of_methods(records: Sequence[Measured]) -> Plot:
    drawn = [
        each
        for method in OF_ONE
        for each in _pair(
            records, "alabi-2012-2", method, method, "n", method=method, statistic="mean"
        )
    ]
    return Plot("uint32, uniform", "keys", "ms", drawn)


def _curves(
    records: Sequence[Measured], wanted: Iterable[tuple[str, str, dict[str, Any]]]
) -> list[Curve]:
    """Return pairs of curves of several tables: in their method's colour, each with its marker."""
    found: list[Curve] = []
    seen = Counter[str]()
    for label, table, of in wanted:
        method = of["method"]
        look = f"{method} {MARKERS[seen[method]]}"
        seen[method] += 1
        found += _pair(records, table, label, look, "n", **of)
    return found


def _by(records: Sequence[Measured], distribution: str) -> Plot:
    """Plot sorting and bucket for every type that there is of a distribution."""
    wanted = [
        (f"{method}, {dtype}", table, {"method": method, "statistic": "mean"})
        for (dtype, name), table in OF_ALABI.items()
        for method in ("sort-choose", "bucket")
        if name == distribution
    ]
    return Plot(distribution, "keys", "ms", _curves(records, wanted))


def _ranges(records: Sequence[Measured], distribution: str) -> Plot:
    wanted = [
        (
            f"{method}, {statistic}",
            OF_ALABI["float32", distribution],
            {"method": method, "statistic": statistic},
        )
        for method in ("radix", "bucket")
        for statistic in ("min", "max")
    ]
    return Plot(f"float32, {distribution}", "keys", "ms", _curves(records, wanted))


def _by_data(records: Sequence[Measured], dtype: str) -> Plot:
    wanted = [
        (f"{method}, {name}", OF_ALABI[dtype, name], {"method": method, "statistic": "mean"})
        for name in ("uniform", "normal")
        for method in ("radix", "bucket")
    ]
    return Plot(dtype, "keys", "ms", _curves(records, wanted))


def _alabi_ratios(records: Sequence[Measured], number: int, names: Sequence[str], of: str) -> Part:
    """Plot ratios where the paper plots times: only the ratios are in its text."""
    plots = []
    for name in names:
        drawn = [
            each
            for method in OF_ONE[1:]
            for each in _pair(
                records, "alabi-2012-8", method, method, "n", distribution=name, faster=method
            )
        ]
        plots.append(Plot(f"{name}, float32", "keys", "time of sort-choose over it", drawn, "x"))
    notes = [
        "The paper plots times that are not in its text; their ratios are, and are drawn here.",
        DASHED.format("table VIII", records[0].label),
    ]
    fact = f"{of}: how much faster than sorting"
    return figure("Alabi et al. 2012", number, fact, notes, plots=plots)


NAMES = {"sort-choose": "sort-choose", "bucket-multi": "bucket"}


def _blanchard(records: Sequence[Measured]) -> list[Part]:
    """Plot what table V has of figures 2 and 3: some numbers of ranks, and some of keys."""
    kinds: tuple[tuple[int, str, str, dict[str, Any]], ...] = (
        (2, "ranks", "time over the number of ranks, 2^26 float32", {"n": 1 << 26}),
        (3, "n", "time of the 101 percentiles over the number of keys, float32", {"ranks": 101}),
    )
    found = []
    for number, x, fact, of in kinds:
        plots = []
        for name in ("uniform", "normal", "half-normal", "cauchy"):
            which = {**of, "distribution": name, "dtype": "float32"}
            drawn = [
                each
                for method, look in NAMES.items()
                for each in _pair(
                    records, "blanchard-2015-5", look, look, x, method=method, **which
                )
            ]
            plots.append(Plot(name, "keys" if x == "n" else x, "ms", drawn))
        notes = [DASHED.format("table V, which has some of the points", records[0].label)]
        found.append(figure("Blanchard et al. 2015", number, fact, notes, plots=plots))
    return found
