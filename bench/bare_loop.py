"""The peer of the OpenGL device: a plain moderngl loop that draws the same passes.

It does what a person would write for one texture size and nothing else: no logical buffers, no
checks, no memory of uniforms, no bound on the work in flight.
"""

from collections.abc import Callable

import moderngl

from shadersort import Program, shaders
from shadersort.devices.opengl import OpenGLDevice, OpenGLTexture

__all__ = ["bare_loop"]

EQUATIONS = {"min": (moderngl.MIN, moderngl.MIN), "max": (moderngl.MAX, moderngl.MAX)}


def bare_loop(
    device: OpenGLDevice, program: Program, texture: OpenGLTexture, frame: OpenGLTexture
) -> Callable[[], None]:
    """Return a function that draws all passes between two textures and waits for them.

    Call it, and what it returns, while the device's context is current.
    """
    gl = device.gl
    textures = {"texture": texture, "frame": frame}
    linked = {
        shader: gl.program(
            vertex_shader=shaders.source("quads.vert", texture.dtype),
            fragment_shader=shaders.source(f"{shader}.frag", texture.dtype),
        )
        for shader in {each.shader for each in program.passes}
    }
    arrays = {shader: gl.vertex_array(linked[shader], []) for shader in linked}

    def draw() -> None:
        for each in program.passes:
            textures[each.target].framebuffer.use()
            textures[each.source].texture.use()
            if each.blend:
                gl.enable(moderngl.BLEND)
                gl.blend_equation = EQUATIONS[each.blend]
            else:
                gl.disable(moderngl.BLEND)
            shader = linked[each.shader]
            for step in each.steps:
                mirror = int(step.pairing == "mirror")
                shader["rule"] = (mirror, step.block, step.offset, step.period)
                shader["log2_width"] = program.width.bit_length() - 1
            for quads in each.quads:
                q, inner, outer = quads.quad, quads.inner, quads.outer
                shader["quads"] = (
                    (q.x0, q.y0, q.x1, q.y1),
                    (q.s0, q.t0, q.s1, q.t1),
                    (inner.count, inner.dx, inner.dy, program.width),
                    (outer.count, outer.dx, outer.dy, program.height),
                )
                arrays[each.shader].render(
                    moderngl.TRIANGLE_STRIP, vertices=4, instances=quads.count
                )
        gl.finish()

    return draw
