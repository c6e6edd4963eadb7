"""Selection on the GPU of today: methods by distributions, sizes and types, and their peers.

    python -m bench.modern --record bench/records/modern-….json
    python -m bench.modern --n 2^24 --dtype int32 --method radix --repeats 15
    python -m bench.modern --read bench/records/modern-….json

Every answer is checked against a sort of the same keys before it is timed. CUDA events enclose each
call, and the cache is flushed before it. All calls on the same keys take turns, and the median of
several medians counts. R is one read of the keys: the time of `cupy.max`, measured in the same
turns; every time is reported as a multiple of R, too. At the end, each limit that this project has
set itself is printed beside the worst measurement.
"""

import json
import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice, product
from typing import Any

import click

from bench.modern.calls import Calls
from bench.modern.limits import ADVERSARIES, table
from bench.shared.data import exists
from bench.shared.machines import Machine, opened
from bench.shared.options import (
    COUNT,
    Options,
    command,
    option,
    output_option,
    read_option,
    repeated,
)
from bench.shared.record import Row, begun, recorded
from modern import METHODS
from modern.kernels import DTYPES
from shadersort.keys.datasets import DATASETS

__all__ = ["main", "measurements"]

SIZES, TYPES, DISTRIBUTIONS = (1 << 26, 1 << 28), ("float32", "float64"), ("uniform", "normal")

ONE_THREAD, FEW = "quickselect-serial", 1 << 20
"""A method that is measured on few keys, and only once."""


@command(__doc__)
@repeated("--n", type=COUNT, help="number of keys (default: 2^26 and 2^28)")
@repeated(
    "--dtype",
    type=click.Choice([dtype.name for dtype in DTYPES]),
    help=f"default: {', '.join(TYPES)}",
)
@repeated(
    "--distribution", type=click.Choice(list(DATASETS)), help=f"default: {', '.join(DISTRIBUTIONS)}"
)
@repeated("--method", type=click.Choice(list(METHODS)), help="default: every method")
@option("--rank", type=float, default=0.5, help="of the key, as a share of all")
@option("--repeats", type=int, default=5, help="of each in a turn; the median counts")
@option("--turns", type=int, default=3, help="of all; the median counts")
@option("--no-adversaries", is_flag=True, help=f"leave out {', '.join(ADVERSARIES)}")
@output_option
@read_option
def main(options: Options) -> None:
    """Run the benchmark, or print its record."""
    if options.read:
        record = json.loads(options.read.read_text(encoding="utf-8"))
        _tell(record, record["rows"])
        return
    machine = opened("cuda")
    record = begun("modern", machine.described())
    _tell(record, recorded(record, measurements(machine, options), options.output))


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure everything that is wanted, adversaries last."""
    names = [name for name in options.method or METHODS if name != ONE_THREAD]
    adversaries = () if options.no_adversaries else ADVERSARIES
    for n, dtype in product(options.n or SIZES, options.dtype or TYPES):
        had = partial(exists, dtype=dtype)
        for distribution in filter(had, options.distribution or DISTRIBUTIONS):
            some = Calls(machine, distribution, dtype, n, options.rank)
            others = (*some.peers(), *some.peers_of_torch(), *some.primitives())
            ours = (*some.methods(names), *some.many(), *some.whole())
            yield from some.rows((*others, *ours), options.repeats, options.turns)
        for distribution in filter(had, adversaries):
            some = Calls(machine, distribution, dtype, n, options.rank)
            others = (*islice(some.peers(), 2),)  # a read, and a sort
            yield from some.rows((*others, *some.methods(names)), options.repeats, options.turns)
    if ONE_THREAD in (options.method or METHODS):
        n = min(FEW, *(options.n or SIZES))
        some = Calls(machine, "uniform", "float32", n, options.rank)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "one thread selects", RuntimeWarning)
            yield from some.rows((*some.peers(), *some.methods([ONE_THREAD])), 1, 1)


def _tell(record: dict[str, Any], rows: Iterable[Row]) -> None:
    """Print rows as they come, and then the limits."""
    device, versions = record["device"], record["versions"]
    packages = ", ".join(f"{name} {version}" for name, version in versions.items())
    print(f"{device.get('renderer', device['kind'])}, driver {device.get('driver')}")
    print(f"CUDA {device.get('cuda_runtime')}, {packages}")
    print(f"{record['date'][:10]}, commit {record['commit']}")
    head: Any = None
    seen = []
    for row in rows:
        seen.append(row)
        if head != (head := (row["n"], row["dtype"], row["distribution"])):
            print(f"\n{row['distribution']}, {row['dtype']}, n = {row['n']:,}")
            print(f"  {'':34}{'ms':>12}{'R':>9}")
        print(_told(row))
    print()
    for line in table(seen):
        print(line)


def _told(row: Row) -> str:
    what = row["what"] if row["group"] in ("peer", "method") else f"{row['group']}: {row['what']}"
    if row["ms"] is None:
        return f"  {what:34}{'–':>12}{'–':>9}  {row['why']}"
    return f"  {what:34}{row['ms']:>12.4f}{row['reads']:>9.2f}"


if __name__ == "__main__":
    main()
