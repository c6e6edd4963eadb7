"""The software device: the living definition of what a pass means, in NumPy.

Every other device must leave the same texels, bit for bit, after every pass. This device needs no
OpenGL; its code is meant to be read, not to be fast.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.drawing.devices.base import Counter, Device
from shadersort.drawing.devices.software_questions import Cover, count, reduce
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.networks import Step
from shadersort.drawing.passes import CHANNELS, Blend, Parameters, Pass
from shadersort.drawing.program import Program
from shadersort.keys.types import Mask


def copy(source: Texels, cover: Cover, each: Pass) -> Texels:
    """shaders/copy.frag: the texels at the texture coordinates."""
    (_, s), (_, t) = cover
    drawn: Texels = source[np.ix_(t, s)]
    return drawn


def keep(source: Texels, cover: Cover, each: Pass) -> Texels:
    """shaders/keep.frag: the smaller or the larger of each texel and its partner."""
    (x, s), (y, t) = cover
    pair = source[np.ix_(y, x)], source[np.ix_(t, s)]
    smaller, larger = compare_exchange(*pair, each.record)
    return smaller if (y[0], x[0]) < (t[0], s[0]) else larger


def compare(source: Texels, cover: Cover, each: Pass) -> Texels:
    """Compare each texel with its partner in one step after the other.

    The twin of shaders/comparator.frag, global.comp and block.comp, which differ only in the memory
    that they use; and of inside.frag, which joins the lists of each texel alone.
    """
    (x, _), (y, _) = cover
    drawn: Texels = after_steps(source.reshape(-1, CHANNELS), each).reshape(source.shape)
    return drawn[np.ix_(y, x)]


def butterfly(source: Texels, each: Pass) -> Texels:
    """shaders/butterfly.frag: the same, for wires that lie in layers before and after."""
    assert each.fusion
    keys = source.reshape(-1, CHANNELS)
    drawn = np.empty_like(keys)
    read, written = (
        layout.addresses(len(keys)) for layout in (each.fusion.reads, each.fusion.writes)
    )
    drawn[written] = after_steps(keys[read], each)
    return drawn.reshape(source.shape)


def after_steps(keys: Texels, each: Pass) -> Texels:
    """Return the keys of all wires after the steps of a pass."""
    wires = np.arange(len(keys), dtype=np.int64)
    for step in each.steps:
        partner = step.partner(wires)
        keeps_smaller = (wires < partner)[:, np.newaxis]
        keys = np.where(keeps_smaller, *compare_exchange(keys, keys[partner], each.record))
    for step in each.inside:
        keys = after_step_inside(keys, step, each.record)
    return keys


def after_step_inside(keys: Texels, step: Step, record: int) -> Texels:
    """shaders/inside.glsl: the keys after a step that joins lists of the same texel."""
    channels = np.arange(CHANNELS)
    partner = channels ^ (step.block * record)
    others = keys[:, partner]
    if step.pairing == "turn":
        odd = (np.arange(len(keys)) % 2 == 1)[:, np.newaxis]
        return np.where(odd, others, keys)
    return np.where(channels < partner, *compare_exchange(keys, others, record))


def compare_exchange(a: Texels, b: Texels, record: int) -> tuple[Texels, Texels]:
    """shaders/order.glsl: the smaller and the larger of each two keys, or of each two records."""
    if record == 1:
        return np.minimum(a, b), np.maximum(a, b)
    one, other = (texels.reshape(-1, record) for texels in (a, b))
    first: Mask = np.zeros(len(one), np.bool_)
    for channel in reversed(range(record)):
        first &= one[:, channel] == other[:, channel]
        first |= one[:, channel] < other[:, channel]
    everywhere = np.repeat(first, record).reshape(a.shape)
    return np.where(everywhere, a, b), np.where(everywhere, b, a)


SHADERS: dict[str, Callable[[Texels, Cover, Pass], Texels]] = {
    "copy": copy,
    "keep": keep,
    "comparator": compare,
    "global": compare,
    "block": compare,
    "inside": compare,
}
"""The NumPy twin of every shader that draws texel by texel."""

BLEND: dict[Blend | None, Callable[[Texels, Texels], Texels]] = {
    None: lambda drawn, there: drawn,
    "min": np.minimum,
    "max": np.maximum,
}
"""The result of a drawn colour and the colour already there."""


class SoftwareTexture(Texture):
    """A texture that is an array; layers follow each other in it."""

    def __init__(self, device: "SoftwareDevice", texels: Texels) -> None:
        height, width, _ = texels.shape
        super().__init__(device, width, height, texels.dtype)
        self.texels = texels

    def _read(self, rows: int) -> Texels:
        return self.texels[:rows].copy()

    def _texel(self, x: int, y: int) -> Texels:
        texel: Texels = self.texels[y, x].copy()
        return texel

    def _release(self) -> None:
        del self.texels


class SoftwareDevice(Device):
    """Executes programs in NumPy, on any machine."""

    kind = "software"
    renderer = f"NumPy {np.__version__}"
    hardware = False
    computes = True
    max_texture_size = 16384

    def upload(self, texels: Texels) -> SoftwareTexture:
        """Make a texture of a copy of the array."""
        self._check_texels(texels.shape, texels.dtype)
        return SoftwareTexture(self, np.array(texels, order="C"))

    def _allocate(
        self, width: int, height: int, dtype: np.dtype[Any], layers: int = 1
    ) -> SoftwareTexture:
        return SoftwareTexture(self, np.empty((height, width, CHANNELS), dtype))

    def _prepare(self, program: Program, dtype: np.dtype[Any]) -> tuple[Pass, ...]:
        return program.passes

    def _draw(
        self, each: Pass, source: SoftwareTexture, target: SoftwareTexture, parameters: Parameters
    ) -> Counter | None:
        if each.shader == "butterfly":
            target.texels[:] = butterfly(source.texels, each)
            return None
        covers = [(quads.columns(), quads.rows()) for quads in each.quads]
        if each.counts:
            found = sum(count(source.texels, cover, each, parameters) for cover in covers)
            return lambda: found
        for cover in covers:
            if each.taps:
                drawn = reduce(source.texels, cover, each, parameters)
            else:
                drawn = SHADERS[each.shader](source.texels, cover, each)
            (x, _), (y, _) = cover
            place = np.ix_(y, x)
            target.texels[place] = BLEND[each.blend](drawn, target.texels[place])
        return None
