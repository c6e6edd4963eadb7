"""Sorting by drawing: every network, method and key type, beside np.sort, in one run.

    python -m bench.sort --output bench/records/sort-….json

Three times are taken for each: the program alone, the texture being on the device already; the
program with both transfers; and all of `shadersort.sort`, with packing and merging. The answer of
each is checked against np.sort before anything is timed. At 2**16 and 2**20 texels the program is
also drawn by a bare moderngl loop (bench/bare_loop.py), in turns with the device.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.bare_loop import bare_loop
from bench.record import environment, write
from bench.timing import medians
from shadersort import METHODS, NETWORKS, Device, Program, compile, network, open_device, sort
from shadersort.devices.base import CHANNELS, Texels
from shadersort.devices.opengl import OpenGLDevice
from shadersort.sorting import texture_size

TYPES = ("float32", "float16")
COLUMNS = (
    *("keys    ", "dtype   ", "network       ", "method  ", "passes"),
    *("program_ms", "with_transfers_ms", "sort_ms", "numpy_ms", "over_bare_loop"),
)
BARE_LOOP_TEXELS = (1 << 16, 1 << 20)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m bench.sort", description=__doc__)
    parser.add_argument("--device", default="auto", help="auto (default), egl, window or software")
    parser.add_argument("--smallest", type=int, default=10, metavar="P", help="from 2**P keys on")
    parser.add_argument("--largest", type=int, default=24, metavar="P", help="up to 2**P keys")
    parser.add_argument("--seconds", type=float, default=1.0, help="spent on each line, about")
    parser.add_argument("--output", type=Path, help="record the measurements in this file")
    options = parser.parse_args()

    with open_device(options.device) as device:
        record: dict[str, Any] = {"benchmark": "sort", **environment(device), "rows": []}
        print(f"{device.renderer}, NumPy {record['versions']['numpy']}\n")
        print("  ".join(COLUMNS))
        for row in measure(device, range(options.smallest, options.largest + 1), options.seconds):
            record["rows"].append(row)
            print(
                "  ".join(f"{_short(row.get(name.strip(), '')):>{len(name)}}" for name in COLUMNS)
            )
            if options.output:
                write(options.output, record)


def measure(device: Device, powers: range, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield a row of measurements for every size, key type, network and method."""
    for power in powers:
        for dtype in TYPES:
            keys = np.random.default_rng(power).random(1 << power, np.float32).astype(dtype)
            texels_count = max(1, len(keys) // CHANNELS)
            for name in NETWORKS:
                for method in METHODS:
                    size = texture_size(texels_count)
                    program = compile(network(name, texels_count), *size, method)
                    texels = keys.reshape(program.height, program.width, CHANNELS)
                    _check(device, program, texels)
                    yield {
                        "keys": len(keys),
                        "dtype": dtype,
                        "network": name,
                        "method": method,
                        "passes": len(program.passes),
                        **_times(device, program, texels, seconds),
                        **_beside_bare_loop(device, program, texels, seconds),
                    }


def _check(device: Device, program: Program, texels: Texels) -> None:
    """Assert that program and `sort` give what np.sort gives."""
    keys = texels.reshape(-1)
    ordered = device.run(program, texels).reshape(-1, CHANNELS)
    np.testing.assert_array_equal(ordered, np.sort(texels.reshape(-1, CHANNELS), axis=0))
    result = sort(keys, device=device, network=program.network.name, method=program.method)
    np.testing.assert_array_equal(result, np.sort(keys))


def _times(device: Device, program: Program, texels: Texels, seconds: float) -> dict[str, float]:
    """Time the program alone, with transfers, all of `sort`, and np.sort."""
    keys = texels.reshape(-1)

    def transferred() -> None:
        device.run(program, texels)

    def whole() -> None:
        sort(keys, network=program.network.name, method=program.method, device=device)

    with _resident(device, program, texels) as alone:
        taken = medians([alone, transferred, whole, lambda: np.sort(keys)], seconds)
    names = ("program_ms", "with_transfers_ms", "sort_ms", "numpy_ms")
    return {name: second * 1e3 for name, second in zip(names, taken, strict=True)}


@contextmanager
def _resident(device: Device, program: Program, texels: Texels) -> Iterator[Callable[[], None]]:
    """Yield a function that executes the program on a texture that stays on the device."""
    texture = device.upload(texels)

    def execute() -> None:
        nonlocal texture
        source, texture = texture, device.execute(program, texture)
        device.finish()
        if texture is not source:
            source.release()

    yield execute
    texture.release()


def _beside_bare_loop(
    device: Device, program: Program, texels: Texels, seconds: float
) -> dict[str, float]:
    """Time the device and the bare loop in turns, at the sizes where they are compared."""
    if program.width * program.height not in BARE_LOOP_TEXELS:
        return {}
    if not isinstance(device, OpenGLDevice):
        return {}
    with device.upload(texels) as texture, device.upload(texels) as frame, device._active():
        draw = bare_loop(device, program, texture, frame)
        draw()
        result = {"texture": texture, "frame": frame}[program.result]
        expected = np.sort(texels.reshape(-1, CHANNELS), axis=0)
        np.testing.assert_array_equal(result.read().reshape(-1, CHANNELS), expected)

        with _resident(device, program, texels) as by_device:
            ours, bare = medians([by_device, draw], 3 * seconds)
    return {"device_ms": ours * 1e3, "bare_loop_ms": bare * 1e3, "over_bare_loop": ours / bare}


def _short(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
