"""Sorting by drawing: every network, method and key type, beside np.sort, in one run.

    python -m bench.drawing.sort --output bench/records/sort-….json

`shadersort/sorting/timing.py` says what is timed. The answer is checked against np.sort first. If
there is a GPU and CuPy, the networks by CUDA have rows, too, of keys in its memory.
"""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np

from bench.drawing.ladder import on_card
from bench.shared.benchmark import benchmark, on_device
from bench.shared.machines import best
from bench.shared.options import Options, device_option, option
from bench.shared.record import Row
from shadersort import METHODS, NETWORKS, Device
from shadersort.keys.inputs import random_keys
from shadersort.sorting.timing import measure

TYPES, TURNS = ("float32", "float16"), 7


@benchmark("sort", __doc__, on=on_device)
@device_option
@option("--smallest", type=int, default=10, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=24, metavar="P", help="up to 2**P keys")
@option("--seconds", type=float, default=1.0, help="about how long each line takes")
def main(device: Device, options: Options) -> Iterator[Row]:
    """Measure every size, key type, network and method that the device has."""
    machine = best()
    for power, dtype in product(range(options.smallest, options.largest + 1), TYPES):
        keys = random_keys(1 << power, dtype, seed=power)
        for (name, method), timer in on_card(machine, keys).items():
            if name:
                ms = 1e3 * float(np.median([timer() for _ in range(TURNS)]))
                row = {"keys": keys.size, "dtype": dtype, "network": name, "method": method}
                row |= {"program_ms": ms, "with_transfers_ms": None, "turns": TURNS}
                yield {**row, "label": f"{name}, {method}, {dtype}, {machine.label}"}
        for name, method in product(NETWORKS, METHODS):
            if method != "compute" or device.computes:
                way: Any = {"network": name, "method": method, "seconds": options.seconds}
                yield asdict(measure(device, keys, **way))


if __name__ == "__main__":
    main()
