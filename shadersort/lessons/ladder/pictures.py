"""Lesson 6: what each method costs on a GPU of today, in pictures."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from shadersort.drawing.networks import network
from shadersort.lessons.ladder.live import METHODS, RECORDED
from shadersort.lessons.ladder.rates import WRITING, predicted, program_of, written
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.style import legend_below, look, subplots
from shadersort.lessons.shared.tables import short
from shadersort.pictures.matplotlib_types import Axes, Figure

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


def _draw_points(
    ax: Axes, record: Record, methods: Sequence[str], x_of: Callable[[str, str], float]
) -> Any:
    """Draw the milliseconds of methods and networks over x; return an array of x and one of ms."""
    points = []
    for method, name in product(methods, RECORDED):
        (row,) = record.where(network=name, method=method)
        points.append((x_of(name, method), row["program_ms"]))
        style: Any = {"color": look(method)["color"], "marker": look(name)["marker"]}
        ax.plot(*points[-1], linestyle="none", markersize=8, **style)
    for method in methods:
        ax.plot([], [], color=look(method)["color"], linewidth=6, label=method)
    ax.set(xscale="log", yscale="log", title=record.label)
    return np.array(points).reshape(len(methods), len(RECORDED), 2)


def show_rates(record: Record) -> Figure:
    """Draw time against texels written for all networks and methods, with lines of equal rates."""
    figure, (ax,) = subplots(height=3.6)

    def billions(name: str, method: str) -> float:
        (row,) = record.where(network=name, method=method)
        return sum(written(program_of(name, method, row["keys"]))) / 1e9

    points = _draw_points(ax, record, METHODS, billions)
    rates = np.median(1e3 * points[..., 0] / points[..., 1], axis=1)
    for rate in (rates[0], rates[-1], WRITING):
        ax.plot([0.04, 3], [40 / rate, 3000 / rate], color=LINE, linewidth=1, zorder=0)
        style: Any = {"va": "center", "color": TEXT, "fontsize": 9}
        ax.text(3.2, 3000 / rate, f"{rate:.2g} · 10⁹ a second", **style)
    ax.set(xlim=(0.04, 12), xlabel="texels written, in 10⁹", ylabel="milliseconds")
    for name in RECORDED:
        ax.plot([], [], linestyle="none", color=TEXT, marker=look(name)["marker"], label=name)
    legend_below(figure, 4, ax)
    return figure


def show_chip(record: Record) -> Figure:
    """Draw the operations and the written texels a second of each kind of shader, from zero."""
    figure, axes = subplots(1, 2, height=2.5)
    stages = ("fragment", "fragment, blended", "compute")
    colours = [look(name)["color"] for name in ("fragment", "blend", "compute")]
    panels = (
        ("arithmetic", "f2", "tflops", "10¹² operations\nin a second"),
        ("write", "f4", "gtexels_s", "10⁹ texels written\nin a second"),
    )
    for ax, (work, dtype, field, words) in zip(axes, panels, strict=True):
        rates = [record.where(work=work, dtype=dtype, stage=stage)[0][field] for stage in stages]
        ax.barh(range(3), rates, color=colours, height=0.6)
        for place, rate in enumerate(rates):
            ax.text(rate + max(rates) / 40, place, short(rate), va="center", fontsize=9)
        ax.set(xlabel=words, xlim=(0, max(rates) * 1.2))
        ax.set_yticks(range(3), stages if ax is axes[0] else [""] * 3)
        ax.invert_yaxis()
    figure.suptitle(record.label, fontsize=10)
    return figure


def show_predicted(record: Record) -> Figure:
    """Draw measured times against those that two rates predict, for all methods that draw."""
    figure, (ax,) = subplots(width=4.6, height=4.0)
    _draw_points(ax, record, METHODS[:3], predicted)
    ax.plot([30, 2000], [30, 2000], color=LINE, linewidth=1, zorder=0)
    ax.text(900, 1000, "equal", rotation=45, ha="right", va="bottom", color=TEXT)
    ax.set(xlabel="predicted, ms", ylabel="measured, ms")
    legend_below(figure, 3, ax)
    return figure
