"""one-read on a GPU, in reads of all keys: any rank, medians, hostile data, and few keys.

python -m bench.gpu.one_read --output bench/records/one-read-….json
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import click
import numpy as np

import modern
from bench.gpu.turns import Calls, rows_of
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure, exists, make
from bench.shared.definitions import Definitions
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, repeated
from bench.shared.record import Row

TYPES = ("float32", "float64", "int32", "int64", "float16")
HOSTILE = ("ones", "ones-and-twos", "sorted", "reversed", "bucket-killer", "near-zero", "cauchy")
WITH_NAN = "normal, 1 in 100 NaN"

FEW = tuple(1 << power for power in range(8, 23, 2))
"""The sizes of small arrays."""


@benchmark("one-read", __doc__, repeats=7, turns=3)
@repeated("--n", type=COUNT, help="number of keys (default: 2^28, 2^30 of float32, and few keys)")
@repeated("--dtype", type=click.Choice(TYPES))
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure many keys of every type, hostile keys of float32, and few keys."""
    for dtype, n, data in cases(options):
        keys = make(machine.xp, data.partition(",")[0], n, dtype=dtype, seed=1)
        if data == WITH_NAN:
            keys[::100] = np.nan
        calls = calls_on(machine, keys)
        if n <= FEW[-1] and not options.n:
            calls = {("", what): calls["", what] for what in ("max", "select n/2", "median")}
            calls["", "sort"] = partial(machine.xp.sort, keys)
        head = {"data": data, "dtype": dtype, "n": n}
        yield from rows_of(machine, head, calls, options)


def cases(options: Options) -> Iterator[tuple[str, int, str]]:
    """Yield types, numbers of keys, and data."""
    for dtype in options.dtype or TYPES:
        sizes = options.n or ((1 << 28, 1 << 30) if dtype == "float32" else (1 << 28,))
        usual = [data for data in ("uniform", "normal") if exists(data, dtype)]
        yield from ((dtype, n, data) for n in sizes for data in usual)
        if dtype == "float32":
            yield from ((dtype, sizes[0], data) for data in (*HOSTILE, WITH_NAN))
    yield from (("float32", n, "normal") for n in FEW if not options.n)


def calls_on(machine: Machine, keys: Any) -> Calls:
    """Return every call on some keys; its answer has been checked."""
    definitions, n = Definitions(machine.xp, keys), keys.size
    ranks = {"0": 0, "1,000": 1000, "n/100": n // 100, "n/2": n // 2}
    ranks |= {"n - 1,000": n - 1000, "n - 1": n - 1}
    calls: Calls = {("", "max"): partial(machine.xp.max, keys)}
    for name, k in ranks.items():
        if 0 <= k < n:
            call = calls["", f"select {name}"] = partial(modern.select, keys, k)
            ensure(definitions.are_keys(call(), k), f"rank {k}")
    for name in ("median", "nanmedian"):
        call = calls["", name] = partial(getattr(modern, name), keys)
        ensure(definitions.is_median(call(), of_numbers=name == "nanmedian"), name)
    return calls


if __name__ == "__main__":
    main()
