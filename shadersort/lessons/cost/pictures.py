"""Lesson 5: the data sheet of a card, and the price of a sort, in pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.cost.estimate import INSTRUCTIONS, estimate
from shadersort.drawing.cost.profiles import Cycles, Quantity
from shadersort.lessons.cost.prices import (
    BASE,
    CARD,
    CAUSES,
    HALF,
    UPGRADES,
    causes,
    faster,
    quicksort_seconds,
    scaled_seconds,
)
from shadersort.lessons.shared.style import legend_below, look, subplots
from shadersort.palette import BLACK, BROWN, TEAL, VIOLET
from shadersort.pictures.matplotlib_types import Axes, Figure

SIZES = [1 << p for p in range(10, 24)]

KIPFER = Quantity(
    2 * INSTRUCTIONS["keep"][0] + INSTRUCTIONS["keep"][1], "cycles", "two fetches, and a choice"
)

KINDS = {
    "copy": (CARD.cycles_per_copy, 2),
    "MIN or MAX": (CARD.cycles_per_blend, 3),
    "comparison by a\nprogram (Purcell)": (CARD.cycles_per_comparison, 3),
    "comparison by a\nprogram (Kipfer)": (Cycles(KIPFER, KIPFER), 3),
}
"""The cycles of what a pipeline does with a texel, and how often it moves the texel."""


def show_cycles(names: Sequence[str] = tuple(KINDS), channels: Sequence[int] = (4,)) -> Figure:
    """Draw the cycles of arithmetic and of memory for a texel of 16-bit floats, in pairs."""
    figure, (ax,) = subplots(height=3.0)
    rows = [(name, each) for name in names for each in channels]
    lengths = (
        [KINDS[name][0].of("float16") for name, _ in rows],
        [KINDS[name][1] * each * HALF / CARD.bytes_per_cycle for name, each in rows],
    )
    for at, (name, colour) in enumerate({"arithmetic": VIOLET, "memory": TEAL}.items()):
        places = np.arange(len(rows)) + 0.38 * at - 0.19
        bars = ax.barh(places, lengths[at], 0.36, color=colour, label=name)
        ax.bar_label(bars, fmt="%.1f", padding=3, fontsize=9)
    told = "" if len(channels) == 1 else ", channels: {}"
    ax.set_yticks(range(len(rows)), [name + told.format(each) for name, each in rows])
    ax.invert_yaxis()
    ax.set(xlabel="cycles of one pipeline, for one texel", xmargin=0.15)
    legend_below(figure, 2, ax)
    return figure


def draw_keys_axis(ax: Axes) -> None:
    """Give axes the number of keys from left to right, by powers of two."""
    ax.set_xscale("log", base=2)
    ax.set_xlabel("keys")


def show_shares() -> Figure:
    """Draw the shares of the parts of the time, for few keys and for many."""
    parts = [causes(n) for n in SIZES]
    shares = [[100 * each[name] / sum(each.values()) for each in parts] for name in CAUSES]
    figure, (ax,) = subplots(height=3.0)
    ax.stackplot(SIZES, shares, colors=list(CAUSES.values()), labels=list(CAUSES))
    draw_keys_axis(ax)
    ax.set(ylabel="share of the time, %", xlim=(SIZES[0], SIZES[-1]), ylim=(0, 100))
    handles, labels = ax.get_legend_handles_labels()
    beside: Any = {"loc": "center left", "bbox_to_anchor": (1, 0.5), "frameon": False}
    ax.legend(handles[::-1], labels[::-1], **beside)
    return figure


def show_figure_4() -> Figure:
    """Draw the times of drawing and transfers, and the prediction from 8M keys."""
    costs = [estimate(n) for n in SIZES]
    figure, (ax,) = subplots(height=3.4)
    drawing = [1e3 * cost.gpu_seconds for cost in costs]
    ax.plot(SIZES, drawing, **look("blend"), label="sorting on the GPU")
    moving = [1e3 * cost.transfer_seconds for cost in costs]
    ax.plot(SIZES, moving, color=BROWN, marker="v", label="transfers over the bus")
    predicted = scaled_seconds(drawing[-1], BASE, np.array(SIZES))
    dots: Any = {"color": "white", "markeredgecolor": BLACK, "zorder": 3}
    ax.plot(SIZES, predicted, "o", **dots, label="predicted from the last point")
    _set_milliseconds(ax, f"{CARD.title}: by its data sheet")
    legend_below(figure, 3, ax)
    return figure


def _set_milliseconds(ax: Axes, title: str) -> None:
    draw_keys_axis(ax)
    ax.set(yscale="log", ylabel="milliseconds", title=title)


def show_figure_3() -> Figure:
    """Draw the paper's sort, earlier and later bitonic sorts and quicksort, as computed."""
    figure, (ax,) = subplots(height=3.4)
    options: Any = {"network": "bitonic", "method": "fragment", "precision": "float16"}
    high = [1e3 * estimate(4 * n, **options).seconds for n in SIZES]
    low = [1e3 * estimate(n, **options).seconds for n in SIZES]
    style = look("bitonic")
    ax.fill_between(SIZES, low, high, color=style["color"], alpha=0.3, linewidth=0)
    ax.plot(SIZES, high, **style, label="bitonic sort, one key to a texel")
    ax.plot(SIZES, low, **style, linestyle=":", label="bitonic sort, four keys to a texel")
    ours = [1e3 * estimate(n).seconds for n in SIZES]
    ax.plot(SIZES, ours, **look("pbsn"), label="PBSN by blending")
    for network, name, line in (("pbsn", "PBSN", "-"), ("bitonic", "bitonic sort", ":")):
        options = {"network": network, "method": "kipfer", "precision": "float16"}
        short = [1e3 * estimate(n, **options).seconds for n in SIZES]
        ax.plot(SIZES, short, **look("kipfer"), linestyle=line, label=f"{name} by Kipfer's program")
    quick = 1e3 * quicksort_seconds(np.array(SIZES))
    ax.plot(SIZES, quick, **look("np.sort"), label="quicksort, Pentium 4")
    _set_milliseconds(ax, "by data sheets: not measured")
    legend_below(figure, 2, ax)
    return figure


def show_upgrades(n: int) -> Figure:
    """Draw the speed-up of a sort of n keys by cards that are twice as good in one respect."""
    figure, (ax,) = subplots(height=2.6)
    before = estimate(n).seconds
    gains = [before / estimate(n, profile=faster(upgrade)).seconds for upgrade in UPGRADES]
    colours = [CAUSES["bus"], CAUSES["copying"], VIOLET, VIOLET, CAUSES["setup"]]
    ax.barh(range(len(gains)), [gain - 1 for gain in gains], left=1, color=colours)
    for row, gain in enumerate(gains):
        ax.text(gain + 0.01, row, f"{gain:.2f} ×", va="center")
    ax.set_yticks(range(len(gains)), list(UPGRADES))
    ax.invert_yaxis()
    ax.set(xlim=(1, 2.1), xlabel="times faster, if this alone is twice as good")
    ax.set_title(f"{n:,} keys: {1e3 * before:,.3g} ms", loc="left")
    return figure
