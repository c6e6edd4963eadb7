"""The OpenGL context in which lessons draw and measure, in a child process."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from typing import Any

import moderngl
import numpy as np

from shadersort.drawing.devices.contexts import Context, EGLContext, is_hardware
from shadersort.drawing.devices.opengl import COMPUTES
from shadersort.drawing.devices.opening import egl_device_count
from shadersort.drawing.devices.window import WindowContext
from shadersort.errors import DeviceUnavailable
from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.dialect import Setting, glsl
from shadersort.lessons.exercises.kernels.simulator import Launch

CORNERS = """#version 330
void main() {
    gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 4 * (gl_VertexID >> 1) - 1, 0, 1);
}
"""
"""A triangle that covers the whole frame."""


@cache
def context() -> Context:
    """Return the best context: one with compute shaders before others, then one of a GPU.

    Raises DeviceUnavailable if this machine has no OpenGL.
    """
    found: list[Context] = []
    for make in (*(partial(EGLContext, at) for at in range(max(1, egl_device_count()))), None):
        with suppress(DeviceUnavailable):
            if make or not found:  # a window only where EGL has no device
                found.append(make() if make else WindowContext())
    found.sort(key=_rank)
    if not found:
        raise DeviceUnavailable("there is no OpenGL here: install Mesa's llvmpipe")
    for each in found[:-1]:
        each.release()
    return found[-1]


def _rank(found: Context) -> tuple[int, bool]:
    with found:  # outside, moderngl finds no name of a driver, and keeps that
        return found.gl.version_code, is_hardware(found.gl)


def device_name() -> str:
    """Return the name of the device that draws."""
    with context() as opened:
        return str(opened.gl.info["GL_RENDERER"].split(" (")[0])


@contextmanager
def open_shader(
    fragment: str, textures: Mapping[str, Any], numbers: Mapping[str, int], shape: tuple[int, ...]
) -> Iterator[Callable[[], tuple[Any, int]]]:
    """Link a fragment shader; yield a function that draws every texel of a frame.

    It returns the frame, and how many texels were not discarded. Textures are rectangles of int32
    or float32, and so is the frame, of the given shape.
    """
    with context() as opened, ExitStack() as undo:
        gl = opened.gl
        (dtype,) = {each.dtype for each in textures.values()}

        def keep(made: Any) -> Any:
            undo.callback(made.release)
            return made

        def texture(shape: tuple[int, ...], content: bytes | None = None) -> Any:
            height, width, *channels = shape
            size, components = (width, height), (channels or [1])[0]
            made = keep(gl.texture(size, components, content, dtype=dtype.str[1:]))
            made.filter = moderngl.NEAREST, moderngl.NEAREST
            return made

        text = "#version 330\n" + fragment.lstrip("\n")
        program = keep(gl.program(vertex_shader=CORNERS, fragment_shader=text))
        values = dict(numbers)
        for unit, (name, texels) in enumerate(textures.items()):
            texture(texels.shape, texels.tobytes()).use(unit)
            values[name] = unit
        for name, value in values.items():
            if name in program:  # a compiler leaves out what changes nothing
                program[name] = value
        frame = keep(gl.framebuffer([texture(shape)]))
        vertices, query = keep(gl.vertex_array(program, [])), gl.query(samples=True)

        def draw() -> tuple[Any, int]:
            frame.use()
            with query:
                vertices.render(moderngl.TRIANGLES, 3)
            channels = (*shape, 1)[2]
            content = frame.read(components=channels, dtype=dtype.str[1:])
            return np.frombuffer(content, dtype).reshape(shape), int(query.samples)

        yield draw


@contextmanager
def open_kernel(
    text: str, setting: Setting, keys: Integers, size: int
) -> Iterator[Callable[[Launch], Integers]]:
    """Compile a kernel for some keys; yield a function that launches it and returns `result`.

    `size` is the length of `result`. Raises DeviceUnavailable without compute shaders.
    """
    with context() as opened, ExitStack() as undo:
        gl = opened.gl
        if gl.version_code < COMPUTES:
            raise DeviceUnavailable("a kernel needs OpenGL 4.3")
        shader = gl.compute_shader(f"#version 430\n{glsl(text, setting)}")
        undo.callback(shader.release)
        buffers = [gl.buffer(keys.astype(np.int32).tobytes()), gl.buffer(reserve=4 * size)]
        for at, each in enumerate(buffers):
            undo.callback(each.release)
            each.bind_to_storage_buffer(at)

        def launch(given: Launch) -> Integers:
            values = (len(keys), *given.numbers)
            for name, value in zip(("n", *setting.numbers), values, strict=True):
                uniform: Any = shader.get(name, None)
                if uniform is not None:  # a compiler leaves out what the kernel does not use
                    uniform.value = int(value)
            buffers[1].write(given.result.astype(np.int32).tobytes())
            shader.run(given.blocks)
            gl.memory_barrier()
            return np.frombuffer(buffers[1].read(), np.int32).astype(np.int64)

        yield launch
