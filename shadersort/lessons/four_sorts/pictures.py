"""Lesson 4: channels, merging and windows, in pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.shared.images import draw_ranks
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import key_colours, subplots
from shadersort.palette import (
    BLACK,
    CHANNEL_COLOURS,
    GREY,
    LAVENDER,
    PINK,
    VIOLET,
)
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.pictures.trace import Trace

PALE = "#e4e4e4"


def show_colours(trace: Trace, steps: Sequence[int]) -> Figure:
    """Draw the texture of a trace as a picture after some steps; 0 is the input."""
    figure, axes = subplots(1, len(steps), height=7.2 / len(steps) + 0.3)
    for ax, step in zip(axes, steps, strict=True):
        texels = trace[3 * step - 1].after if step else trace.input
        title = f"after step {step}" if step else "unsorted"
        draw_ranks(ax, texels[..., :3], trace.input, title)
    return figure


def show_red(before: Texels, after: Texels, marked: Integers) -> Figure:
    """Draw the red channel of a texture before and after a sort, with some texels marked."""
    height, width, _ = before.shape
    figure, axes = subplots(1, 2, height=3.6 * height / width + 0.3)
    draw_ranks(axes[0], before[..., 0], before[..., 0], "the windows, packed")
    draw_ranks(axes[1], after[..., 0], before[..., 0], "sorted, each separately")
    style: Any = {"color": "white", "markersize": 5, "markeredgecolor": BLACK, "clip_on": False}
    axes[1].plot(marked % width, marked // width, "o", **style)
    return figure


def show_merge(channels: Keys) -> Frames:
    """Return the merge of four sorted lists, one key a frame."""
    order = np.argsort(channels, axis=None, kind="stable")
    result, length = channels.ravel()[order], channels.shape[1]
    figure, (ax,) = subplots(width=6.2, height=2.5)
    ax.set(xlim=(-0.1, 2 * length + 2.5), ylim=(4, -0.1), title=" ")
    ax.set_axis_off()
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the places are those of all frames

    def drawn(done: int) -> Figure:
        for artist in (*ax.patches, *ax.lines, *ax.texts):
            artist.remove()
        gone = np.bincount(order[:done] // length, minlength=CHANNELS)
        for row, keys in enumerate(channels):
            left, top = 1 + (length + 1.4) * (row % 2), 1.2 * (row // 2)
            label: Any = {"ha": "right", "va": "center", "fontsize": 10}
            ax.text(left - 0.12, top + 0.5, CHANNEL_NAMES[row], **label)
            _cells(ax, keys, np.arange(length) >= gone[row], result, left, top)
            if gone[row] < length:
                x = left + gone[row]
                ax.plot([x, x + 1, x + 1, x, x], [top, top, top + 1, top + 1, top], color=BLACK)
        width = (2 * length + 2.4) / len(result)
        _cells(ax, result, np.arange(len(result)) < done, result, 0, 3, width)
        ax.set_title(f"{done} of {len(result)} keys merged")
        return figure

    return Frames(len(result) + 1, drawn, "four sorted lists become one")


def _cells(
    ax: Axes, keys: Keys, there: Keys, among: Keys, left: float, top: float, width: float = 1
) -> None:
    """Draw keys in a row of cells, coloured by rank; the cells of missing keys are empty."""
    shades = key_colours()
    ranks = np.searchsorted(among, keys) / (len(among) - 1)
    for place, (key, rank, is_there) in enumerate(zip(keys, ranks, there, strict=True)):
        x = left + place * width
        square: Any = ([x, x + width, x + width, x], [top, top, top + 1, top + 1])
        ax.fill(*square, facecolor=shades(rank) if is_there else PALE, edgecolor="white")
        if is_there:
            colour = "black" if rank > 0.55 else "white"
            style: Any = {"ha": "center", "va": "center", "fontsize": 10, "color": colour}
            ax.text(x + width / 2, top + 0.5, f"{key:g}", **style)


def show_windows(stream: Keys, length: int) -> Figure:
    """Draw a stream cut into windows, each on a ground in the colour of its channel."""
    figure, (ax,) = subplots(height=2.2)
    for number, window in enumerate(stream.reshape(-1, length)):
        places = np.arange(number * length, (number + 1) * length)
        ground = CHANNEL_COLOURS[number % CHANNELS]
        ax.axvspan(places[0] - 0.5, places[-1] + 0.5, color=ground, alpha=0.5, linewidth=0)
        ax.plot(places, window, "o-", color=BLACK, markersize=3, linewidth=1)
        name = f"window {number}\n{CHANNEL_NAMES[number % CHANNELS]}"
        style: Any = {"ha": "center", "fontsize": 9}
        ax.text(places.mean(), stream.max() * 1.08, name, **style)
    ax.set(xlabel="place in the stream", ylabel="value", ylim=(-1, stream.max() * 1.35))
    ax.set_xlim(-0.5, len(stream) - 0.5)
    return figure


def show_spread(stream: Keys, ordered: Keys, parts: Sequence[float]) -> Figure:
    """Draw quantiles of each sorted window over the values of the stream."""
    figure, (ax,) = subplots(height=3.0)
    count, length = ordered.shape
    some = np.arange(0, len(stream), 32)
    ax.plot(some, stream[some], ".", color=GREY, markersize=1.5, label="one request in 32")
    edges = np.arange(count + 1) * length
    for part, colour in zip(parts, (PINK, LAVENDER, VIOLET), strict=True):
        at = int(np.ceil(part * length)) - 1
        style: Any = {"color": colour, "linewidth": 1.8, "label": f"{part:.0%} are faster"}
        ax.stairs(ordered[:, at], edges, baseline=None, **style)
    ax.set(xlabel="request", ylabel="response time (ms)", yscale="log", xlim=(0, len(stream)))
    figure.legend(frameon=False, ncols=4, loc="outside upper center", markerscale=4)
    return figure
