"""Lesson 17: what a statistic keeps of keys in order, in pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Keys
from shadersort.lessons.capstone.shaders import between, starts
from shadersort.lessons.capstone.statistics import STATISTICS, ends_of, lower_median
from shadersort.lessons.shared.style import subplots
from shadersort.palette import BLACK, CHANNEL_COLOURS, FAINT, GREEN, GREY, LAVENDER
from shadersort.pictures.matplotlib_types import Axes, Figure


def kept(name: str, keys: Keys) -> Any:
    """Return which keys, in order, decide a statistic."""
    in_order, outside = np.sort(keys), len(keys) // 4
    places = np.arange(len(keys))
    if name == "mode":
        return np.equal(in_order, STATISTICS["mode"](keys))
    if name == "median absolute deviation":
        return np.less_equal(np.abs(in_order - lower_median(keys)), STATISTICS[name](keys))
    return (places >= outside) & (places < len(keys) - outside)


def show_statistics(keys: Keys) -> Figure:
    """Draw keys in order, once for each statistic, with the keys that decide it in colour."""
    figure, axes = subplots(2, 2, height=4.0, sharey=True)
    for ax, (name, of) in zip(axes, STATISTICS.items(), strict=True):
        chosen = kept(name, keys)
        colours = [GREEN if each else FAINT for each in chosen]
        ax.bar(range(len(keys)), np.sort(keys), color=colours, width=0.85)
        if name in ("trimmed mean", "mode"):
            ax.axhline(of(keys), color=BLACK, linestyle=":", linewidth=1.2)
        ax.set_title(f"{name}: {of(keys):.3g}")
        ax.set(xticks=[], xlabel="keys in order")
    for ax in axes[::2]:
        ax.set_ylabel("key")
    return figure


def _strip(ax: Axes, y: float, numbers: Keys, colours: Sequence[str], width: int = 1) -> None:
    """Draw numbers in a row of cells; dark cells have white numbers."""
    for x, (number, colour) in enumerate(zip(numbers.tolist(), colours, strict=True)):
        left, right = x * width + 0.04, (x + 1) * width - 0.04
        ax.fill([left, right, right, left], [y, y, y + 0.8, y + 0.8], color=colour, linewidth=0)
        ink = BLACK if colour in (FAINT, *CHANNEL_COLOURS) else "white"
        place: Any = {"ha": "center", "va": "center", "fontsize": 10, "color": ink}
        ax.text((left + right) / 2, y + 0.42, f"{number:g}", **place)


def _rows_of_cells(count: int, names: Sequence[str]) -> tuple[Figure, Axes]:
    """Return a figure with rows of cells, which have names at the left."""
    figure, (ax,) = subplots(height=0.42 * len(names) + 0.3)
    ax.set(xlim=(0, count), ylim=(len(names), -0.1), xticks=[])
    ax.set_yticks([row + 0.4 for row in range(len(names))], names)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    return figure, ax


def show_ties(keys: Keys) -> Figure:
    """Draw keys in order: what a trimmed mean drops, its ends, and what is between; and runs."""
    in_order = np.sort(keys)
    _, low, high = ends_of(keys)
    names = ("the ends, and what equals them", "dropped or kept", "runs")
    figure, ax = _rows_of_cells(len(keys), names)
    ends = [LAVENDER if key in (low, high) else FAINT for key in in_order]
    stay = [GREEN if each else FAINT for each in kept("trimmed mean", keys)]
    runs = np.cumsum(np.append(0, in_order[1:] != in_order[:-1])) % 2
    _strip(ax, 0, in_order, ends)
    _strip(ax, 1, in_order, stay)
    _strip(ax, 2, in_order, [GREY if each else FAINT for each in runs])
    return figure


def show_task(texels: Texels, low: float, high: float) -> Figure:
    """Draw a row of texels, and what the functions of stage 3 make of them."""
    names = ("the texture", f"trimmed mean, low = {low:g}, high = {high:g}", "mode")
    count = texels.size
    figure, ax = _rows_of_cells(count, names)
    frames = (texels, between(texels, low, high), starts(texels))
    for row, frame in enumerate(frames):
        _strip(ax, row, frame.ravel(), CHANNEL_COLOURS * (count // CHANNELS))
    for x in range(CHANNELS, count, CHANNELS):
        ax.axvline(x, color=BLACK, linewidth=2)
    return figure
