"""Lesson 6: what each method costs on a GPU of today, in pictures."""

from typing import Any

import numpy as np

from shadersort.drawing.networks import network
from shadersort.lessons.ladder.live import METHODS, RECORDED
from shadersort.lessons.ladder.rates import WRITING, program_of, written
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.style import legend_below, look, subplots
from shadersort.pictures.matplotlib_types import Figure

LINE, TEXT = "#bbbbbb", "#555555"
"""The greys of lines for comparison and of their names."""


def show_passes(name: str = "bitonic", n: int = 1 << 15, last: int = 31) -> Figure:
    """Draw the passes of each method for the last steps of a network.

    The steps go from left to right; a block is one pass. Blending draws three passes a step.
    """
    depth = network(name, n // 4).depth
    figure, axes = subplots(len(METHODS), 1, height=2.7, sharex=True)
    for ax, method in zip(axes, METHODS, strict=True):
        passes = program_of(name, method, n).passes
        # In blending, MIN, MAX and copy make one step.
        widths = np.array([len(each.steps) or 1 / 3 for each in passes])
        gaps = np.minimum(0.3, widths / 3)
        ax.barh(0, widths - gaps, left=np.cumsum(widths) - widths, color=look(method)["color"])
        ax.set_yticks([0], [f"{method}\n{len(passes)} passes"])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.tick_params(left=False, bottom=ax is axes[-1])
    axes[-1].set(xlabel=f"step of the {name} network", xlim=(depth - last, depth + 0.2))
    return figure


def show_rates(record: Record) -> Figure:
    """Draw time against texels written for all networks and methods, with lines of equal rates."""
    figure, (ax,) = subplots(height=3.6)
    rates = []
    for method in METHODS:
        colour, points = look(method)["color"], []
        for name in RECORDED:
            (row,) = record.where(network=name, method=method)
            billions = sum(written(program_of(name, method, row["keys"]))) / 1e9
            points.append((billions, row["program_ms"]))
            ax.plot(*points[-1], look(name)["marker"], color=colour, markersize=8)
        rates.append(np.median([1e3 * x / ms for x, ms in points]))
        ax.plot([], [], color=colour, linewidth=6, label=method)
    for rate in (rates[0], rates[-1], WRITING):
        ax.plot([0.04, 3], [40 / rate, 3000 / rate], color=LINE, linewidth=1, zorder=0)
        style: Any = {"va": "center", "color": TEXT, "fontsize": 9}
        ax.text(3.2, 3000 / rate, f"{rate:.2g} · 10⁹ a second", **style)
    ax.set(xscale="log", yscale="log", title=record.label, xlim=(0.04, 12))
    ax.set(xlabel="texels written, in 10⁹", ylabel="milliseconds")
    for name in RECORDED:
        ax.plot([], [], look(name)["marker"], color=TEXT, label=name)
    legend_below(figure, 4, ax)
    return figure
