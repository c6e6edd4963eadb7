"""Line plots as SVG, drawn by matplotlib.

A file says in its description what it was drawn from: every point of every curve. One version of
matplotlib always writes the same bytes; another version may not. So whether a file is current is
decided by its description, and `description_of` reads it.
"""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from shadersort.pictures.palette import LOOKS

INCH = 96.0
"""Pixels in an inch."""

WIDTH, HEIGHT = 400, 280
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 30, 42
LEGEND = 15
"""Height of a line of the legend, below the axes; all sizes are in pixels."""

MOST_MARKED = 40
"""A curve of more points is a line without markers."""

OTHERS = (
    *(("#222222", "v"), ("#d55e00", "o"), ("#0072b2", "s"), ("#009e73", "^")),
    *(("#cc79a7", "D"), ("#e69f00", "o"), ("#56b4e9", "s")),
)
"""Colours and markers, in turn, of curves that belong to no method."""

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "shadersort",
}

LEGEND_SIZE, TITLE_SIZE = 7.5, 9.0
"""Sizes of text in points, 72 to an inch; a long title is smaller."""
LEGEND_STYLE: Any = {"loc": "lower left", "frameon": False, "fontsize": LEGEND_SIZE}
BESIDE = 38
"""Pixels of a legend's column beside its labels: the line with its marker, and space."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """One line; a dashed line has open markers and is the paper's.

    `look` is a method, whose colour and marker the curve gets, and after a space another marker; or
    a digit, for one of `OTHERS`. If it is empty, the curve gets the next of `OTHERS`.
    """

    label: str
    points: Sequence[Point]
    look: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves over common axes with labels; `log` names the logarithmic axes."""

    title: str
    x: str
    y: str
    curves: Sequence[Curve]
    log: str = "xy"


def described(plot: Plot) -> str:
    """Return what a plot is drawn from, as text.

    Examples
    --------
    >>> print(described(Plot("times", "keys", "ms", [Curve("radix", [(1, 2), (10, 3)], "radix")])))
    times; keys by ms; log xy
    radix (radix): 1 2, 10 3
    """
    lines = [f"{plot.title}; {plot.x} by {plot.y}; log {plot.log or 'none'}"]
    for curve in plot.curves:
        look = ", ".join(filter(None, (curve.look, "dashed" if curve.dashed else "")))
        points = ", ".join(f"{x:.5g} {y:.5g}" for x, y in curve.points)
        lines.append(f"{curve.label} ({look}): {points}")
    return "\n".join(lines)


def description_of(text: str) -> str:
    """Return the description in an SVG that `svg` drew."""
    found = ElementTree.fromstring(text).iter("{http://purl.org/dc/elements/1.1/}description")
    return next(found).text or ""


def svg(plot: Plot) -> str:
    """Draw a plot."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        columns = _columns([curve.label for curve in plot.curves])
        height = HEIGHT + LEGEND * -(-len(plot.curves) // columns) + 6
        figure = Figure(figsize=(WIDTH / INCH, height / INCH))
        room = (WIDTH - LEFT - RIGHT) / WIDTH, (HEIGHT - TOP - BOTTOM) / height
        axes = figure.add_axes((LEFT / WIDTH, 1 - (HEIGHT - BOTTOM) / height, *room))
        axes.set_title(plot.title, fontsize=_title_size(plot.title))
        axes.set_xlabel(plot.x)
        axes.set_ylabel(plot.y)
        axes.grid(axis="y", color="#dddddd")
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
        for number, curve in enumerate(plot.curves):
            _draw(axes, curve, number)
        _scale(axes, plot)
        lines = axes.get_lines()
        figure.legend(
            # columns are filled one after the other
            handles=[line for column in range(columns) for line in lines[column::columns]],
            ncols=columns,
            **LEGEND_STYLE,
        )
        file = io.StringIO()
        about = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        about |= {"Title": plot.title, "Description": described(plot)}
        figure.savefig(file, format="svg", metadata=about)
    return "\n".join(line.strip() for line in file.getvalue().splitlines()) + "\n"


def _columns(labels: Sequence[str]) -> int:
    """Return 2 if the labels of a legend fit into two columns, else 1."""
    widths = [_pixels(label, LEGEND_SIZE) for label in labels]
    both = max(widths[::2], default=0) + max(widths[1::2], default=0)
    return 2 if both + 2 * BESIDE + RIGHT <= WIDTH else 1


def _title_size(title: str) -> float:
    """Return the size of a title, which stands above the middle of the axes."""
    right_of_middle = (WIDTH - LEFT - RIGHT) / 2 + RIGHT
    return TITLE_SIZE * min(1.0, 2 * right_of_middle / (_pixels(title, TITLE_SIZE) + RIGHT))


def _pixels(text: str, size: float) -> float:
    """Return the width of a line of text of a size in points."""
    return float(TextPath((0, 0), text, size=size).get_extents().width) * INCH / 72


def _draw(axes: Axes, curve: Curve, number: int) -> None:
    colour, marker = _look(curve.look, number)
    axes.plot(
        *zip(*curve.points, strict=True),
        label=curve.label,
        color=colour,
        linewidth=1.2,
        linestyle=(0, (3, 2)) if curve.dashed else "-",
        marker=marker if len(curve.points) <= MOST_MARKED else "",
        markersize=4.5,
        markerfacecolor="white" if curve.dashed else colour,
        clip_on=False,
    )


def _look(look: str, number: int) -> tuple[str, str]:
    """Return the colour and the marker of a curve."""
    name, _, other = look.partition(" ")
    colour, marker = LOOKS.get(name) or OTHERS[int(name or number) % len(OTHERS)]
    return colour, other or marker


def _scale(axes: Axes, plot: Plot) -> None:
    """Set limits, scales and ticks: at least one decade of a logarithmic axis."""
    points = [point for curve in plot.curves for point in curve.points]
    for axis, name, values in zip(
        (axes.xaxis, axes.yaxis), "xy", zip(*points, strict=True), strict=True
    ):
        log = name in plot.log
        low, high = _limits(min(values), max(values), log)
        axes.set(**{f"{name}scale": "log" if log else "linear", f"{name}lim": (low, high)})
        few = log and high / low <= 100
        axis.set_major_locator(
            LogLocator(subs=(1, 2, 5) if few else (1,), numticks=7)
            if log
            else MaxNLocator(6, steps=[1, 2, 5, 10])
        )
        axis.set_minor_locator(NullLocator())
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(lambda value, _, log=log: _named(value, log)))


def _limits(low: float, high: float, log: bool) -> Point:
    """Return the ends of an axis."""
    if not log:
        return min(0.0, low), high + 0.04 * (high - min(0.0, low))
    if high < 10 * low:
        low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
    room = (high / low) ** 0.04
    return low / room, high * room


def _named(value: float, log: bool) -> str:
    """Return the name of a tick: powers of ten from a thousand on and below a thousandth."""
    if log and not 1e-3 <= value <= 1e3:
        power = math.floor(math.log10(value) + 1e-9)
        step = round(value / 10.0**power)
        small = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return ("" if step == 1 else f"{step}·") + "10" + small
    return f"{value:,.6g}"
