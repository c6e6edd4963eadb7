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
from collections.abc import Iterator
from functools import partial
from itertools import islice, product

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
from bench.shared.record import Row, begun, tell
from modern import METHODS
from modern.kernels import DTYPES
from shadersort.keys.datasets import DATASETS
from shadersort.names import SelectionMethod

SIZES, TYPES, DISTRIBUTIONS = (1 << 26, 1 << 28), ("float32", "float64"), ("uniform", "normal")

ONE_THREAD: SelectionMethod = "quickselect-serial"
"""A method that is measured on few keys, and only once."""
FEW = 1 << 20


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
        old = json.loads(options.read.read_text(encoding="utf-8"))
        record, rows = old | {"rows": []}, old["rows"]
    else:
        machine = opened("cuda")
        record, rows = begun("modern", machine.described()), measurements(machine, options)
    tell(record, rows, options.output)
    print(*table(record["rows"]), sep="\n")


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


if __name__ == "__main__":
    main()
