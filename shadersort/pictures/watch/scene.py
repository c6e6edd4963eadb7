"""What the window of `watch` shows at one moment."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.opengl_texture import OpenGLTexture
from shadersort.drawing.passes import CHANNELS


@dataclass(frozen=True, slots=True)
class Scene:
    """A texture with its captions."""

    texture: OpenGLTexture  # the texture whose keys are shown
    # what the last pass did to each texel, or None before the first pass
    roles: npt.NDArray[np.uint8] | None
    # lines of text: which sort runs, which pass this is, and the speed or the outcome
    heading: str
    caption: str
    state: str
    done: float  # the share of the passes that are drawn, from 0 to 1
    channels: tuple[int, ...] = tuple(range(CHANNELS))  # the channels that are shown
