"""The time that the OpenGL device adds to a bare moderngl loop that draws the same passes.

    python -m bench.overhead --output bench/records/overhead-….json

The device and the loop take turns on textures of 2**16 and 2**20 texels. Both answers are checked
before anything is timed. The ratio is that of the medians.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product

import click
import numpy as np

from bench.overhead.bare_loop import bare_loop
from bench.shared.machines import seconds
from bench.shared.options import Options, command, device_option, option, output_option
from bench.shared.record import Row, begun, tell
from shadersort import NETWORKS, Program, Texture, compile, network, open_device
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.texture_size import texture_size

TEXELS = (1 << 16, 1 << 20)
TYPES = ("float32", "float16")
METHODS = ("blend", "fragment")
"""The methods that draw one step in a pass."""


@command(__doc__)
@device_option("auto, egl or window")
@option("--turns", type=int, default=7, help="of each, after one to warm up")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with open_device(options.device) as device:
        if not isinstance(device, OpenGLDevice):
            raise click.UsageError("this benchmark needs an OpenGL device; this is none")
        tell(begun("overhead", device), measure(device, options.turns), options.output)


def measure(device: OpenGLDevice, turns: int) -> Iterator[Row]:
    """Yield a row of measurements for every size, key type, network and method."""
    for texel_count, dtype, name, method in product(TEXELS, TYPES, NETWORKS, METHODS):
        rng = np.random.default_rng(texel_count)
        keys = rng.random(CHANNELS * texel_count, np.float32).astype(dtype)
        size = texture_size(texel_count)
        program = compile(network(name, texel_count), *size, method)
        texels = keys.reshape(program.height, program.width, CHANNELS)
        ours, bare = _compare(device, program, texels, turns)
        yield {
            "texels": texel_count,
            "dtype": dtype,
            "network": name,
            "method": method,
            "passes": len(program.passes),
            "device_ms": ours * 1e3,
            "bare_loop_ms": bare * 1e3,
            "ratio": ours / bare,
        }


def _compare(
    device: OpenGLDevice, program: Program, texels: Texels, turns: int
) -> tuple[float, float]:
    """Return the median seconds of the device and of the bare loop."""
    with (
        _resident(device, program, texels) as by_device,
        bare_loop(device, program, texels) as by_loop,
    ):
        taken = [(seconds(by_device), seconds(by_loop)) for _ in range(turns + 1)][1:]
    ours, bare = np.median(taken, axis=0)
    return float(ours), float(bare)


@contextmanager
def _resident(
    device: OpenGLDevice, program: Program, texels: Texels
) -> Iterator[Callable[[], None]]:
    """Yield a function that executes the program on a texture that stays on the device."""
    expected = np.sort(texels.reshape(-1, CHANNELS), axis=0)
    np.testing.assert_array_equal(device.run(program, texels).reshape(-1, CHANNELS), expected)
    texture: Texture = device.upload(texels)

    def execute() -> None:
        nonlocal texture
        source, texture = texture, device.execute(program, texture)
        device.finish()
        if texture is not source:
            source.release()

    yield execute
    texture.release()


if __name__ == "__main__":
    main()
