"""The ladder of methods, from blending to compute shaders, beside the peers of today.

    python -m bench.drawing.ladder --keys 23 --output bench/records/ladder-….json

Every network sorts the same float32 keys by every method, four channels side by side, in a texture
that is on the device already. The methods take turns, so that a disturbance reaches all of them;
the record has medians. Each answer is checked first. The peers sort all the keys as one array:
`np.sort` on the host, and `cupy.sort` on the GPU if CuPy is installed. `cupy.max` is one read of
the array.
"""

from collections.abc import Callable
from importlib.util import find_spec
from itertools import product

import numpy as np

from bench.shared.machines import seconds, seconds_of_passes
from bench.shared.options import Options, command, device_option, option, output_option
from bench.shared.record import Row, begun, tell
from shadersort import METHODS, NETWORKS, Device, compile, network, open_device
from shadersort.drawing.passes import CHANNELS, texture_size
from shadersort.keys.types import Keys

Timer = Callable[[], float]
"""Runs something once and returns the seconds it took."""


@command(__doc__)
@device_option()
@option("--keys", type=int, default=20, metavar="P", help="sort 2**P keys")
@option("--turns", type=int, default=7, help="of each, after one to warm up")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with open_device(options.device) as device:
        rows = measure(device, 1 << options.keys, options.turns)
        tell(begun("ladder", device), rows, options.output)
    times = {(row["network"], row["method"]): row["program_ms"] for row in rows}
    for name in NETWORKS:
        print(f"{name}: fused {times[name, 'fragment'] / times[name, 'fused']:.2f} × fragment")


def measure(device: Device, keys: int, turns: int) -> list[Row]:
    """Return a row for every way to sort this number of keys."""
    values = np.random.default_rng(keys).random(keys, np.float32)
    ways = [
        (name, method)
        for name, method in product(NETWORKS, METHODS)
        if method != "compute" or device.computes
    ]
    timers: dict[tuple[str, str], Timer] = {way: drawn(device, values, *way) for way in ways}
    timers |= {("", name): timer for name, timer in peers(values).items()}
    taken = [[timer() for timer in timers.values()] for _ in range(turns + 1)][1:]
    medians = np.median(taken, axis=0).tolist()
    return [
        {"keys": keys, "network": name, "method": method, "program_ms": 1e3 * took, "turns": turns}
        for (name, method), took in zip(timers, medians, strict=True)
    ]


def drawn(device: Device, values: Keys, name: str, method: str) -> Timer:
    """Return a timer of a program whose answer was found to be right."""
    length = len(values) // CHANNELS
    width, height = texture_size(length)
    program = compile(network(name, length), width, height, method)
    texels = values.reshape(height, width, CHANNELS)
    expected = np.sort(texels.reshape(-1, CHANNELS), axis=0)
    assert np.array_equal(device.run(program, texels).reshape(-1, CHANNELS), expected)

    return lambda: seconds_of_passes(device, program, texels)


def peers(values: Keys) -> dict[str, Timer]:
    """Return timers of sorts, and of a read, that do not draw; sorts were found to be right."""
    found: dict[str, Timer] = {"np.sort": lambda: seconds(lambda: np.sort(values))}
    if find_spec("cupy") is None:
        return found
    import cupy

    if not cupy.cuda.is_available():
        return found
    resident = cupy.asarray(values)
    assert np.array_equal(cupy.sort(resident).get(), np.sort(values))
    wait = cupy.cuda.Device().synchronize
    found["cupy.sort"] = lambda: seconds(lambda: (cupy.sort(resident), wait()))
    found["cupy.max"] = lambda: seconds(lambda: (cupy.max(resident), wait()))
    return found


if __name__ == "__main__":
    main()
