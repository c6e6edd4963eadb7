"""The plots of a figure as one SVG, drawn by matplotlib: one alone, or two in each row.

A file says in its description what it was drawn from: every point of every curve. One version of
matplotlib always writes the same bytes; another version may not. So whether a file is current is
decided by its description, and `description_of` reads it.
"""

import io
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.report.axes import Ends, ends_of, scale
from bench.report.layout import (
    INCH,
    TEXT,
    Cell,
    columns_of_legend,
    laid_out,
    pixels,
    shared,
)
from bench.report.plot import Curve, Plot, described
from shadersort.palette import BLACK, BROWN, GREY, LAVENDER, LIME, LOOKS, PINK, TEAL, VIOLET

MOST_MARKED = 40
"""A curve of more points is a line without markers."""

OTHERS = (
    *((BLACK, "v"), (LIME, "o"), (VIOLET, "s"), (TEAL, "^")),
    *((PINK, "D"), (BROWN, "o"), (LAVENDER, "s"), (GREY, "P")),
)
"""Colours and markers, in turn, of curves that belong to no method."""

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": TEXT * 72 / INCH,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "shadersort",
}

LEGEND_STYLE: Any = {
    **{"loc": "upper left", "frameon": False, "borderpad": 0, "borderaxespad": 0},
    **{"handlelength": 2.2, "handletextpad": 0.4, "columnspacing": 0.8, "labelspacing": 0.3},
}

LINES: Any = {
    "solid": {"linestyle": "-", "linewidth": 1.6},
    "dashed": {"linestyle": (0, (4, 1.6)), "linewidth": 1.6},
    "dotted": {"linestyle": (0, (1, 2)), "linewidth": 1.2, "markerfacecolor": "white"},
}


def svg(plots: Sequence[Plot]) -> str:
    """Draw the plots of a figure; they share a legend if they have the same curves."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        page = laid_out(plots)
        figure = Figure(figsize=(page.width / INCH, page.height / INCH))
        ends = {axis: _common(plots, axis) for axis in "xy"}
        for plot, cell in zip(plots, page.cells, strict=True):
            axes = figure.add_axes(page.share(cell))
            _fill(axes, plot, cell)
            for axis in "xy":
                scale(axes, axis, axis in plot.log, ends[axis] or ends_of(plot, axis))
        for number, (left, top, room) in page.legends:
            at = left / page.width, 1 - top / page.height
            _legend(figure, figure.axes[number], at, room)
        return _written(figure, plots)


def description_of(text: str) -> str:
    """Return the description in an SVG that `svg` drew."""
    found = ElementTree.fromstring(text).iter("{http://purl.org/dc/elements/1.1/}description")
    return next(found).text or ""


def _common(plots: Sequence[Plot], axis: str) -> Ends | None:
    """Return the ends of an axis that all plots share, or None if it differs."""
    if not shared(plots, axis):
        return None
    low, high = zip(*(ends_of(plot, axis) for plot in plots), strict=True)
    return min(low), max(high)


def _fill(axes: Axes, plot: Plot, cell: Cell) -> None:
    room = 0.94 * (cell.width + cell.right)
    size = TEXT * min(1.0, room / (pixels(plot.title) + 1))
    axes.set_title(plot.title, loc="left", fontsize=size * 72 / INCH)
    axes.set_xlabel(plot.x)
    if cell.has_label:
        axes.set_ylabel(plot.y)
    axes.grid(axis="y", color="#dddddd")
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for number, curve in enumerate(plot.curves):
        _draw(axes, curve, number)


def _draw(axes: Axes, curve: Curve, number: int) -> None:
    colour, marker = look_of(curve.look, number)
    axes.plot(
        *zip(*curve.points, strict=True),
        label=curve.label,
        color=colour,
        marker=marker if len(curve.points) <= MOST_MARKED else "",
        markersize=5.5,
        clip_on=False,
        **LINES[curve.line],
    )


def look_of(look: str, number: int) -> tuple[str, str]:
    """Return the colour and the marker of a curve."""
    name, _, other = look.partition(" ")
    colour, marker = LOOKS.get(name) or OTHERS[int(name or number) % len(OTHERS)]
    return colour, other or marker


def _legend(figure: Figure, axes: Axes, at: tuple[float, float], room: float) -> None:
    """Put the legend of some axes below them, row by row."""
    lines = axes.get_lines()
    columns = columns_of_legend([str(line.get_label()) for line in lines], room)
    figure.legend(
        # columns are filled one after the other
        handles=[line for column in range(columns) for line in lines[column::columns]],
        ncols=columns,
        bbox_to_anchor=at,
        **LEGEND_STYLE,
    )


def _written(figure: Figure, plots: Sequence[Plot]) -> str:
    file = io.StringIO()
    about = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    titles: Iterable[str] = (plot.title for plot in plots)
    about |= {"Title": "; ".join(titles), "Description": described(plots)}
    figure.savefig(file, format="svg", metadata=about)
    return "\n".join(line.strip() for line in file.getvalue().splitlines()) + "\n"
