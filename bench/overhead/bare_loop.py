"""The peer of the OpenGL device: a plain moderngl loop that draws the same passes.

It is what a person would write for one texture size: without logical buffers, checks, shaders
linked in advance, or a bound on the work in flight.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import moderngl
import numpy as np

from shadersort import Pass, Program
from shadersort.drawing import shaders
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS

EQUATIONS = {"min": (moderngl.MIN, moderngl.MIN), "max": (moderngl.MAX, moderngl.MAX)}


def shader_of(each: Pass) -> tuple[str, int]:
    """Return the shader of a pass, and whether some wires are idle in the pass."""
    return each.shader, int(any(step.skips for step in each.steps))


@contextmanager
def bare_loop(
    device: OpenGLDevice, program: Program, texels: Texels
) -> Iterator[Callable[[], None]]:
    """Yield a function that draws all passes between two textures and waits for them.

    The function has run once, and its answer was right. The device only lends its context.
    """
    gl = device.gl
    with device.upload(texels) as texture, device.upload(texels) as frame, device._active():
        linked = {
            shader: gl.program(
                vertex_shader=shaders.source("quads.vert", texture.dtype),
                fragment_shader=shaders.source(
                    f"{shader[0]}.frag", texture.dtype, (("STEPS", 1), ("SKIPS", shader[1]))
                ),
            )
            for shader in {shader_of(each) for each in program.passes}
        }
        arrays = {shader: gl.vertex_array(linked[shader], []) for shader in linked}
        buffers = {"texture": texture, "frame": frame}

        def draw() -> None:
            for each in program.passes:
                buffers[each.target].framebuffer.use()
                buffers[each.source].layers[0].use()
                if each.blend:
                    gl.enable(moderngl.BLEND)
                    gl.blend_equation = EQUATIONS[each.blend]
                else:
                    gl.disable(moderngl.BLEND)
                shader = linked[shader_of(each)]
                for step in each.steps:
                    shader["rules"] = (step.mask, step.half, step.offset, step.period)
                    shader["log2_width"] = program.width.bit_length() - 1
                for quads in each.quads:
                    q, inner, outer = quads.quad, quads.inner, quads.outer
                    shader["quads"] = (
                        (q.x0, q.y0, q.x1, q.y1),
                        (q.s0, q.t0, q.s1, q.t1),
                        (inner.count, inner.dx, inner.dy, program.width),
                        (outer.count, outer.dx, outer.dy, program.height),
                    )
                    arrays[shader_of(each)].render(
                        moderngl.TRIANGLE_STRIP, vertices=4, instances=quads.count
                    )
            gl.finish()

        draw()
        expected = np.sort(texels.reshape(-1, CHANNELS), axis=0)
        result = buffers[program.result].read().reshape(-1, CHANNELS)
        np.testing.assert_array_equal(result, expected)
        yield draw
        for shader in linked:
            arrays[shader].release()
            linked[shader].release()
