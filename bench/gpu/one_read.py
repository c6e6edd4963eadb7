"""one-read on a GPU, in reads of all keys: any rank, medians, hostile data, and few keys.

    python -m bench.gpu.one_read --output bench/records/one-read-….json
    python -m bench.gpu.one_read --n 2^24 --dtype int32 --turns 1

Every answer is checked against a sort of the same keys before it is timed. All calls on the same
keys take turns, and the median turn counts. R is one read of the keys: the time of `max` in the
same turns.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import click
import numpy as np

import modern
from bench.gpu.turns import in_turns
from bench.shared.data import WRONG, exists, make
from bench.shared.definitions import Definitions
from bench.shared.machines import Machine, benchmark
from bench.shared.options import COUNT, Options, repeated
from bench.shared.record import Row

SIZES = (("float32", 28), ("float64", 28), ("int32", 28), ("int64", 28), ("float16", 28))
"""Types, and powers of two; float32 has 2^30 keys, too, unless sizes are chosen."""

HOSTILE = ("ones", "ones-and-twos", "sorted", "reversed", "bucket-killer", "near-zero", "cauchy")

FEW = (8, 10, 12, 14, 16, 18, 20, 22)
"""Powers of two of the small arrays."""

Call = Callable[[], Any]


@benchmark("one-read", __doc__, repeats=7, turns=3)
@repeated("--n", type=COUNT, help="number of keys (default: 2^28, 2^30 of float32, and few keys)")
@repeated("--dtype", type=click.Choice([name for name, _ in SIZES]))
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure many keys of every type, hostile keys of float32, and few keys."""
    powers = [n.bit_length() - 1 for n in options.n]
    for dtype, usual in SIZES:
        if options.dtype and dtype not in options.dtype:
            continue
        sizes = powers or ([usual, 30] if dtype == "float32" else [usual])
        for power, data in product(sizes, ("uniform", "normal")):
            if exists(data, dtype):
                yield from _rows(machine, make_keys(machine, data, power, dtype), data, options)
        if dtype == "float32":
            for data in HOSTILE:
                yield from _rows(machine, make_keys(machine, data, sizes[0], dtype), data, options)
            keys = make_keys(machine, "normal", sizes[0], dtype)
            keys[::100] = np.nan
            yield from _rows(machine, keys, "normal, 1 in 100 NaN", options)
    for power in () if options.n else FEW:
        yield from _few(machine, make_keys(machine, "normal", power, "float32"), options)


def make_keys(machine: Machine, data: str, power: int, dtype: str) -> Any:
    """Draw 2**power keys on a machine."""
    return make(machine.xp, data, 1 << power, dtype=dtype, seed=1)


def calls_on(machine: Machine, keys: Any) -> dict[str, Call]:
    """Return every call on some keys; its answer has been checked."""
    definitions, n = Definitions(machine.xp, keys), keys.size
    ranks = {"0": 0, "1,000": 1000, "n/100": n // 100, "n/2": n // 2}
    ranks |= {"n - 1,000": n - 1000, "n - 1": n - 1}
    calls: dict[str, Call] = {"max": lambda: machine.xp.max(keys)}
    for name, k in ranks.items():
        if 0 <= k < n:
            call = calls[f"select {name}"] = partial(modern.select, keys, k)
            _check(definitions.are_keys(call(), k), f"rank {k}")
    for name in ("median", "nanmedian"):
        call = calls[name] = partial(getattr(modern, name), keys)
        _check(definitions.is_median(call(), of_numbers=name == "nanmedian"), name)
    return calls


def _check(right: bool, what: str) -> None:
    if not right:
        raise AssertionError(WRONG.format(what))


def _rows(machine: Machine, keys: Any, data: str, options: Options) -> Iterator[Row]:
    times = in_turns(machine, calls_on(machine, keys), options)
    for what, ms in times.items():
        head = {"data": data, "dtype": keys.dtype.name, "n": keys.size, "what": what}
        yield {**head, "ms": ms, "reads": ms / times["max"]}


def _few(machine: Machine, keys: Any, options: Options) -> Iterator[Row]:
    """Measure few keys, beside a sort of them."""
    calls = calls_on(machine, keys)
    some = {name: calls[name] for name in ("max", "select n/2", "median")}
    some["sort"] = lambda: machine.xp.sort(keys)
    for what, ms in in_turns(machine, some, options).items():
        yield {"data": "normal", "dtype": keys.dtype.name, "n": keys.size, "what": what, "ms": ms}


if __name__ == "__main__":
    main()
