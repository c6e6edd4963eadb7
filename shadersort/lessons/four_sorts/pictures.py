"""Lesson 4: channels, merging and windows, in pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.images import draw_ranks, without_axes
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import subplots
from shadersort.palette import BLACK, CHANNEL_COLOURS, FAINT, GREY, LAVENDER, PINK, VIOLET
from shadersort.pictures.matplotlib_types import Figure


def show_red(before: Keys, after: Keys, marked: Integers) -> Figure:
    """Draw the red channel of a texture before and after a sort, with some texels marked."""
    height, width = before.shape
    figure, axes = subplots(1, 2, height=3.6 * height / width + 0.3)
    draw_ranks(axes[0], before, before, "the windows, packed")
    draw_ranks(axes[1], after, before, "sorted, each separately")
    style: Any = {"color": "white", "markersize": 5, "markeredgecolor": BLACK, "clip_on": False}
    axes[1].plot(marked % width, marked // width, "o", **style)
    return figure


def show_merge(channels: Keys) -> Frames:
    """Return the merge of four sorted lists, one key a frame."""
    order = np.argsort(channels, axis=None, kind="stable")
    result, length = channels.ravel()[order], channels.shape[1]

    def drawn(done: int) -> Figure:
        figure, (lists, merged) = subplots(2, 1, width=6.2, height=2.9, height_ratios=[4, 1])
        draw_keys(lists, channels, f"{done} of {len(result)} keys merged")
        draw_keys(merged, result[np.newaxis])
        gone = np.bincount(order[:done] // length, minlength=CHANNELS)
        lists.barh(np.arange(CHANNELS) + 0.5, gone, 1, color=FAINT, zorder=3)
        merged.barh(0.5, len(result) - done, 1, left=done, color=FAINT, zorder=3)
        for row, front in enumerate(gone):
            style: Any = {"ha": "right", "va": "center", "fontsize": 10}
            lists.text(-0.12, row + 0.5, CHANNEL_NAMES[row], **style)
            if front < length:
                x, y = [front, front + 1, front + 1, front, front], [0, 0, 1, 1, 0]
                lists.plot(x, np.add(row, y), color=BLACK, zorder=4, clip_on=False)
        for ax in (lists, merged):
            without_axes(ax)
        return figure

    return Frames(len(result) + 1, drawn, "four sorted lists become one")


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
