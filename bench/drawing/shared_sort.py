"""CPU and GPU share one sort: each alone and both together, in one run.

    python -m bench.drawing.shared_sort --output bench/records/shared-sort-….json

Each row is one share of the CPU: with 0.0 the device sorts all keys, with 1.0 NumPy does, in
threads. `on_cpu` is the share that the CPU had in truth, in one more turn; `gain` is the time of
the better of the two alone, by that of the row. All rows of one size take turns, and the median
turn counts. A device that is no GPU draws on the CPU's own cores, so sharing only costs there.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np

import shadersort as ss
from bench.shared.benchmark import benchmark, on_device
from bench.shared.data import ensure
from bench.shared.machines import seconds
from bench.shared.options import Options, device_option, option, repeated
from bench.shared.record import Row
from shadersort.keys.inputs import random_keys
from shadersort.sorting.shared_sort import Sharing
from shadersort.sorting.threads import cores

WAYS = ("pbsn-blend", "bitonic-fragment", "bitonic-auto")
SHARES = (0.0, 1.0, 0.25, 0.5, 0.75, "auto")
TYPES = ("float16", "float32")


@benchmark("shared-sort", __doc__, on=on_device, turns=7)
@device_option
@option("--smallest", type=int, default=20, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=24, metavar="P", help="up to 2**P keys")
@repeated("--way", metavar="NETWORK-METHOD", help="default: " + ", ".join(WAYS))
def main(device: ss.Device, options: Options) -> Iterator[Row]:
    """Measure every number of keys of every type, by every way, with every share."""
    sizes = range(options.smallest, options.largest + 1, 2)
    for power, dtype, way in product(sizes, TYPES, options.way or WAYS):
        keys = random_keys(1 << power, dtype, seed=power)
        network, method = way.rsplit("-", 1)
        of: Any = {"network": network, "method": method, "device": device}
        calls = {share: partial(ss.sort, keys, share=share, **of) for share in SHARES}
        expected = np.sort(keys, kind="stable").tobytes()
        for share, call in calls.items():
            ensure(call().tobytes() == expected, f"{way} with a share of {share}")
        took = [[seconds(call) for call in calls.values()] for _ in range(options.turns)]
        ms = dict(zip(calls, (1e3 * median(some) for some in zip(*took, strict=True)), strict=True))
        alone = min(ms[0.0], ms[1.0])
        for share, call in calls.items():
            on_cpu = share_of(call, len(keys))
            head = {"network": network, "method": method, "dtype": dtype, "keys": len(keys)}
            row: Row = {
                "share": share,
                "on_cpu": on_cpu,
                "ms": ms[share],
                "gain": alone / ms[share],
            }
            by_cpu = f"NumPy, {cores()} threads"
            drawing = f"{network}, {method}, {dtype}, {device.label}"
            row["label"] = f"{100 * on_cpu:.4g}% by {by_cpu}, and {drawing}"
            if on_cpu in (0, 1):
                row["label"] = f"{by_cpu}, {dtype}" if on_cpu else drawing
            yield {**head, **row, "turns": options.turns}


def share_of(call: Any, keys: int) -> float:
    """Return the share of the keys that NumPy sorts in a call."""
    plain, shares = Sharing.make_runs, [0.0]  # where all keys are drawn, nothing is shared

    def make_runs(sharing: Sharing, some: Any, drawn: int, add: Any) -> None:
        shares.append(1 - drawn / len(some))
        plain(sharing, some, drawn, add)

    with patch.object(Sharing, "make_runs", make_runs):
        call()
    return shares[-1]


if __name__ == "__main__":
    main()
