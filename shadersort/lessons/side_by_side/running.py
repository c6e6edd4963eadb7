"""Lesson 14: runs the short shaders and kernels of the lesson.

They are not the package's own, which are fast, long, and know every type of key. Tests hold these
to the answers of the package's.
"""

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.child import Child, ChildUnavailable
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate
from shadersort.lessons.shared.opengl import context, open_shader

_child = Child(prepare=context)


def draw(
    shader: str, shape: tuple[int, ...], numbers: dict[str, int], /, **textures: Integers
) -> tuple[Integers, int]:
    """Draw a frame with a shader; return it, and how many texels were not discarded."""
    with suppress(ChildUnavailable):
        ended = _child.call(_draw, shader, textures, numbers, shape, seconds=30.0)
        if not ended.told:
            frame, count = ended.result
            return frame, count
        if "DeviceUnavailable" not in ended.told:
            raise RuntimeError(ended.told)
    _tell()
    keys = textures["keys"]
    if "numbers" in textures:
        return np.searchsorted(keys[0], textures["numbers"]), keys.size
    if "pivot" in numbers:
        return keys, int(np.sum(keys < numbers["pivot"]))
    return keys.reshape(2, shape[0], 2, shape[1]).min(axis=(0, 2)), keys.size // 4


@cache
def _tell() -> None:
    print("No OpenGL here: NumPy does what the lesson's shaders do, not what you change in them.")


def _draw(shader: str, textures: Any, numbers: dict[str, int], shape: tuple[int, ...]) -> Any:
    texels = {name: each.astype(np.int32) for name, each in textures.items()}
    with open_shader(shader, texels, numbers, shape) as drawn:
        return drawn()


def compute(kernel: str, keys: Integers, result: Integers, /, **numbers: int) -> Integers:
    """Return what `result` holds after a kernel, by four blocks of the simulator."""
    launch = Launch(keys, result, 4, tuple(numbers.values()))
    return simulate(kernel, Setting(numbers=tuple(numbers)), launch, orders=1).results[0]
