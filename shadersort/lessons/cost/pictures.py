"""Lesson 5: the data sheet of a card, and the price of a sort, in pictures."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from shadersort.drawing.cost.estimate import estimate
from shadersort.drawing.cost.profiles import Profile
from shadersort.drawing.passes import CHANNELS
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


def show_pipes(card: Profile = CARD) -> Figure:
    """Draw host, memory and pipelines of a card, joined by pipes as wide as the bandwidth."""
    figure, (ax,) = subplots(height=2.5)
    widest = card.memory_bandwidth.value
    flows = ((card.upload_bandwidth.value, "bus", "bus"), (widest, "memory", "copying"))
    for at, (rate, name, cause) in enumerate(flows):
        ax.barh(0, 1.6, height=1.7 * rate / widest, left=3.6 * at + 2, color=CAUSES[cause])
        ax.text(3.6 * at + 2.8, 0.95, f"{name}\n{rate / 1e9:g} GB/s", ha="center", va="bottom")
    for at, name in enumerate(("host", "the card's\nmemory", "16 pipelines\nof 400 MHz")):
        ax.barh(0, 2, height=1.8, left=3.6 * at, color="white", edgecolor=BLACK, linewidth=1.5)
        ax.text(3.6 * at + 1, 0, name, ha="center", va="center")
    ax.set(xlim=(-0.1, 9.3), ylim=(-1.1, 1.7))
    ax.set_axis_off()
    return figure


def _draw_pairs(ax: Axes, pairs: Mapping[str, tuple[float, float]]) -> None:
    """Draw the cycles of arithmetic and of memory, two bars for each name."""
    for at, (name, colour) in enumerate({"arithmetic": VIOLET, "memory": TEAL}.items()):
        places = np.arange(len(pairs)) + 0.38 * at - 0.19
        bars = ax.barh(
            places, [pair[at] for pair in pairs.values()], 0.36, color=colour, label=name
        )
        ax.bar_label(bars, fmt="%.1f", padding=3, fontsize=9)
    ax.set_yticks(range(len(pairs)), list(pairs))
    ax.invert_yaxis()


def show_texel(card: Profile = CARD) -> Figure:
    """Draw the cycles of arithmetic and memory for one texel of 16-bit floats."""
    figure, (ax,) = subplots(height=2.6)
    kinds = {
        "copy": (card.cycles_per_copy, 2),
        "MIN or MAX blending": (card.cycles_per_blend, 3),
        "comparison by a\nprogram (Purcell)": (card.cycles_per_comparison, 3),
    }
    moved = CHANNELS * HALF / card.bytes_per_cycle
    pairs = {name: (each.of("float16"), times * moved) for name, (each, times) in kinds.items()}
    _draw_pairs(ax, pairs)
    ax.set(xlabel="cycles of one pipeline, for one texel", xlim=(0, 60))
    ax.legend(loc="upper right", frameon=False)
    return figure


def show_cycles(card: Profile = CARD) -> Figure:
    """Draw the cycles for computing and for moving bytes, for a blend and for a copy."""
    figure, axes = subplots(1, 2, height=2.4)
    of_each = (("MIN or MAX", card.cycles_per_blend, 3), ("copy", card.cycles_per_copy, 2))
    for ax, (what, arithmetic, times) in zip(axes, of_each, strict=True):
        moved = times * HALF / card.bytes_per_cycle
        cycles = arithmetic.of("float16")
        _draw_pairs(
            ax, {"one channel": (cycles, moved), "four channels": (cycles, CHANNELS * moved)}
        )
        ax.set(title=what, xlabel="cycles for a texel", xlim=(0, 9))
    axes[1].legend(loc="upper right", frameon=False)
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
    """Draw the paper's sort, the earlier bitonic sort and quicksort, as computed from its text."""
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
