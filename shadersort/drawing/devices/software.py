"""The software device: the living definition of what a pass means, in NumPy.

Every other device must leave the same texels, bit for bit, after every pass. This device needs no
OpenGL; its code is meant to be read, not to be fast.

Passes that ask a question do their arithmetic in 32 bits and in the order of the shaders. Counts,
minima and maxima are the same on every device, bit for bit. Sums may differ: a compiler of shaders
may reorder them (Mesa's does).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.drawing.devices.base import Counter, Device
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.networks import Step
from shadersort.drawing.passes import CHANNELS, Blend, Parameters, Pass
from shadersort.drawing.program import Program
from shadersort.keys.types import Integers, Mask

Cover = tuple[tuple[Integers, Integers], tuple[Integers, Integers]]
"""The columns x that quads cover with the texture's s at each, and the rows y with their t."""


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
    **dict.fromkeys(("comparator", "global", "block", "inside"), compare),
}
"""The NumPy twin of every shader that draws texel by texel."""

BLEND: dict[Blend | None, Callable[[Texels, Texels], Texels]] = {
    None: lambda drawn, there: drawn,
    "min": np.minimum,
    "max": np.maximum,
}
"""The result of a drawn colour and the colour already there."""


Seen = tuple[Any, Any, Any, Any]
"""For some texels, in leaf.glsl: candidates for a minimum and a maximum, and two summands."""

MOST = np.finfo(np.float32).max


def count(source: Texels, cover: Cover, each: Pass, parameters: Parameters) -> int:
    """shaders/below.frag and equal.frag: the number of keys let through, in all four channels."""
    (_, s), (_, t) = cover
    pivot = np.float32(parameters["pivot"])
    compare = np.less if each.shader == "below" else np.equal
    return int(np.count_nonzero(compare(source[np.ix_(t, s)], pivot)))


def reduce(source: Texels, cover: Cover, each: Pass, parameters: Parameters) -> Texels:
    """Reduce the texels at all taps to one texel: minimum, maximum and two sums."""
    (_, s), (_, t) = cover
    taps = [source[np.ix_(t + dy, s + dx)] for dx, dy in each.taps]
    with np.errstate(over="ignore", invalid="ignore"):
        if each.shader == "fold":
            return fold(taps)
        numbers = {name: np.float32(parameters[name]) for name in each.parameters}
        return leaf(taps, LEAVES[each.shader], numbers)


def fold(taps: list[Texels]) -> Texels:
    """shaders/fold.frag: reduce summaries to one."""
    color = taps[0].copy()
    for other in taps[1:]:
        color[..., 0] = np.minimum(color[..., 0], other[..., 0])
        color[..., 1] = np.maximum(color[..., 1], other[..., 1])
        color[..., 2:] += other[..., 2:]
    return color


def leaf(taps: list[Texels], see: Callable[..., Seen], numbers: dict[str, Any]) -> Texels:
    """shaders/leaf.glsl: reduce keys to summaries."""
    lows, highs = np.full_like(taps[0], MOST), np.full_like(taps[0], -MOST)
    firsts, seconds = np.zeros_like(taps[0]), np.zeros_like(taps[0])
    for keys in taps:
        low, high, first, second = see(keys, **numbers)
        lows, highs = np.minimum(lows, low), np.maximum(highs, high)
        firsts, seconds = firsts + first, seconds + second
    ends = lows.min(axis=-1), highs.max(axis=-1)
    return np.stack([*ends, _sum(firsts), _sum(seconds)], axis=-1)


def _sum(channels: Texels) -> Texels:
    """Add up the channels from the first on; NumPy's own sum may take another order."""
    total: Texels = channels[..., 0] + channels[..., 1] + channels[..., 2] + channels[..., 3]
    return total


def _where(mask: Mask, keys: Any, otherwise: Any = 0) -> Texels:
    return np.where(mask, keys, np.float32(otherwise))


def _finite(keys: Texels) -> Mask:
    return np.asarray(np.abs(keys) <= MOST)


def extent(keys: Texels) -> Seen:
    """shaders/extent.frag."""
    counts = _finite(keys)
    return _where(counts, keys, MOST), _where(counts, keys, -MOST), _where(counts, keys), counts


def nearest(keys: Texels, pivot: np.float32) -> Seen:
    """shaders/nearest.frag."""
    upper, lower = _finite(keys) & (keys >= pivot), _finite(keys) & (keys <= pivot)
    return _where(upper, keys, MOST), _where(lower, keys, -MOST), upper, lower


def distances(keys: Texels, pivot: np.float32, low: np.float32, high: np.float32) -> Seen:
    """shaders/distances.frag."""
    inside = (keys > low) & (keys < high) & _finite(keys)
    below = _where(inside & (keys < pivot), pivot - keys)
    above = _where(inside & (keys > pivot), keys - pivot)
    return MOST, -MOST, below, above


LEAVES: dict[str, Callable[..., Seen]] = {
    each.__name__: each for each in (extent, nearest, distances)
}
"""How each shader looks at the keys of one tap."""


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
