"""Line plots as SVG: small, the same everywhere, and readable by whoever reviews a change.

Colours and markers are those of the palette. Axes are linear, or logarithmic with a tick a decade.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from shadersort.pictures.palette import LOOKS

__all__ = ["Curve", "Plot", "svg"]

WIDTH, HEIGHT = 400, 280
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 30, 42
LEGEND = 15
"""Height of a line of the legend, below the axes."""

MOST_MARKED = 40
"""A curve of more points is a line without markers."""

OTHERS = (
    *(("#222222", "v"), ("#d55e00", "o"), ("#0072b2", "s"), ("#009e73", "^")),
    *(("#cc79a7", "D"), ("#e69f00", "o"), ("#56b4e9", "s")),
)
"""Colours and markers of curves that are no method's, in turn."""

Point = tuple[float, float]

CORNERS: dict[str, list[Point]] = {
    "s": [(-3, -3), (3, -3), (3, 3), (-3, 3)],
    "^": [(-3.5, 3), (3.5, 3), (0, -3.5)],
    "v": [(-3.5, -3), (3.5, -3), (0, 3.5)],
    "D": [(-3.5, 0), (0, -3.5), (3.5, 0), (0, 3.5)],
}
"""Markers, but for the circle."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line.

    Attributes
    ----------
    label
        What the legend calls it.
    points
        Its points, from left to right.
    look
        The name of a method whose colour and marker it bears, and after a space another marker; a
        digit for others of some; the next of these if empty.
    dashed
        Whether it is dashed: the paper's curves are, beside ours.
    """

    label: str
    points: Sequence[Point]
    look: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves over common axes.

    Attributes
    ----------
    title, x, y
        What is said above, below and beside it; units in the last two.
    curves
        The lines.
    log
        Which axes are logarithmic: "", "x", "y" or "xy".
    """

    title: str
    x: str
    y: str
    curves: Sequence[Curve]
    log: str = "xy"


@dataclass(frozen=True, slots=True)
class _Axis:
    """Where values lie on a line of pixels."""

    low: float
    high: float
    first: float
    last: float
    log: bool

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        share = (self._scaled(value) - self.low) / (self.high - self.low)
        return round(self.first + share * (self.last - self.first), 1)

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def ticks(self) -> list[float]:
        """Return the values that have a tick: decades, parts of few decades, or round numbers."""
        if self.log:
            powers = range(math.floor(self.low), math.floor(self.high) + 1)
            steps = (1,) if self.high - self.low > 2 else (1, 2, 5)
            every = [step * 10.0**power for power in powers for step in steps]
            inside = [value for value in every if self.low <= math.log10(value) <= self.high]
            return inside[:: -(-len(inside) // 7) or 1]
        step = 10 ** math.floor(math.log10(self.high - self.low))
        step *= next(each for each in (0.2, 0.5, 1, 2) if (self.high - self.low) / step / each <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [step * n for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _axis(values: list[float], first: float, last: float, log: bool) -> _Axis:
    if log:
        low, high = math.log10(min(values)), math.log10(max(values))
        if high - low < 1:  # one decade at least, so that there is a tick
            low, high = math.floor(low), math.ceil(high + 1e-9)
    else:
        low, high = min(0.0, min(values)), max(values)
    room = 0.04 * (high - low) or 1.0
    return _Axis(low - room * log, high + room, first, last, log)


def svg(plot: Plot) -> str:
    """Draw a plot.

    Examples
    --------
    >>> text = svg(Plot("times", "keys", "ms", [Curve("radix", [(1, 2), (10, 3)], "radix")]))
    >>> text.count("<polyline"), text.count("<circle"), text.startswith("<svg ")
    (3, 3, True)
    """
    points = [point for curve in plot.curves for point in curve.points]
    x = _axis([each for each, _ in points], LEFT, WIDTH - RIGHT, "x" in plot.log)
    y = _axis([each for _, each in points], HEIGHT - BOTTOM, TOP, "y" in plot.log)
    lines = [*_frame(plot), *_ticks(x, y)]
    for number, curve in enumerate(plot.curves):
        colour, marker = _look(curve.look, number)
        lines += _curve(curve, [(x.at(a), y.at(b)) for a, b in curve.points], colour, marker)
        lines += _legend(curve, number, colour, marker)
    height = HEIGHT + LEGEND * (-(-len(plot.curves) // 2)) + 6
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" font-family="sans-serif" font-size="11">'
    )
    title = f"<title>{escape(plot.title)}</title>"
    paper = f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    return "\n".join([head, title, paper, *lines, "</svg>"]) + "\n"


def _look(look: str, number: int) -> tuple[str, str]:
    """Return colour and marker."""
    name, _, other = look.partition(" ")
    colour, marker = LOOKS.get(name) or OTHERS[int(name or number) % len(OTHERS)]
    return colour, other or marker


def _frame(plot: Plot) -> list[str]:
    middle, bottom = (LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM
    corner = f"{LEFT},{TOP} {LEFT},{bottom} {WIDTH - RIGHT},{bottom}"
    turned = f'transform="translate(13 {(TOP + bottom) / 2}) rotate(-90)"'
    return [
        f'<polyline points="{corner}" fill="none" stroke="#222"/>',
        _text(plot.title, f'x="{middle}" y="17" font-size="12"'),
        _text(plot.x, f'x="{middle}" y="{HEIGHT - 8}"'),
        _text(plot.y, turned),
    ]


def _ticks(x: _Axis, y: _Axis) -> list[str]:
    lines, bottom = [], HEIGHT - BOTTOM
    for value in x.ticks():
        at = x.at(value)
        lines.append(f'<path d="M{at} {bottom}v4" stroke="#222"/>')
        lines.append(_text(_named(value, x.log), f'x="{at}" y="{bottom + 16}"'))
    for value in y.ticks():
        at = y.at(value)
        lines.append(f'<path d="M{LEFT} {at}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        lines.append(_text(_named(value, y.log), f'x="{LEFT - 5}" y="{at + 4}"', "end"))
    return lines


def _named(value: float, log: bool) -> str:
    """Write a tick: powers of ten above a thousand and below a thousandth as such."""
    if log and not 1e-3 <= value <= 1e3:
        power = math.floor(math.log10(value) + 1e-9)
        step = round(value / 10.0**power)
        small = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return ("" if step == 1 else f"{step}·") + "10" + small
    return f"{value:,.6g}"


def _curve(curve: Curve, places: list[Point], colour: str, marker: str) -> list[str]:
    dashes = ' stroke-dasharray="5 3"' if curve.dashed else ""
    path = " ".join(f"{a:g},{b:g}" for a, b in places)
    style = f'fill="none" stroke="{colour}" stroke-width="1.6"{dashes}'
    fill = "#fff" if curve.dashed else colour
    marked = places if len(places) <= MOST_MARKED else []
    return [
        f'<polyline points="{path}" {style}/>',
        *(_marker(marker, a, b, colour, fill) for a, b in marked),
    ]


def _marker(marker: str, x: float, y: float, colour: str, fill: str) -> str:
    style = f'fill="{fill}" stroke="{colour}"'
    if marker == "o":
        return f'<circle cx="{x:g}" cy="{y:g}" r="3" {style}/>'
    corners = CORNERS.get(marker, CORNERS["D"])
    path = " ".join(f"{x + a:g},{y + b:g}" for a, b in corners)
    return f'<polygon points="{path}" {style}/>'


def _legend(curve: Curve, number: int, colour: str, marker: str) -> list[str]:
    """Two curves to a line, below the axes."""
    x = 20 + (number % 2) * (WIDTH - 20) / 2
    y = HEIGHT + LEGEND * (number // 2) + 4
    drawn = _curve(curve, [(x, y), (x + 22, y)], colour, marker)
    drawn[1:] = [_marker(marker, x + 11, y, colour, "#fff" if curve.dashed else colour)]
    return [*drawn, _text(curve.label, f'x="{x + 28:g}" y="{y + 4}" font-size="10"', "start")]


def _text(text: str, where: str, anchor: str = "middle") -> str:
    return f'<text {where} text-anchor="{anchor}">{escape(text)}</text>'
