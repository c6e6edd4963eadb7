"""Lesson 16: points and lines, steps of concentration, and where a fit breaks down, in pictures."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.line import lines
from shadersort.lessons.line.lines import Line
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import BLACK, FAINT, GREEN, GREY, LAVENDER, LIME, TEAL, WRONG
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.robust.scale import CUTOFF

LOOKS: Mapping[str, dict[str, Any]] = {
    "least squares": {"color": LIME, "linestyle": "--"},
    "least trimmed squares": {"color": LAVENDER},
    "least median": {"color": TEAL},
    "before": {"color": BLACK, "linestyle": ":"},
    "yours": {"color": WRONG, "linestyle": "--"},
    "expected": {"color": GREEN},
}
"""How each line looks, in all pictures of the lesson."""


def _draw_points(ax: Axes, x: Keys, y: Keys, kept: Any = None) -> None:
    """Draw points: green dots are kept, grey crosses are left out."""
    name, kept = ("kept", kept) if kept is not None else ("measured", np.ones(len(x), bool))
    ax.plot(x[kept], y[kept], "o", color=GREEN, markersize=5, label=name)
    if not kept.all():
        ax.plot(x[~kept], y[~kept], "x", color=GREY, markersize=6, label="left out")


def _draw_lines(ax: Axes, x: Keys, y: Keys, named: Mapping[str, Line]) -> None:
    """Draw lines across the points; the axes stay where the points are."""
    margins = [0.06 * (float(np.ptp(each)) or 1.0) for each in (x, y)]
    ends = np.array([x.min() - margins[0], x.max() + margins[0]])
    for name, (slope, intercept) in named.items():
        ax.plot(ends, slope * ends + intercept, **LOOKS[name], label=name)
    ax.set(xlim=ends, ylim=(y.min() - 2 * margins[1], y.max() + 2 * margins[1]))


def show_lines(
    x: Keys,
    y: Keys,
    named: Mapping[str, Line],
    kept: Any = None,
    faint: Sequence[Line] = (),
    **labels: Any,
) -> Figure:
    """Draw points and some lines by name over faint ones; labels are those of the axes."""
    figure, (ax,) = subplots(height=3.6)
    for slope, intercept in faint:
        ax.axline((0, intercept), slope=slope, color=FAINT, linewidth=0.8)
    _draw_points(ax, x, y, kept)
    _draw_lines(ax, x, y, named)
    ax.set(**labels)
    legend_below(figure, 4, ax)
    return figure


def show_pairs(x: Keys, y: Keys) -> Figure:
    """Draw the lines through all pairs of points, and the one with the least median residual."""
    pairs = [lines.through(x, y, i, j) for i, j in combinations(range(len(x)), 2)]
    best = min(pairs, key=lambda line: float(np.median(lines.sizes_of(x, y, line))))
    named = {"least squares": lines.least_squares(x, y), "least median": best}
    labels = {"xlabel": "weight", "ylabel": "length"}
    title = f"the lines through {len(pairs)} pairs"
    return show_lines(x, y, named, faint=pairs, title=title, **labels)


def show_steps(x: Keys, y: Keys, starts: Sequence[Line], h: int, caption: str) -> Frames:
    """Draw the steps of concentration from some starts, one panel each, as a film with a slider."""
    chains = [lines.concentrations(x, y, start, h) for start in starts]

    def draw(step: int) -> Figure:
        figure, axes = subplots(1, len(chains), height=3.4, sharey=True)
        for ax, chain in zip(axes, chains, strict=True):
            line = chain[min(step, len(chain) - 1)]
            _draw_points(ax, x, y, lines.nearest(x, y, line, h))
            _draw_lines(ax, x, y, {"least trimmed squares": line})
            ended = " (the end)" if step >= len(chain) - 1 else ""
            total = lines.objective(x, y, line, h)
            ax.set_title(f"step {min(step, len(chain) - 1)}{ended}\nsum: {total:.2f}")
        legend_below(figure, 3, *axes)
        return figure

    return Frames(max(map(len, chains)), draw, caption, seconds=1.0)


def show_breakdown(shares: Keys, slopes: Mapping[str, Sequence[float]], right: float) -> Figure:
    """Draw the slope that each way finds, by the share of the points that are wrong."""
    figure, (ax,) = subplots(height=3.2)
    for name, found in slopes.items():
        ax.plot(100 * shares, found, marker="o", markersize=4, **LOOKS[name], label=name)
    ax.axhline(right, color=BLACK, linewidth=1, linestyle=":", label="the true slope")
    ax.set(xlabel="wrong points of 100", ylabel="slope")
    legend_below(figure, 3, ax)
    return figure


def show_outlier_map(x: Keys, left: Keys) -> Figure:
    """Draw residuals in units of their scale against distances of x from its median.

    So it is by Rousseeuw and van Zomeren 1990, for one column. The distances are in units of the
    median distance, times 1.4826: standard deviations, if most points are normally distributed.
    """
    figure, (ax,) = subplots(width=6.4, height=4.2)
    far = np.abs(x - np.median(x))
    _draw_points(ax, far / (1.4826 * np.median(far)), left, np.abs(left) <= CUTOFF)
    dashed: Any = {"color": BLACK, "linewidth": 0.8, "linestyle": "--"}
    ax.axvline(CUTOFF, **dashed)
    for height in (-CUTOFF, CUTOFF):
        ax.axhline(height, **dashed)
    ax.set(xlabel="distance from the median", ylabel="residual / scale")
    ax.legend()
    return figure
