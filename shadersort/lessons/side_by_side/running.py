"""Lesson 14: runs the short shaders and kernels of the lesson.

They are not the package's own, which are fast, long, and know every type of key. Tests hold these
to the answers of the package's.
"""

from functools import cache
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate

_child = Child()


def draw(
    shader: str, shape: tuple[int, ...], numbers: dict[str, int], /, **textures: Integers
) -> tuple[Integers, int]:
    """Draw a frame with a shader; return it, and how many texels were not discarded."""
    ended = _child.call(_draw, shader, textures, numbers, shape, seconds=30.0)
    if not ended.told:
        return ended.result[0], ended.result[1]
    if not any(each in ended.told for each in ("DeviceUnavailable", "moderngl")):
        raise RuntimeError(ended.told)
    _say("No OpenGL here: NumPy does what the lesson's shaders do, not what you change in them.")
    keys = textures["keys"]
    if "numbers" in textures:
        return np.searchsorted(keys[0], textures["numbers"]), keys.size
    if "pivot" in numbers:
        return keys, int(np.sum(keys < numbers["pivot"]))
    return keys.reshape(2, shape[0], 2, shape[1]).min(axis=(0, 2)), keys.size // 4


_say = cache(print)  # once


def _draw(shader: str, textures: Any, numbers: dict[str, int], shape: tuple[int, ...]) -> Any:
    from shadersort.lessons.shared.opengl import open_shader

    texels = {name: each.astype(np.int32) for name, each in textures.items()}
    with open_shader(shader, texels, numbers, shape) as drawn:
        return drawn()


def compute(kernel: str, keys: Integers, result: Integers, /, **numbers: int) -> Integers:
    """Return what `result` holds after a kernel, by four blocks of the simulator."""
    launch = Launch(keys, result, 4, tuple(numbers.values()))
    return simulate(kernel, Setting(numbers=tuple(numbers)), launch, orders=1).results[0]
