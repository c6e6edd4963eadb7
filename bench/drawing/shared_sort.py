"""CPU and GPU share one sort: each alone and both together, in one run.

    python -m bench.drawing.shared_sort --output bench/records/shared-sort-….json

The paper of 2005 reports a speed-up of two times over its GPU alone (section 6). Each row is one
share of the CPU: with 0.0 the device sorts all keys, with 1.0 NumPy does, in threads. Every answer
is compared with that of np.sort, bit for bit, before it is timed; all rows of one size take turns,
and the median turn counts. A device that is no GPU draws on the CPU's own cores: there the
rows show only what sharing costs.
"""

import statistics
from collections.abc import Iterator
from typing import cast

import click

from bench.shared.data import WRONG
from bench.shared.machines import seconds
from bench.shared.options import Options, command, device_option, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort import Device, open_device
from shadersort.cli.options import share_of_cpu
from shadersort.keys.accepted import random_keys
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Keys
from shadersort.names import NetworkName, SortMethod
from shadersort.sorting.shared_sort import SharedSort
from shadersort.sorting.texture_sort import TextureSort

WAYS = ("pbsn-blend", "bitonic-fragment", "bitonic-auto")
SHARES = (0.0, 1.0, 0.25, 0.5, 0.75, "auto")
TYPES = ("float16", "float32")


@command(__doc__)
@device_option()
@option("--smallest", type=int, default=20, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=24, metavar="P", help="up to 2**P keys")
@repeated("--way", metavar="NETWORK-METHOD", help="default: " + ", ".join(WAYS))
@repeated("--share", type=click.UNPROCESSED, callback=lambda *of: [*map(share_of_cpu, of[2])])
@option("--turns", type=int, default=7, help="the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with open_device(options.device) as device:
        tell(begun("shared-sort", device), measurements(device, options), options.output)


def measurements(device: Device, options: Options) -> Iterator[Row]:
    """Measure every number of keys of every type, by every way, with every share."""
    for power in range(options.smallest, options.largest + 1, 2):
        for dtype in TYPES:
            keys = random_keys(1 << power, dtype, seed=power)
            for name in options.way or WAYS:
                network, method = name.rsplit("-", 1)
                way = TextureSort.prepared(
                    device, keys.dtype, cast(NetworkName, network), cast(SortMethod, method)
                )
                yield from _rows(way, keys, options)


def _rows(way: TextureSort, keys: Keys, options: Options) -> Iterator[Row]:
    """Check each share, then time them all in turns."""
    shares = {share: SharedSort.prepared(way, share) for share in options.share or SHARES}
    expected = in_order(keys).tobytes()
    for shared in shares.values():
        if shared.sort(keys).tobytes() != expected:
            raise AssertionError(WRONG.format(shared.label))
    took: dict[float | str, list[float]] = {share: [] for share in shares}
    for _ in range(options.turns):
        for share, shared in shares.items():
            took[share].append(seconds(lambda shared=shared: shared.sort(keys)))  # type: ignore[misc]
    told = {"network": way.network, "method": way.method, "dtype": way.dtype.name}
    for share, shared in shares.items():
        drawn = shared.balance.for_device(len(keys)) if way.device.hardware else len(keys)
        on_cpu = 1 - drawn / len(keys) if share == "auto" else share
        ms = 1e3 * statistics.median(took[share])
        row = {"keys": len(keys), "share": share, "on_cpu": on_cpu, "ms": ms}
        yield {**told, **row, "label": shared.label, "turns": options.turns}


if __name__ == "__main__":
    main()
