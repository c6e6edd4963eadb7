"""Selection on the GPU of today: methods by distributions, sizes and types, and their peers.

    python -m bench.modern --record bench/records/modern-….json
    python -m bench.modern --n 2^24 --dtype int32 --method radix --repeats 15
    python -m bench.modern --read bench/records/modern-….json

Every answer is checked against a sort of the same keys before it is timed. Times lie between CUDA
events, the cache flushed before each call; all that is measured on the same keys takes turns, and
the median of several medians counts. R is one read of the keys: the time of `cupy.max`, measured in
the same turns, and every figure is told as a multiple of it too.
In the end each limit that this project has set itself is told beside the worst figure under it.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from bench.bars import ADVERSARIES, table
from bench.data import DATA, OF_INTEGERS
from bench.figures import Figures
from bench.machines import Machine, a_card
from bench.options import add_record, command_line, keys
from bench.record import environment, write
from modern import METHODS
from modern.kernels import DTYPES
from shadersort.errors import DeviceUnavailable

__all__ = ["main", "measurements", "parser"]

SIZES, TYPES, DISTRIBUTIONS = (1 << 26, 1 << 28), ("float32", "float64"), ("uniform", "normal")

ONE_THREAD, FEW = "quickselect-serial", 1 << 20
"""A method that is measured on few keys, and only once."""

Row = dict[str, Any]


def main() -> None:
    """Run the benchmark, or print its record."""
    options = parser().parse_args()
    if options.read:
        record = json.loads(options.read.read_text(encoding="utf-8"))
        _tell(record, record["rows"])
        return
    try:
        machine = a_card()
    except DeviceUnavailable as error:
        raise SystemExit(f"bench.modern: {error}") from None
    record = {"benchmark": "modern", **environment(machine.described()), "rows": []}
    _tell(record, _recorded(record, measurements(machine, options), options.output))


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    options = command_line("bench.modern", __doc__)
    add = options.add_argument
    add("--n", action="append", type=keys, help="number of keys: 2^26 and 2^28; may be repeated")
    add(
        "--dtype",
        action="append",
        choices=[dtype.name for dtype in DTYPES],
        metavar="TYPE",
        help=f"default: {', '.join(TYPES)}; may be repeated",
    )
    add(
        "--distribution",
        action="append",
        choices=DATA,
        metavar="NAME",
        help=f"{', '.join(DATA)} (default: {', '.join(DISTRIBUTIONS)}); may be repeated",
    )
    add(
        "--method",
        action="append",
        choices=METHODS,
        metavar="NAME",
        help="default: every method; may be repeated",
    )
    add("--rank", type=float, default=0.5, help="of the key, as a share of all (default 0.5)")
    add("--repeats", type=int, default=5, help="of each in a turn, the median counts (default 5)")
    add("--turns", type=int, default=3, help="of all, the median counts (default 3)")
    add("--no-adversaries", action="store_true", help=f"leave out {', '.join(ADVERSARIES)}")
    add_record(options)
    return options


def measurements(machine: Machine, options: argparse.Namespace) -> Iterator[Row]:
    """Measure everything that is wanted, adversaries last."""
    names = [name for name in options.method or METHODS if name != ONE_THREAD]
    adversaries = () if options.no_adversaries else ADVERSARIES
    for n, dtype in product(options.n or SIZES, options.dtype or TYPES):
        for distribution in _had(options.distribution or DISTRIBUTIONS, dtype):
            some = Figures(machine, distribution, dtype, n, options.rank)
            others = (*some.peers(), *some.peers_of_torch(), *some.primitives())
            ours = (*some.methods(names), *some.many(), *some.whole())
            yield from some.rows((*others, *ours), options.repeats, options.turns)
        for distribution in _had(adversaries, dtype):
            some = Figures(machine, distribution, dtype, n, options.rank)
            others = (*islice(some.peers(), 2),)  # a read, and a sort
            yield from some.rows((*others, *some.methods(names)), options.repeats, options.turns)
    if ONE_THREAD in (options.method or METHODS):
        n = min(FEW, *(options.n or SIZES))
        some = Figures(machine, "uniform", "float32", n, options.rank)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "one thread selects", RuntimeWarning)
            yield from some.rows((*some.peers(), *some.methods([ONE_THREAD])), 1, 1)


def _had(names: Any, dtype: str) -> list[str]:
    """Return the data sets that can be had in a type."""
    return [name for name in names if np.dtype(dtype).kind == "f" or name in OF_INTEGERS]


def _recorded(record: Row, rows: Iterator[Row], path: Path | None) -> Iterator[Row]:
    for row in rows:
        record["rows"].append(row)
        if path:
            write(path, record)
        yield row


def _tell(record: Row, rows: Any) -> None:
    """Print rows as they come, and the limits in the end."""
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
