"""Lesson 15: points and lines, steps of concentration, and where a fit breaks down, in pictures."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.line import lines
from shadersort.lessons.line.lines import Line
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import BLACK, FAINT, GREEN, GREY, LAVENDER, LIME, PINK, TEAL, WRONG
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


def _draw_points(ax: Axes, x: Keys, y: Keys, kept: Any = None, name: str = "kept") -> None:
    """Draw points: green dots are kept, grey crosses are left out."""
    kept = np.ones(len(x), bool) if kept is None else np.asarray(kept)
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
    size: tuple[float, float] = (7.2, 3.6),
    **labels: Any,
) -> Figure:
    """Draw points and some lines by name; labels are those of the axes."""
    figure, (ax,) = subplots(width=size[0], height=size[1])
    _draw_points(ax, x, y, kept)
    _draw_lines(ax, x, y, named)
    ax.set(**labels)
    legend_below(figure, 4 if size[0] > 6 else 3, ax)
    return figure


def show_dragged(x: Keys, y: Keys) -> Figure:
    """Draw what the piece shows first: the last point is the one that is dragged."""
    found = lines.least_squares(x, y)
    named = {"least squares": found, "least trimmed squares": found}
    figure, (ax,) = subplots(height=3.6)
    _draw_points(ax, x[:-1], y[:-1], name="measured")
    ax.plot(x[-1:], y[-1:], "o", color=PINK, markeredgecolor=BLACK, markersize=9, label="dragged")
    _draw_lines(ax, x, y, named)
    ax.set(xlabel="weight", ylabel="length")
    legend_below(figure, 4, ax)
    return figure


def show_pairs(x: Keys, y: Keys) -> Figure:
    """Draw the lines through all pairs of points, and the one with the least median residual."""
    pairs = [lines.through(x, y, i, j) for i, j in combinations(range(len(x)), 2)]
    best = min(pairs, key=lambda line: float(np.median(lines.sizes_of(x, y, line))))
    figure, (ax,) = subplots(height=3.6)
    ends = np.array([x.min() - 1, x.max() + 1])
    for slope, intercept in pairs:
        ax.plot(ends, slope * ends + intercept, color=FAINT, linewidth=0.8)
    _draw_points(ax, x, y, name="measured")
    _draw_lines(ax, x, y, {"least squares": lines.least_squares(x, y), "least median": best})
    ax.set(xlabel="weight", ylabel="length", title=f"the lines through {len(pairs)} pairs")
    legend_below(figure, 3, ax)
    return figure


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


def show_falls(chains: Sequence[Sequence[float]]) -> Figure:
    """Draw the sum of the smallest squares after each step, one line a start."""
    figure, (ax,) = subplots(height=3.2)
    least = min(chain[-1] for chain in chains)
    for best in (False, True):
        some = [chain for chain in chains if (chain[-1] < 1.000001 * least) == best]
        name = "ends at the least sum" if best else "ends elsewhere"
        for number, chain in enumerate(some):
            colour, label = (GREEN if best else GREY), "" if number else f"{name}: {len(some)}"
            ax.plot(chain, color=colour, linewidth=1, alpha=0.6, label=label or None)
            ax.plot(len(chain) - 1, chain[-1], "o", color=colour, markersize=4)
    ax.set(yscale="log", xlabel="steps", ylabel="sum of the h smallest squares")
    ax.locator_params(axis="x", integer=True)
    legend_below(figure, 2, ax)
    return figure


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
    distances = far / (1.4826 * np.median(far))
    outliers = np.abs(left) > CUTOFF
    for some, colour, mark, label in (
        (~outliers, GREEN, "o", "fitted"),
        (outliers, GREY, "X", "outliers"),
    ):
        ax.scatter(distances[some], left[some], s=18, c=colour, marker=mark, label=label)
    ax.axvline(CUTOFF, color=BLACK, linewidth=0.8, linestyle="--")
    for height in (-CUTOFF, CUTOFF):
        ax.axhline(height, color=BLACK, linewidth=0.8, linestyle="--")
    ax.set(xlabel="distance from the median", ylabel="residual / scale")
    ax.legend()
    return figure
