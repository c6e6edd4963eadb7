"""Sorting by drawing: every network, method and key type, beside np.sort, in one run.

    python -m bench.sort --output bench/records/sort-….json

Three times are taken for each: the program alone, the texture being on the device already; the
program with both transfers; and all of `shadersort.sort`, with packing and merging. Each is the
median of as many turns as fit into the seconds of a line. The answer is checked against np.sort
before anything is timed.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.record import environment, write
from shadersort import METHODS, NETWORKS, Device, Program, compile, network, open_device, sort
from shadersort.devices.base import CHANNELS
from shadersort.drawing import texture_size

Keys = npt.NDArray[Any]

TYPES = ("float32", "float16")
COLUMNS = (
    *("keys    ", "dtype   ", "network       ", "method  ", "passes"),
    *("program_ms", "with_transfers_ms", "sort_ms", "numpy_ms", "turns"),
)
MOST_TURNS = 15


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
                    _check(device, program, keys)
                    yield {
                        "keys": len(keys),
                        "dtype": dtype,
                        "network": name,
                        "method": method,
                        "passes": len(program.passes),
                        **_times(device, program, keys, seconds),
                    }


def _check(device: Device, program: Program, keys: Keys) -> None:
    """Assert that `sort`, which runs this program, gives what np.sort gives."""
    result = sort(keys, device=device, network=program.network.name, method=program.method)
    np.testing.assert_array_equal(result, np.sort(keys))


def _times(device: Device, program: Program, keys: Keys, seconds: float) -> dict[str, float]:
    """Time the upload, the program, the download, all of `sort`, and np.sort."""
    texels = keys.reshape(program.height, program.width, CHANNELS)
    whole = {"network": program.network.name, "method": program.method}
    turns: list[tuple[float, ...]] = []
    started = time.perf_counter()
    while len(turns) < MOST_TURNS and (not turns or time.perf_counter() - started < seconds):
        laps = [time.perf_counter()]
        with device.upload(texels) as texture:
            device.finish()
            laps.append(time.perf_counter())
            with device.execute(program, texture) as result:
                device.finish()
                laps.append(time.perf_counter())
                result.read()
                laps.append(time.perf_counter())
        laps.append(time.perf_counter())
        sort(keys, device=device, **whole)  # type: ignore[arg-type]
        laps.append(time.perf_counter())
        np.sort(keys)
        laps.append(time.perf_counter())
        turns.append(tuple(after - before for before, after in pairwise(laps)))
    upload, alone, download, _, everything, on_cpu = np.median(turns, axis=0) * 1e3
    return {
        "program_ms": alone,
        "with_transfers_ms": upload + alone + download,
        "sort_ms": everything,
        "numpy_ms": on_cpu,
        "turns": len(turns),
    }


def _short(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
