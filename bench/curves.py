"""The papers' curves whose numbers are not in the text: times over n, over k and over many ks.

    python -m bench.curves --output bench/records/curves-….json

Measures figures 5, 6 and 9 to 12 of Alabi et al. 2012, and figures 1 and 4 of Blanchard et al.
2015: on the GPU, or with NumPy and fewer keys if there is no GPU. Every answer is checked before it
is timed. `bench.report` draws the record.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import click

from bench.reproduce.alabi_2012 import SHARES
from bench.reproduce.timing import Bench
from bench.shared.data import REFUSALS
from bench.shared.machines import Host, Machine, machine_option, opened
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from bench.shared.versions import Version
from shadersort.keys import datasets

LARGEST = {"CUDA": 1 << 26, "NumPy": 1 << 20}
"""The default number of keys: the paper's, or one that NumPy measures in little time."""

OF_ONE = ("sort-choose", "radix", "bucket")
TYPES = ("float32", "float64")
COUNTS = (1, 11, 101, 501, 1001, 2001, 4001)


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every curve that is wanted, point by point."""
    largest = options.largest or LARGEST[machine.name]
    for name in options.curve or CURVES:
        for row in CURVES[name](Bench(machine, options.repeats), largest):
            yield {"curve": name, **row}


def _point(bench: Bench, of: tuple[str, str, int], method: str, ks: Any, **more: Any) -> Row:
    """Return the row of one point: with its time, or with the reason of a refusal."""
    row = {"distribution": of[0], "dtype": of[1], "n": of[2], "method": method, **more}
    try:
        found = bench.time(Version(method), *of, ks)
        return {**row, "variant": "improved", "label": found.label, "ms": found.ms}
    except REFUSALS as error:
        return {**row, "ms": None, "why": str(error)}


def _sizes(largest: int, first: int = 10) -> list[int]:
    return [1 << power for power in range(first, largest.bit_length(), 2)]


def _over_k(bench: Bench, largest: int) -> Iterator[Row]:
    """Time over the rank."""
    for dtype, name in product(TYPES, ("uniform", "normal")):
        for method, share in product(OF_ONE[1:], (0.0, *SHARES[::2], 1.0)):
            k = min(int(share * largest), largest - 1)
            yield _point(bench, (name, dtype, largest), method, k, share=float(share))


def _of_adversaries(bench: Bench, largest: int) -> Iterator[Row]:
    """Time over n, on the adversaries."""
    names = ("sorted", "ones", "ones-and-twos", "bucket-killer")
    for name, n, method in product(names, _sizes(largest, 12), OF_ONE):
        dtype = "uint32" if name == "sorted" else "float32"
        yield _point(bench, (name, dtype, n), method, n // 2)


def _of_methods(bench: Bench, largest: int) -> Iterator[Row]:
    """Time over n of five methods, for a low rank, the median and a high rank."""
    methods = (*OF_ONE, "cutting-plane", "randomized")
    for dtype, name, n in product(TYPES, ("uniform", "normal"), _sizes(largest, 12)):
        for method, share in product(methods, (0.01, 0.5, 0.99)):
            yield _point(bench, (name, dtype, n), method, int(share * n), share=share)


def _of_rank_sets(bench: Bench, largest: int) -> Iterator[Row]:
    """Time over the number of ranks, for sets of ranks."""
    for dtype, ranks, count in product(TYPES, datasets.RANK_SETS, COUNTS):
        ks = datasets.ranks(ranks, largest, count)
        yield _point(bench, ("uniform", dtype, largest), "bucket", ks, ranks=ranks, count=count)


def _of_percentiles(bench: Bench, largest: int) -> Iterator[Row]:
    """Time of 101 ranks over n, for some distributions; on a CPU with quickselect, too."""
    cpu = isinstance(bench.machine, Host)
    methods = ("sort-choose", "bucket", *(["quickselect"] if cpu else []))
    names = ("uniform", "normal", "half-normal", "cauchy")
    for name, n, method in product(names, _sizes(largest), methods):
        ks = datasets.ranks("uniform", n, 101)
        yield _point(bench, (name, "float32", n), method, ks, count=101)


CURVES: dict[str, Callable[[Bench, int], Iterator[Row]]] = {
    "ranks": _over_k,
    "adversaries": _of_adversaries,
    "methods": _of_methods,
    "rank-sets": _of_rank_sets,
    "percentiles": _of_percentiles,
}
"""What is measured, by name."""


@command(__doc__)
@machine_option
@repeated("--curve", type=click.Choice(list(CURVES)), help="default: every curve")
@option("--largest", type=COUNT, metavar="N", help="most keys (default: 2^26; 2^20 with NumPy)")
@option("--repeats", type=int, default=3, help="of each; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened(options.device)
    rows = measurements(machine, options)
    tell(begun("curves", machine.described()), rows, options.output)


if __name__ == "__main__":
    main()
