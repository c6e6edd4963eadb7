"""How much of a chip draws: the same work given to fragment shaders and to compute shaders.

    python -m bench.drawing.chip --output bench/records/chip-….json

"arithmetic" is a long chain of multiplications and additions on four numbers for each texel, so
that memory does not matter. "write" stores a colour in every texel and does almost nothing else.
"""

from collections.abc import Callable, Iterator

import moderngl

from bench.shared.benchmark import benchmark
from bench.shared.machines import Host
from bench.shared.options import Options, option
from bench.shared.record import Row
from shadersort import open_device
from shadersort.drawing.devices.opengl import OpenGLDevice

COLOUR = """
vec4 colour(vec2 at) {
    vec4 x = at.xyxy / 4096.0;
    for (int i = 0; i < LOOPS; ++i) x = x * vec4(0.9, 0.8, 0.7, 0.6) + 0.25;
    return x;
}
"""
VERTEX = """
#version 430
void main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1, 0, 1); }
"""
FRAGMENT = f"""
#version 430
{COLOUR}
out vec4 color;
void main() {{ color = colour(gl_FragCoord.xy); }}
"""
COMPUTE = f"""
#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(FORMAT, binding = 0) writeonly uniform image2D result;
{COLOUR}
void main() {{
    imageStore(result, ivec2(gl_GlobalInvocationID.xy), colour(vec2(gl_GlobalInvocationID.xy)));
}}
"""
FORMATS = {"f2": "rgba16f", "f4": "rgba32f"}
FLOPS = 8
"""Of one turn of the loop: a multiplication and an addition in each of the four channels."""


@benchmark("chip", __doc__, on=lambda options: open_device("egl"))
@option("--side", type=int, default=4096, help="side of the texture, in texels")
@option("--loops", type=int, default=1024, help="turns of the arithmetic for each texel")
def main(device: OpenGLDevice, options: Options) -> Iterator[Row]:
    """Yield a row for each kind of work by each kind of shader."""
    side, works = options.side, (("arithmetic", "f2", options.loops), ("write", "f2", 1))
    for work, dtype, turns in (*works, ("write", "f4", 1)):
        for stage in ("fragment", "fragment, blended", "compute"):
            ms = _measured(device, stage, side, dtype, turns)
            row = {"work": work, "stage": stage, "dtype": dtype, "texels": side**2, "loops": turns}
            rates = {"gtexels_s": side**2 / ms / 1e6}
            rates["tflops"] = rates["gtexels_s"] * turns * FLOPS / 1e3
            yield {**row, "ms": ms, **rates}


def _measured(device: OpenGLDevice, stage: str, side: int, dtype: str, turns: int) -> float:
    """Return the milliseconds that a shader takes for a whole texture."""
    gl = device.gl
    compute, fragment = (
        source.replace("LOOPS", str(turns)).replace("FORMAT", FORMATS[dtype])
        for source in (COMPUTE, FRAGMENT)
    )
    with device._active():
        texture = gl.texture((side, side), 4, dtype=dtype)
        if stage == "compute":
            shader = gl.compute_shader(compute)
            texture.bind_to_image(0, read=False, write=True)
            ms = _ms(gl, lambda: shader.run(side // 16, side // 16))
        else:
            target = gl.framebuffer([texture])
            target.use()
            (gl.enable if "blended" in stage else gl.disable)(moderngl.BLEND)
            gl.blend_equation = (moderngl.MIN, moderngl.MIN)
            program = gl.program(vertex_shader=VERTEX, fragment_shader=fragment)
            array = gl.vertex_array(program, [])
            ms = _ms(gl, lambda: array.render(moderngl.TRIANGLES, vertices=3))
            gl.disable(moderngl.BLEND)
            device.rest()  # a bound framebuffer must not be released
            for each in (array, program, target):
                each.release()
        texture.release()
    return ms


def _ms(gl: moderngl.Context, draw: Callable[[], object]) -> float:
    """Return the median milliseconds of a run, after some runs to warm up."""

    def run() -> None:
        draw()
        gl.finish()

    return Host().ms(run, repeats=7)


if __name__ == "__main__":
    main()
