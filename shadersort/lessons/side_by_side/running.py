"""Runs the short shaders of lesson 14 on a device, and its kernels on the simulator."""

from contextlib import ExitStack
from typing import Any

import moderngl
import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.dialect import Setting, lines_of
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate
from shadersort.lessons.shared.opengl import context
from shadersort.lessons.side_by_side import teaching

CORNERS = """#version 330
void main() {
    gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 4 * (gl_VertexID >> 1) - 1, 0, 1);
}
"""
"""A triangle that covers the whole frame."""

BLOCKS = 4

_child = Child(prepare=context)


def draw(
    fragment: str, textures: dict[str, Integers], numbers: dict[str, int], shape: tuple[int, int]
) -> tuple[Integers, int]:
    """Draw every texel of a frame; return the frame, and how many texels were not discarded."""
    with context() as opened, ExitStack() as undo:
        gl = opened.gl

        def texture(size: tuple[int, int], content: bytes | None = None) -> moderngl.Texture:
            made = gl.texture((size[1], size[0]), 1, content, dtype="i4")
            undo.callback(made.release)
            made.filter = moderngl.NEAREST, moderngl.NEAREST
            return made

        text = "#version 330\n" + lines_of(fragment)
        program = gl.program(vertex_shader=CORNERS, fragment_shader=text)
        undo.callback(program.release)
        values: dict[str, Any] = dict(numbers)
        for unit, (name, texels) in enumerate(textures.items()):
            texture(texels.shape, texels.astype(np.int32).tobytes()).use(unit)
            values[name] = unit
        for name, value in values.items():
            program[name] = value
        frame = gl.framebuffer([texture(shape)])
        undo.callback(frame.release)
        frame.use()
        vertices = gl.vertex_array(program, [])
        undo.callback(vertices.release)
        query = gl.query(samples=True)
        with query:
            vertices.render(moderngl.TRIANGLES, 3)
        found = np.frombuffer(frame.read(components=1, dtype="i4"), np.int32)
        return found.reshape(shape).astype(np.int64), int(query.samples)


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
