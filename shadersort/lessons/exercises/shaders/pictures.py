"""Pictures of a texture, the frame that a function draws, and the one that is expected."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.exercises.outcomes import Case
from shadersort.lessons.shared.grids import draw_keys, in_a_row
from shadersort.lessons.shared.images import without_axes
from shadersort.lessons.shared.style import subplots
from shadersort.pictures.matplotlib_types import Figure

Draw = Callable[[Case, Any, Any], Figure]


def one_channel(case: Case, yours: Texels, expected: Texels) -> Figure:
    """Draw the first channel that differs: the texture, "yours" and "expected"."""
    texels: Texels = case[0]
    channel = int((yours != expected).any(axis=(0, 1)).argmax())
    own, right = yours[..., channel], expected[..., channel]
    name, among = CHANNEL_NAMES[channel], np.append(texels[..., channel], right)
    figure, axes = in_a_row(3, texels.shape[:2])
    draw_keys(axes[0], texels[..., channel], f"the texture, {name}", among=among)
    draw_keys(axes[1], own, f"yours, {name}", among=among, expected=right)
    draw_keys(axes[2], right, f"expected, {name}", among=among)
    for ax in axes:
        ax.set_aspect("equal")
    return figure


def show_asked(texels: Texels, expected: Texels, draw: Draw | None) -> Figure:
    """Draw a texture and the frame that is expected: all channels where `draw` does, else red."""
    if draw is four_channels:
        return _show_rows({"the texture": texels, "expected": expected})
    red = texels[..., 0], expected[..., 0]
    figure, axes = in_a_row(2, texels.shape[:2])
    for ax, keys, name in zip(axes, red, ("the texture", "expected"), strict=True):
        draw_keys(ax, keys, f"{name}, {CHANNEL_NAMES[0]}", among=np.append(*red))
        ax.set_aspect("equal")
    return figure


def four_channels(case: Case, yours: Texels, expected: Texels) -> Figure:
    """Draw all channels, one a column: the texture, "yours" and "expected"."""
    return _show_rows({"the texture": case[0], "yours": yours, "expected": expected})


def _show_rows(rows: dict[str, Texels]) -> Figure:
    """Draw textures, one below the other, with one channel a column."""
    texels, expected = rows["the texture"], rows["expected"]
    among = np.append(texels, expected)
    height = sum(each.shape[0] for each in rows.values()) * 1.7 / texels.shape[1]
    figure, axes = subplots(
        *(len(rows), CHANNELS),
        height=height + 0.37 * len(rows),
        height_ratios=[each.shape[0] for each in rows.values()],
    )
    for at, (name, shown) in enumerate(rows.items()):
        for channel, channel_name in enumerate(CHANNEL_NAMES):
            ax = axes[at * CHANNELS + channel]
            right = expected[..., channel] if name == "yours" else None
            title = f"{name}: {channel_name}"
            draw_keys(ax, shown[..., channel], title, among=among, expected=right)
            without_axes(ax)
    return figure
