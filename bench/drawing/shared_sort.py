"""CPU and GPU share one sort: each alone and both together, in one run.

    python -m bench.drawing.shared_sort --output bench/records/shared-sort-….json

The paper of 2005 reports a speed-up of two times over its GPU alone (section 6). Each row is one
share of the CPU: with 0.0 the device sorts all keys, with 1.0 NumPy does, in threads. Every answer
is compared with that of np.sort, bit for bit, before it is timed; all rows of one size take turns,
and the median turn counts. A device that is no GPU draws on the CPU's own cores: there the rows
show only what sharing costs.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from statistics import median
from typing import Any

import numpy as np

import shadersort as ss
from bench.shared.data import WRONG
from bench.shared.machines import seconds
from bench.shared.options import Options, command, device_option, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.keys.inputs import random_keys

WAYS = ("pbsn-blend", "bitonic-fragment", "bitonic-auto")
SHARES = (0.0, 1.0, 0.25, 0.5, 0.75, "auto")
TYPES = ("float16", "float32")


@command(__doc__)
@device_option()
@option("--smallest", type=int, default=20, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=24, metavar="P", help="up to 2**P keys")
@repeated("--way", metavar="NETWORK-METHOD", help="default: " + ", ".join(WAYS))
@option("--turns", type=int, default=7, help="the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with ss.open_device(options.device) as device:
        tell(begun("shared-sort", device), measurements(device, options), options.output)


def measurements(device: ss.Device, options: Options) -> Iterator[Row]:
    """Measure every number of keys of every type, by every way, with every share."""
    sizes = range(options.smallest, options.largest + 1, 2)
    for power, dtype, way in product(sizes, TYPES, options.way or WAYS):
        keys = random_keys(1 << power, dtype, seed=power)
        network, method = way.rsplit("-", 1)
        of: Any = {"network": network, "method": method, "device": device}
        calls = {share: partial(ss.sort, keys, share=share, **of) for share in SHARES}
        expected = np.sort(keys, kind="stable").tobytes()
        for share, call in calls.items():
            if call().tobytes() != expected:
                raise AssertionError(WRONG.format(f"{way} with a share of {share}"))
        took = [[seconds(call) for call in calls.values()] for _ in range(options.turns)]
        for share, times in zip(calls, zip(*took, strict=True), strict=True):
            head = {"network": network, "method": method, "dtype": dtype, "keys": len(keys)}
            label = f"a share by NumPy, and {network}, {method}, {dtype}, {device.label}"
            on_cpu = None if share == "auto" else share
            row = {"share": share, "on_cpu": on_cpu, "ms": 1e3 * median(times), "label": label}
            yield {**head, **row, "turns": options.turns}


if __name__ == "__main__":
    main()
