"""The plots of a figure as one SVG, drawn by matplotlib: one alone, or two in each row."""

import io
import math
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from bench.report.parts import Curve, Plot
from shadersort.palette import BLACK, BROWN, GREY, LAVENDER, LIME, LOOKS, PINK, TEAL, VIOLET

OTHERS = (
    *((BLACK, "v"), (LIME, "o"), (VIOLET, "s"), (TEAL, "^")),
    *((PINK, "D"), (BROWN, "o"), (LAVENDER, "s"), (GREY, "P")),
)
"""Colours and markers, in turn, of curves that belong to no method."""

MOST_MARKED = 40
"""A curve of more points is a line without markers."""

WIDTH, AXES, LEGEND_LINE = 10.8, 3.6, 0.23
"""Inches: a figure's width, the height of a plot, and that of a line of a legend."""

LEGEND_LETTERS = 128
"""Letters of a legend's labels that fit side by side in the width of a figure."""

STYLE: Any = {
    **{"font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 11},
    **{"axes.spines.right": False, "axes.spines.top": False},
    **{"svg.fonttype": "none", "svg.hashsalt": "shadersort"},
}
LEGEND: Any = {
    **{"loc": "upper left", "bbox_to_anchor": (0, -0.14), "borderaxespad": 0},
    **{"frameon": False, "fontsize": 10},
}
LINES: Any = {
    "solid": {"linestyle": "-", "linewidth": 1.6},
    "dashed": {"linestyle": (0, (4, 1.6)), "linewidth": 1.6},
    "dotted": {"linestyle": (0, (1, 2)), "linewidth": 1.2, "markerfacecolor": "white"},
}


def svg(plots: Sequence[Plot]) -> str:
    """Draw the plots of a figure, each with its legend below; equal axes have equal ends."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        columns = min(2, len(plots))
        rows = -(-len(plots) // columns)
        counts = [_legend_columns(plot, LEGEND_LETTERS // columns) for plot in plots]
        lines = max(-(-len(p.curves) // n) for p, n in zip(plots, counts, strict=True))
        height = rows * (AXES + LEGEND_LINE * lines)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        cells = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes in cells[len(plots) :]:
            axes.set_visible(False)
        for axes, plot, count in zip(cells, plots, counts, strict=False):
            _fill(axes, plot, count)
            for axis in "xy":
                _scale(axes, axis, axis in plot.log, _values(_alike(plots, plot, axis), axis))
        file = io.StringIO()
        about: dict[str, Any] = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(file, format="svg", metadata=about)
    return "\n".join(line.strip() for line in file.getvalue().splitlines()) + "\n"


def _legend_columns(plot: Plot, letters: int) -> int:
    """Return how many columns of a legend fit."""
    longest = max(len(curve.label) for curve in plot.curves) + 7
    return max(1, min(3, letters // longest))


def _alike(plots: Sequence[Plot], plot: Plot, axis: str) -> Sequence[Plot]:
    """Return all plots if they have the same axis, else this one."""
    axes = {((each.x, each.y)["xy".index(axis)], axis in each.log) for each in plots}
    return plots if len(axes) == 1 else [plot]


def _values(plots: Sequence[Plot], axis: str) -> list[float]:
    at = "xy".index(axis)
    return [point[at] for plot in plots for curve in plot.curves for point in curve.points]


def _fill(axes: Axes, plot: Plot, legend_columns: int) -> None:
    axes.set_title(plot.title, loc="left", fontsize=min(11.0, 700 / len(plot.title)))
    axes.set(xlabel=plot.x, ylabel=plot.y)
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    for number, curve in enumerate(plot.curves):
        colour, marker = look_of(curve, number)
        axes.plot(
            *zip(*curve.points, strict=True),
            label=curve.label,
            color=colour,
            marker=marker if len(curve.points) <= MOST_MARKED else "",
            markersize=5.5,
            clip_on=False,
            **LINES[curve.line],
        )
    axes.legend(ncols=legend_columns, **LEGEND)


def look_of(curve: Curve, number: int) -> tuple[str, str]:
    """Return the colour and the marker of a curve."""
    name, _, other = curve.look.partition(" ")
    colour, marker = (
        LOOKS.get(name) or OTHERS[(int(name) if name.isdecimal() else number) % len(OTHERS)]
    )
    return colour, other or marker


def _scale(axes: Axes, axis: str, log: bool, values: Sequence[float]) -> None:
    """Set limits, scale and ticks of an axis; a logarithmic one has at least one decade."""
    low, high = min(values), max(values)
    if not log:
        low, high = min(0.0, low), high + 0.04 * (high - min(0.0, low))
    elif high < 10 * low:
        low = 10.0 ** math.floor(math.log10(low))
        high = max(10 * low, 10.0 ** math.ceil(math.log10(high)))
    else:
        low, high = low / 1.1, high * 1.1
    axes.set(**{f"{axis}scale": "log" if log else "linear", f"{axis}lim": (low, high)})
    found = axes.xaxis if axis == "x" else axes.yaxis
    few = log and high / low <= 100
    ticks = LogLocator(subs=(1, 2, 5) if few else (1,), numticks=7)
    found.set_major_locator(ticks if log else MaxNLocator(6, steps=[1, 2, 5, 10]))
    found.set_minor_locator(NullLocator())
    found.set_major_formatter(FuncFormatter(lambda value, _: tick_label(value, log)))


def tick_label(value: float, log: bool) -> str:
    """Return the label of a tick: powers of ten from a thousand on and below a thousandth.

    Examples
    --------
    >>> tick_label(2e7, True), tick_label(0.001, True), tick_label(1500, False)
    ('2·10⁷', '0.001', '1,500')
    """
    if log and not 1e-3 <= value <= 1e3:
        power = math.floor(math.log10(value) + 1e-9)
        step = round(value / 10.0**power)
        small = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return ("" if step == 1 else f"{step}·") + "10" + small
    return f"{value:,.6g}"
