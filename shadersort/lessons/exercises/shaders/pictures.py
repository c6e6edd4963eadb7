"""Pictures of a texture, the frame that a function draws, and the one that is expected."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.lessons.drawing.pictures import CHANNEL_NAMES
from shadersort.lessons.exercises.outcomes import Case
from shadersort.lessons.shared.grids import draw_keys, show_grids
from shadersort.lessons.shared.images import without_axes
from shadersort.lessons.shared.style import subplots
from shadersort.pictures.matplotlib_types import Figure

Draw = Callable[[Case, Any, Any], Figure]


def one_channel(case: Case, yours: Texels, expected: Texels) -> Figure:
    """Draw the first channel that differs: the texture, "yours" and "expected"."""
    channel = int((yours != expected).any(axis=(0, 1)).argmax())
    return _show_channel(channel, {"the texture": case[0], "yours": yours, "expected": expected})


def _show_channel(channel: int, named: dict[str, Texels]) -> Figure:
    """Draw a channel of textures side by side, with their names and its own."""
    name = CHANNEL_NAMES[channel]
    return show_grids({f"{each}, {name}": named[each][..., channel] for each in named})


def show_asked(texels: Texels, expected: Texels, draw: Draw | None) -> Figure:
    """Draw a texture and the frame that is expected: all channels where `draw` does, else red."""
    named = {"the texture": texels, "expected": expected}
    return _show_rows(named) if draw is four_channels else _show_channel(0, named)


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
