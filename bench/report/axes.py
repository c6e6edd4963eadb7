"""The ends and the ticks of the axes of a plot: at least one decade of a logarithmic axis."""

import math

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from bench.report.plot import Plot

Ends = tuple[float, float]


def ends_of(plot: Plot, axis: str) -> Ends:
    """Return the least and the largest value of an axis."""
    values = [point["xy".index(axis)] for curve in plot.curves for point in curve.points]
    return min(values), max(values)


def scale(axes: Axes, axis: str, log: bool, ends: Ends) -> None:
    """Set limits, scale and ticks of an axis that has values between these ends."""
    low, high = _limits(*ends, log)
    axes.set(**{f"{axis}scale": "log" if log else "linear", f"{axis}lim": (low, high)})
    few = log and high / low <= 100
    found = axes.xaxis if axis == "x" else axes.yaxis
    found.set_major_locator(
        LogLocator(subs=(1, 2, 5) if few else (1,), numticks=7)
        if log
        else MaxNLocator(6, steps=[1, 2, 5, 10])
    )
    found.set_minor_locator(NullLocator())
    found.set_minor_formatter(NullFormatter())
    found.set_major_formatter(FuncFormatter(lambda value, _: named(value, log)))


def _limits(low: float, high: float, log: bool) -> Ends:
    """Return the ends of an axis, with some room."""
    if not log:
        return min(0.0, low), high + 0.04 * (high - min(0.0, low))
    if high < 10 * low:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        low, high = 10.0**first, 10.0 ** max(last, first + 1)
    room = (high / low) ** 0.04
    return low / room, high * room


def named(value: float, log: bool) -> str:
    """Return the name of a tick: powers of ten from a thousand on and below a thousandth.

    Examples
    --------
    >>> named(2e7, True), named(0.001, True), named(1500, False)
    ('2·10⁷', '0.001', '1,500')
    """
    if log and not 1e-3 <= value <= 1e3:
        power = math.floor(math.log10(value) + 1e-9)
        step = round(value / 10.0**power)
        small = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return ("" if step == 1 else f"{step}·") + "10" + small
    return f"{value:,.6g}"
