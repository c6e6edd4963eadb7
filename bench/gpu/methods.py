"""The papers' methods of selection on a GPU, beside CuPy and PyTorch, in reads of all keys.

    python -m bench.gpu.methods --output bench/records/modern-….json

`torch.kthvalue`, which takes seconds, is measured on uniform keys only.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any

import click

import modern
from bench.gpu.turns import Call, Calls, rows_of
from bench.shared.benchmark import benchmark
from bench.shared.data import REFUSALS, Data, exists
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, repeated
from bench.shared.record import Row
from modern import METHODS
from shadersort.keys import datasets

SIZES, TYPES = (1 << 26, 1 << 28), ("float32", "float64")
USUAL = ("uniform", "normal")
ADVERSARIES = ("ones", "ones-and-twos", "sorted", "bucket-killer")
MANY = (101, 1001)
"""Numbers of ranks that are selected together."""

MANY_THREADS = tuple(name for name in METHODS if name != "quickselect-serial")
"""Methods that are not too slow here; `bench.reproduce` measures the other one."""


@benchmark("modern", __doc__, repeats=5, turns=3)
@repeated("--n", type=COUNT, help="number of keys (default: 2^26 and 2^28)")
@repeated("--dtype", help=f"default: {', '.join(TYPES)}")
@repeated("--distribution", type=click.Choice(list(datasets.DATASETS)))
@repeated("--method", type=click.Choice(MANY_THREADS), help="default: every method")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure everything that is wanted."""
    for n, dtype in product(options.n or SIZES, options.dtype or TYPES):
        for data in options.distribution or (*USUAL, *ADVERSARIES):
            if exists(data, dtype):
                yield from _rows(machine, data, dtype, n, options)


def _rows(machine: Machine, data: str, dtype: str, n: int, options: Options) -> Iterator[Row]:
    """Check every call on some keys, time them, and yield their rows."""
    drawn = Data(machine.xp, data, dtype, n)
    head = {"dtype": dtype, "distribution": data, "n": n}
    calls: Calls = {}
    ours = _ours(drawn, options.method or MANY_THREADS)
    for group, what, run, ks in (*_peers(machine.xp, drawn, data), *ours):
        try:
            drawn.check(run(), ks, f"{what} of {head}")
            calls[group, what] = run
        except REFUSALS as error:
            yield {**head, "group": group, "what": what, "ms": None, "why": str(error)}
    yield from rows_of(machine, head, calls, options)


def _peers(xp: Any, data: Data, name: str) -> Iterator[tuple[str, str, Call, Any]]:
    """Yield one read of the keys, and what CuPy and PyTorch have, each with the ranks it finds."""
    keys, n = data.keys, data.n
    k = n // 2
    yield "peer", "max", lambda: xp.max(keys), n - 1
    yield "peer", "sort", lambda: xp.sort(keys)[k], k
    yield "peer", "partition", lambda: xp.partition(keys, k)[k], k
    if find_spec("torch") is None or keys.dtype.kind == "u":  # PyTorch selects from no unsigned
        return
    torch: Any = import_module("torch")
    tensor = torch.as_tensor(keys)
    yield "peer", "torch.median", lambda: torch.median(tensor), (n - 1) // 2
    if name == "uniform":
        yield "peer", "torch.kthvalue", lambda: torch.kthvalue(tensor, k + 1).values, k


def _ours(data: Data, names: Sequence[str]) -> Iterator[tuple[str, str, Call, Any]]:
    """Yield the methods for one rank, and bucketMultiSelect for many."""
    select: Any = modern.select
    for name in names:
        yield "method", name, partial(select, data.keys, data.n // 2, method=name), data.n // 2
    for count in MANY:
        ks = datasets.ranks("uniform", data.n, count)
        many = partial(modern.multiselect, data.keys, ks, method="bucket")
        yield "many", f"{count:,} ranks", many, ks


if __name__ == "__main__":
    main()
