"""Lesson 17: times a student's shader and kernel, in a process of its own."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

import moderngl
import numpy as np

from shadersort.drawing.devices.opengl import COMPUTES
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers
from shadersort.lessons.capstone import running
from shadersort.lessons.capstone.shaders import RUNNERS
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.dialect import glsl
from shadersort.lessons.shared.opengl import context
from shadersort.lessons.shared.timing import best_seconds

CORNERS = """#version 330
void main() {
    gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 4 * (gl_VertexID >> 1) - 1, 0, 1);
}
"""
"""A triangle that covers the whole frame."""

TURNS = 5

SECONDS = 60.0
"""The longest time of a measurement."""


class Timed(NamedTuple):
    """An answer, the milliseconds of a version, and the name of the device that ran it."""

    answer: float
    ms: float
    device: str


_child = Child(prepare=context)
"""The process that is timed. Only texts that were checked before come here."""


def measured(version: str, name: str, text: str, keys: Integers) -> Timed | None:
    """Time a right text on keys that are prepared, in a child process.

    `version` is "by_drawing" or "by_kernel", and `name` the statistic. Before the clock starts, the
    keys are in the memory of the device, and the text is compiled. The time ends when the answer
    is known. Returns None where no device runs it.
    """
    work = {"by_drawing": drawn_here, "by_kernel": computed_here}[version]
    ended = _child.call(work, name, text, keys, seconds=SECONDS)
    timed: Timed | None = ended.result
    return timed


def _timed(gl: moderngl.Context, work: Callable[[], float]) -> Timed:
    seconds = best_seconds(work, turns=TURNS, wait=gl.finish)
    return Timed(work(), 1e3 * seconds, gl.info["GL_RENDERER"].split(" (")[0])


def drawn_here(name: str, text: str, keys: Integers) -> Timed:
    """Time a function of stage 3: the pass, the frame's way back, and the sum on the host."""
    given = running.prepared(name, keys)
    texels = running.texels_of(given.keys)
    height, width, _ = texels.shape
    whole = RUNNERS[name].text(text, (width, height), tuple(map(float, given.numbers)))
    with context() as opened, ExitStack() as undo:
        gl = opened.gl

        def texture(content: bytes | None = None) -> moderngl.Texture:
            made = gl.texture((width, height), CHANNELS, content, dtype="f4")
            undo.callback(made.release)
            made.filter = moderngl.NEAREST, moderngl.NEAREST
            return made

        program = gl.program(vertex_shader=CORNERS, fragment_shader=f"#version 330\n{whole}")
        undo.callback(program.release)
        texture(texels.tobytes()).use(0)
        frame = gl.framebuffer([texture()])
        undo.callback(frame.release)
        vertices = gl.vertex_array(program, [])
        undo.callback(vertices.release)

        def work() -> float:
            frame.use()
            vertices.render(moderngl.TRIANGLES, 3)
            content = frame.read(components=CHANNELS, dtype="f4")
            seen: Texels = np.frombuffer(content, np.float32).reshape(texels.shape)
            return running.answer_of_frame(name, given, seen)

        return _timed(gl, work)


def computed_here(name: str, text: str, keys: Integers) -> Timed | None:
    """Time a kernel of stage 4: all launches, and the two numbers that come back from each.

    Returns None without compute shaders: those of OpenGL 4.3.
    """
    given = running.prepared(name, keys)
    setting = running.setting_of(name)
    empty = running.empty_result(name, len(keys)).astype(np.int32).tobytes()
    with context() as opened, ExitStack() as undo:
        gl = opened.gl
        if gl.version_code < COMPUTES:
            return None
        shader = gl.compute_shader(f"#version 430\n{glsl(text, setting)}")
        undo.callback(shader.release)
        buffers = [gl.buffer(given.keys.astype(np.int32).tobytes()), gl.buffer(empty)]
        for at, each in enumerate(buffers):
            undo.callback(each.release)
            each.bind_to_storage_buffer(at)

        def ask(numbers: tuple[int, ...]) -> Integers:
            values = zip(("n", *setting.numbers), (len(keys), *numbers), strict=True)
            for number, value in values:
                uniform: Any = shader.get(number, None)
                if uniform is not None:  # a compiler leaves out what the kernel does not use
                    uniform.value = int(value)
            buffers[1].write(empty)
            shader.run(running.BLOCKS)
            gl.memory_barrier()
            return np.frombuffer(buffers[1].read(), np.int32).astype(np.int64)

        return _timed(gl, lambda: running.computed(name, given, ask)[0])
