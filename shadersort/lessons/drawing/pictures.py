"""Lesson 1: passes that are drawn by hand, and their pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.devices import borrowed
from shadersort.drawing.devices.base import Device
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.networks import network
from shadersort.drawing.passes import CHANNELS, FRAME, Pass
from shadersort.drawing.program import Program
from shadersort.keys.types import Keys
from shadersort.lessons.shared.grids import draw_keys, draw_reading, draw_writing, in_a_row
from shadersort.lessons.shared.images import without_axes
from shadersort.names import DeviceName
from shadersort.pictures.matplotlib_types import Figure

CHANNEL_NAMES = ("red", "green", "blue", "alpha")


def draw(keys: Keys, *passes: Pass, device: Device | DeviceName | None = None) -> list[Keys]:
    """Draw passes from the buffer "texture" into "frame"; return the frame after each pass.

    Keys of shape (height, width) are put into all four channels; keys of shape (height, width, 4)
    fill them. The frames have the same shape. None takes the best device here.

    Examples
    --------
    >>> import shadersort as ss
    >>> mirrored = ss.Quads(ss.Quad(0, 0, 4, 1, 4, 0, 0, 1))
    >>> keys = np.float32([[3, 1, 4, 2]])
    >>> draw(keys, ss.Pass("copy", "texture", "frame", (mirrored,)), device="software")
    [array([[2., 4., 1., 3.]], dtype=float32)]
    """
    texels = np.repeat(keys[..., None], CHANNELS, axis=2) if keys.ndim == 2 else keys
    height, width, _ = texels.shape
    program = Program(network("pbsn", 1), "blend", width, height, passes, FRAME)
    frames: list[Texels] = []

    def observe(index: int, buffers: Any) -> None:
        frame: Texture = buffers[FRAME]
        frames.append(frame.read())

    with borrowed(device) as opened:
        opened.run(program, texels, observe)
    return [frame[..., 0] if keys.ndim == 2 else frame for frame in frames]


def show_pass(keys: Keys, frames: Sequence[Keys], index: int, passes: Sequence[Pass]) -> Figure:
    """Draw a pass of `draw`: the texture, the frame before it (if it blends), and after it.

    The letters A to D mark the corners of a quad, where it reads and where it is drawn.
    """
    each = passes[index]
    figure, axes = in_a_row(3 if each.blend else 2, (keys.shape[0], keys.shape[1]))
    draw_keys(axes[0], keys, "the texture: what is read")
    draw_reading(axes[0], each)
    if each.blend:
        draw_keys(axes[1], frames[index - 1], "the frame before", among=keys)
    verb = f"{each.blend.upper()} of both" if each.blend else "after"
    draw_keys(axes[-1], frames[index], f"the frame: {verb}", among=keys)
    draw_writing(axes[-1], each)
    return figure


def show_channels(texels: Texels) -> Figure:
    """Draw the four channels of a texture, and its colours (without alpha)."""
    figure, axes = in_a_row(CHANNELS + 1, (texels.shape[0], texels.shape[1]))
    height, width, _ = texels.shape
    for ax, channel, name in zip(axes, range(CHANNELS), CHANNEL_NAMES, strict=False):
        draw_keys(ax, texels[..., channel], name, among=texels)
    span = max(float(texels.max()), 1e-9)
    axes[-1].imshow(texels[..., :3] / span, extent=(0, width, height, 0))
    axes[-1].set_title("as a colour")
    for ax in axes:
        without_axes(ax)
    return figure
