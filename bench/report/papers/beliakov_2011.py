"""The figures of Beliakov 2011, which show the numbers of its tables."""

from bench.papers import load
from bench.report.curves import DASHED, lines, paper
from bench.report.parts import Part, Plot
from bench.sources import Sources

TABLES = {"float32": "beliakov-2011-1", "float64": "beliakov-2011-2"}
PLOTS = {
    "minimising, and sorting": ("sort-choose", "cutting-plane", "bisection"),
    "the others": ("quickselect", "quickselect-serial", "brent-min", "brent-root"),
}


def parts(sources: Sources) -> list[Part]:
    """Return the figures."""
    return [_figure(sources, 2, "float32"), _figure(sources, 3, "float64")]


def _figure(sources: Sources, number: int, dtype: str) -> Part:
    table, plots = TABLES[dtype], []
    measured = [row for row in sources.rows(table) if row["measured"] and row["part"] == "total"]
    for title, methods in PLOTS.items():
        drawn = []
        for method in methods:
            drawn += paper(table, method, "n", method=method, part="total")
            drawn += lines([row for row in measured if row["method"] == method], "n", "measured")
        plots.append(Plot(f"median of {dtype}: {title}", "keys", "ms", drawn))
    fact = f"average time to find the median, {dtype}"
    notes = [DASHED.format(f"table {load(table).table}", sources[table].label)]
    return Part("Beliakov 2011", f"Figure {number}", fact, notes=notes, plots=plots)
