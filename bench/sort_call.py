"""All of one call of `sort`, beside the program alone, and where the rest of its time goes.

    python -m bench.sort_call --output bench/records/sort-call-….json

Every answer is compared with that of `np.sort`, bit for bit, before it is timed. A turn runs each
part by itself, waits for the device, and then makes one whole call:

- pack: what must not be drawn is looked for, and set aside;
- upload: the keys are copied into a texture;
- program: all passes are drawn;
- download: the rows that hold keys are copied back;
- unpack: textures are given back, the lists are merged, if the device has not done so, and what was
  set aside is put back.

All ways of one size take turns, and the median turn counts. The whole call does not wait for the
device between its parts, so it may take less time than they do together.
"""

import time
from collections.abc import Iterator
from itertools import pairwise
from typing import cast, get_args

import click
import numpy as np

from bench.shared.data import WRONG
from bench.shared.machines import seconds
from bench.shared.options import Options, command, device_option, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort import Device, open_device, sort
from shadersort.keys.accepted import random_keys
from shadersort.keys.aside import padding
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Keys
from shadersort.names import MergePlace, NetworkName, SortMethod
from shadersort.sorting.texture_sort import TextureSort, rows_of

WAYS = ("pbsn-auto", "bitonic-auto", "pbsn-blend")
PARTS = ("pack", "upload", "program", "download", "unpack")


@command(__doc__)
@device_option()
@option("--smallest", type=int, default=20, metavar="P", help="from 2**P keys on")
@option("--largest", type=int, default=23, metavar="P", help="up to 2**P keys")
@option("--dtype", default="float32", help="type of the keys", show_default=True)
@repeated("--way", metavar="NETWORK-METHOD", help="default: " + ", ".join(WAYS))
@repeated("--merge", type=click.Choice(get_args(MergePlace)), help="default: both")
@option("--turns", type=int, default=7, help="the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    with open_device(options.device) as device:
        tell(begun("sort-call", device), measurements(device, options), options.output)


def measurements(device: Device, options: Options) -> Iterator[Row]:
    """Measure every number of keys, by every way, merged on the host and on the device."""
    for power in range(options.smallest, options.largest + 1):
        keys = random_keys(1 << power, options.dtype, seed=power)
        ways = [
            TextureSort.prepared(
                device,
                keys.dtype,
                cast(NetworkName, network),
                cast(SortMethod, method),
                merge=merge,
            )
            for network, method in (name.rsplit("-", 1) for name in options.way or WAYS)
            for merge in options.merge or get_args(MergePlace)
        ]
        yield from _rows(ways, keys, options.turns)


def _rows(ways: list[TextureSort], keys: Keys, turns: int) -> Iterator[Row]:
    """Check each way, then time them all in turns."""
    expected = in_order(keys).tobytes()
    for way in ways:
        if _call(way, keys).tobytes() != expected or _parts(way, keys)[0].tobytes() != expected:
            raise AssertionError(WRONG.format(way.label))
    took: list[list[tuple[float, ...]]] = [[] for _ in ways]
    on_cpu = []
    for _ in range(turns):
        on_cpu.append(seconds(lambda: np.sort(keys)))
        for way, times in zip(ways, took, strict=True):
            call = seconds(lambda way=way: _call(way, keys))  # type: ignore[misc]
            times.append((*_parts(way, keys)[1], call))
    for way, times in zip(ways, took, strict=True):
        *parts, call = (1e3 * np.median(times, axis=0)).tolist()
        yield {
            "keys": len(keys),
            "dtype": way.dtype.name,
            "network": way.network,
            "method": way.method,
            "merge": way.merge,
            "passes": len(way.program_of_one(way.window_of(len(keys))).passes),
            **{f"{part}_ms": each for part, each in zip(PARTS, parts, strict=True)},
            "call_ms": call,
            "call_over_program": call / parts[PARTS.index("program")],
            "numpy_ms": 1e3 * float(np.median(on_cpu)),
            "label": way.label,
            "turns": turns,
        }


def _call(way: TextureSort, keys: Keys) -> Keys:
    """Sort keys by the function that callers use."""
    return sort(keys, network=way.network, method=way.method, merge=way.merge, device=way.device)


def _parts(way: TextureSort, keys: Keys) -> tuple[Keys, list[float]]:
    """Sort keys by the parts of a call, one after the other; return them, and each one's seconds.

    They are the steps of `TextureSort.sort` and `TextureSort.run_keys`.
    """
    device, laps = way.device, [time.perf_counter()]
    drawn, aside = way.packed(keys)
    laps.append(time.perf_counter())
    program = way.program_of_one(way.window_of(len(drawn)))
    size = program.width, program.height
    with device.upload_keys(drawn, *size, padding(way.dtype)) as texture:
        device.finish()
        laps.append(time.perf_counter())
        with device.execute(program, texture) as result:
            device.finish()
            laps.append(time.perf_counter())
            texels = result.read(rows_of(len(drawn), program.width))
            laps.append(time.perf_counter())
    ordered = way.unpacked(texels, len(drawn), aside)
    laps.append(time.perf_counter())
    return ordered, [after - before for before, after in pairwise(laps)]


if __name__ == "__main__":
    main()
