"""Passes that ask a question, in NumPy: the twins of the shaders that count or reduce.

The arithmetic has 32 bits and the order of the shaders. Counts, minima and maxima are the same on
every device, bit for bit. Sums may differ: a compiler of shaders may reorder them (Mesa's does).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import Parameters, Pass
from shadersort.keys.types import Integers, Mask

Cover = tuple[tuple[Integers, Integers], tuple[Integers, Integers]]
"""The columns x that quads cover with the texture's s at each, and the rows y with their t."""
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
    "extent": extent,
    "nearest": nearest,
    "distances": distances,
}
"""How each shader looks at the keys of one tap."""
