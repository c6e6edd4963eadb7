"""The ladder of methods, from blending to compute shaders and CUDA, beside the peers of today.

    python -m bench.drawing.ladder --keys 23 --output bench/records/ladder-….json

Every network sorts the same float32 keys by every method, four channels side by side, in a texture
that is on the device already. What sorts no texture sorts all the keys as one array: `np.sort` on
the host; on the GPU, if CuPy is installed, `cupy.sort` and the networks by CUDA, as the method
`cuda`. `cupy.max` is one read of the array. All take turns; the record has medians.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, cast

import numpy as np

import modern
from bench.shared.benchmark import benchmark, on_device
from bench.shared.data import ensure
from bench.shared.machines import Card, Machine, best, seconds, seconds_of_passes
from bench.shared.options import Options, device_option, option
from bench.shared.record import Row
from shadersort import METHODS, NETWORKS, Device, compile, network
from shadersort.drawing.passes import CHANNELS, texture_size
from shadersort.keys.types import Keys

Timer = Callable[[], float]
"""Runs something once and returns the seconds it took."""

ON_CARD = ("pbsn", "bitonic")
"""Networks that `modern.sort` has."""


@benchmark("ladder", __doc__, on=on_device, turns=7)
@device_option
@option("--keys", type=int, default=20, metavar="P", help="sort 2**P keys")
def main(device: Device, options: Options) -> Iterator[Row]:
    """Yield a row for every way to sort this number of keys."""
    values = np.random.default_rng(1 << options.keys).random(1 << options.keys, np.float32)
    timers: dict[tuple[str, str], Timer] = {
        (name, method): drawn(device, values, name, method)
        for name, method in product(NETWORKS, METHODS)
        if method != "compute" or device.computes
    }
    timers["", "np.sort"] = partial(seconds, partial(np.sort, values))
    machine = best()
    timers |= on_card(machine, values)
    taken = [[timer() for timer in timers.values()] for _ in range(options.turns + 1)][1:]
    for (name, method), took in zip(timers, np.median(taken, axis=0).tolist(), strict=True):
        row = {"keys": len(values), "network": name, "method": method, "program_ms": 1e3 * took}
        where = machine if method == "cuda" else device
        label = f"{name}, {method}, float32, {where.label}" if name else method
        yield {**row, "turns": options.turns, "label": label}


def drawn(device: Device, values: Keys, name: str, method: str) -> Timer:
    """Return a timer of a program whose answer was found to be right."""
    length = len(values) // CHANNELS
    width, height = texture_size(length)
    program = compile(network(name, length), width, height, method)
    texels = values.reshape(height, width, CHANNELS)
    found = device.run(program, texels).reshape(-1, CHANNELS)
    expected = np.sort(texels.reshape(-1, CHANNELS), axis=0)
    ensure(np.array_equal(found, expected), f"{name}, {method}")
    return lambda: seconds_of_passes(device, program, texels)


def on_card(machine: Machine, values: Keys) -> dict[tuple[str, str], Timer]:
    """Return timers of sorts of one array on a GPU, found to be right, and of a read of it."""
    if not isinstance(machine, Card):
        return {}
    keys, xp, sort = machine.xp.asarray(values), machine.xp, cast(Any, modern.sort)
    calls: dict[tuple[str, str], Callable[[], Any]] = {
        **{(name, "cuda"): partial(sort, keys, network=name) for name in ON_CARD},
        ("", "cupy.sort"): partial(xp.sort, keys),
    }
    expected = np.sort(values, kind="stable")
    for (name, method), call in calls.items():
        ensure(np.array_equal(xp.asnumpy(call()), expected), f"{name}, {method}")
    calls["", "cupy.max"] = partial(xp.max, keys)
    return {what: partial(seconds, partial(machine.waited, call)) for what, call in calls.items()}


if __name__ == "__main__":
    main()
