"""The figures of Beliakov 2011, which show the numbers of its tables."""

from bench.papers import load
from bench.report.curves import DASHED, pairs
from bench.report.parts import Part, Plot
from bench.report.tables import Measured

TABLES = {"float32": "beliakov-2011-1", "float64": "beliakov-2011-2"}
PLOTS = {
    "minimising, and sorting": ("sort-choose", "cutting-plane", "bisection"),
    "the others": ("quickselect", "quickselect-serial", "brent-min", "brent-root"),
}


def parts(ours: Measured) -> list[Part]:
    """Return the figures."""
    return [_figure(ours, 2, "float32"), _figure(ours, 3, "float64")]


def _figure(ours: Measured, number: int, dtype: str) -> Part:
    table = TABLES[dtype]
    plots = []
    for title, methods in PLOTS.items():
        drawn = pairs(ours, table, methods, "n", part="total")
        plots.append(Plot(f"median of {dtype}: {title}", "keys", "ms", drawn))
    fact = f"average time to find the median, {dtype}"
    notes = [DASHED.format(f"table {load(table).table}", ours.label)]
    return Part("Beliakov 2011", f"Figure {number}", fact, notes=notes, plots=plots)
