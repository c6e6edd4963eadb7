"""Runs the short shaders of lesson 14 on a device, and its kernels on the simulator."""

from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate
from shadersort.lessons.shared.opengl import context, open_shader
from shadersort.lessons.side_by_side import teaching

BLOCKS = 4

_child = Child(prepare=context)


def draw(
    fragment: str, textures: dict[str, Integers], numbers: dict[str, int], shape: tuple[int, int]
) -> tuple[Integers, int]:
    """Draw every texel of a frame; return the frame, and how many texels were not discarded."""
    texels = {name: each.astype(np.int32) for name, each in textures.items()}
    with open_shader(fragment, texels, numbers, shape) as drawn:
        frame, count = drawn()
        return frame.astype(np.int64), count


def _drawn(*arguments: Any) -> tuple[Integers, int]:
    ended = _child.call(draw, *arguments, seconds=30.0)
    if ended.state != "returned":
        raise RuntimeError(ended.told or ended.message)
    frame, count = ended.result
    return frame, count


def _launched(text: str, setting: Setting, launch: Launch) -> Integers:
    """Return what `result` holds after a kernel."""
    return simulate(text, setting, launch, orders=1).results[0]


def ranks_drawn(keys: Integers, numbers: Integers) -> Integers:
    """Return how many keys are below each number; `keys` are in order, `numbers` in a rectangle."""
    textures = {"keys": keys[np.newaxis], "numbers": numbers}
    return _drawn(teaching.RANKS_FRAGMENT, textures, {"n": len(keys)}, numbers.shape)[0]


def below_drawn(keys: Integers, pivot: int) -> int:
    """Return how many keys of a rectangle are below a pivot."""
    return _drawn(teaching.BELOW_FRAGMENT, {"keys": keys}, {"pivot": pivot}, keys.shape)[1]


def least_drawn(keys: Integers) -> int:
    """Return the least key of a square, whose side is a power of two, by a pyramid of passes."""
    while len(keys) > 1:
        half = len(keys) // 2
        shape = half, half
        keys, _ = _drawn(teaching.LEAST_FRAGMENT, {"keys": keys}, {"half_size": half}, shape)
    return int(keys[0, 0])


def histogram_drawn(keys: Integers, least: int, width: int, buckets: int) -> Integers:
    """Return the counts of equal buckets, by a question about each edge between two of them."""
    below = [0]
    for edge in range(least + width, least + buckets * width, width):
        below.append(below_drawn(keys, edge))
    below.append(keys.size)
    return np.diff(below)


def ranks_computed(keys: Integers, numbers: Integers) -> Integers:
    """Return how many keys are below each number; `keys` are in order."""
    launch = Launch(keys, numbers, -(-len(numbers) // 64), (len(numbers),))
    return _launched(teaching.RANKS, teaching.RANKS_SETTING, launch)


def below_computed(keys: Integers, pivot: int) -> int:
    """Return how many keys are below a pivot."""
    launch = Launch(keys, np.zeros(1, int), BLOCKS, (pivot,))
    return int(_launched(teaching.BELOW, teaching.BELOW_SETTING, launch)[0])


def least_computed(keys: Integers) -> int:
    """Return the least key."""
    launch = Launch(keys, np.array([teaching.NOTHING]), BLOCKS)
    return int(_launched(teaching.LEAST, teaching.LEAST_SETTING, launch)[0])


def histogram_computed(keys: Integers, least: int, width: int) -> Integers:
    """Return the counts of 100 equal buckets."""
    launch = Launch(keys, np.zeros(teaching.BUCKETS, int), BLOCKS, (least, width))
    return _launched(teaching.HISTOGRAM, teaching.HISTOGRAM_SETTING, launch)
