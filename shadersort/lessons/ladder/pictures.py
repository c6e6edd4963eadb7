"""Lesson 6: what each method costs on a GPU of today, in pictures."""

from itertools import product
from typing import Any

import numpy as np

from shadersort.drawing.networks import network
from shadersort.lessons.ladder.live import METHODS, RECORDED
from shadersort.lessons.ladder.rates import WRITING, predicted, program_of, written
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.style import legend_below, look, subplots
from shadersort.lessons.shared.tables import short
from shadersort.pictures.matplotlib_types import Figure


def show_passes(name: str = "bitonic", n: int = 1 << 15, last: int = 31) -> Figure:
    """Draw the passes of each method for the last steps of a network.

    The steps go from left to right; a block is one pass. Blending draws three passes a step.
    """
    depth = network(name, n // 4).depth
    figure, axes = subplots(len(METHODS), 1, width=7.2, height=2.7, sharex=True)
    for ax, method in zip(axes, METHODS, strict=True):
        program = program_of(name, method, n)
        start = 0.0
        for each in program.passes:
            width = len(each.steps) or 1 / 3  # blending: MIN, MAX and copy make one step
            gap = min(0.3, width / 3)
            ax.barh(0, width - gap, left=start, color=look(method)["color"])
            start += width
        ax.set_yticks([0], [f"{method}\n{len(program.passes)} passes"])
        ax.tick_params(left=False)
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)
        ax.tick_params(bottom=False)
    axes[-1].set(xlabel=f"step of the {name} network", xlim=(depth - last, depth + 0.2))
    axes[-1].tick_params(bottom=True)
    return figure


def show_rates(record: Record) -> Figure:
    """Draw time against texels written for all networks and methods, with lines of equal rates."""
    figure, (ax,) = subplots(width=7.2, height=3.6)
    rates: dict[str, list[float]] = {}
    for method, name in product(METHODS, RECORDED):
        (row,) = record.where(network=name, method=method)
        texels = sum(written(program_of(name, method, row["keys"])))
        rates.setdefault(method, []).append(texels / row["program_ms"] / 1e6)
        marker = look(name)["marker"]
        style: Any = {"color": look(method)["color"], "marker": marker, "markersize": 8}
        ax.plot(texels / 1e9, row["program_ms"], linestyle="none", **style)
    span = np.array([0.04, 3.0])
    for rate in (*(np.median(rates[method]) for method in ("blend", "compute")), WRITING):
        ax.plot(span, 1e3 * span / rate, color="#bbbbbb", linewidth=1, zorder=0)
        ax.text(
            3.2, 3000 / rate, f"{rate:.2g} · 10⁹ a second", va="center", color="#555555", fontsize=9
        )
    ax.set(xscale="log", yscale="log", xlim=(0.04, 12))
    ax.set(xlabel="texels written, in 10⁹", ylabel="milliseconds", title=record.label)
    for method in METHODS:
        ax.plot([], [], color=look(method)["color"], linewidth=6, label=method)
    for name in RECORDED:
        ax.plot([], [], linestyle="none", color="#555555", marker=look(name)["marker"], label=name)
    legend_below(figure, 4, ax)
    return figure


def show_chip(record: Record) -> Figure:
    """Draw the operations and the written texels a second of each kind of shader, from zero."""
    figure, axes = subplots(1, 2, width=7.2, height=2.5)
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
    for method, name in product(("blend", "fragment", "fused"), RECORDED):
        (row,) = record.where(network=name, method=method)
        style: Any = {"color": look(method)["color"], "marker": look(name)["marker"]}
        ax.plot(predicted(name, method), row["program_ms"], linestyle="none", markersize=8, **style)
    ax.plot([30, 2000], [30, 2000], color="#bbbbbb", linewidth=1, zorder=0)
    ax.text(900, 1000, "equal", rotation=45, ha="right", va="bottom", color="#555555")
    ax.set(xscale="log", yscale="log", xlabel="predicted, ms", ylabel="measured, ms")
    ax.set_title(record.label)
    for method in ("blend", "fragment", "fused"):
        ax.plot([], [], color=look(method)["color"], linewidth=6, label=method)
    legend_below(figure, 3, ax)
    return figure
