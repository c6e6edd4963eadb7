"""Plots as values: curves over common axes, and the text that says what was drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]

Line = Literal["solid", "dashed", "dotted"]
"""How a curve is drawn: ours solid, a method as printed dashed, and the paper's numbers dotted,
with open markers."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a plot.

    `look` is a method, whose colour and marker the curve gets, and after a space another marker; or
    a number, for one of `OTHERS` of `bench.report.svg`. If it is empty, the curve gets the next of
    `OTHERS`.
    """

    label: str
    points: Sequence[Point]
    look: str = ""
    line: Line = "solid"


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves over common axes with labels; `log` names the logarithmic axes."""

    title: str
    x: str
    y: str
    curves: Sequence[Curve]
    log: str = "xy"


def described(plots: Sequence[Plot]) -> str:
    """Return what the plots of a figure are drawn from, as text.

    Examples
    --------
    >>> plot = Plot("times", "keys", "ms", [Curve("radix", [(1, 2), (10, 3)], "radix")])
    >>> print(described([plot]))
    times; keys by ms; log xy
    radix (radix, solid): 1 2, 10 3
    """
    return "\n".join(line for plot in plots for line in _lines(plot))


def _lines(plot: Plot) -> list[str]:
    lines = [f"{plot.title}; {plot.x} by {plot.y}; log {plot.log or 'none'}"]
    for curve in plot.curves:
        look = ", ".join(filter(None, (curve.look, curve.line)))
        points = ", ".join(f"{x:.5g} {y:.5g}" for x, y in curve.points)
        lines.append(f"{curve.label} ({look}): {points}")
    return lines
