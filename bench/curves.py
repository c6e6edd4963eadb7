"""The papers' curves whose numbers are not in the text, measured: times over n, k and many ks.

    python -m bench.curves --output bench/records/curves-….json

Figures 5, 6 and 9 to 12 of Alabi et al. 2012, and 1 and 4 of Blanchard et al. 2015, on the GPU, or
on NumPy where there is none: then with fewer keys. Every answer is checked before it is timed.
`bench.report` draws the record.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import modern
from bench.compared import REFUSALS, SHARES
from bench.machines import Host, Machine
from bench.measuring import Data
from bench.options import add_record, command_line, keys
from bench.record import environment, recorded
from bench.reproduce import MACHINES
from shadersort.errors import ShadersortError
from shadersort.keys import datasets

__all__ = ["CURVES", "main", "measurements", "parser"]

Row = dict[str, Any]

LARGEST = {"CUDA": 1 << 26, "NumPy": 1 << 20}
"""Keys at most, unless told: the paper's number, or what NumPy does soon."""

OF_ONE = ("sort-choose", "radix", "bucket")
TYPES = ("float32", "float64")
COUNTS = (1, 11, 101, 501, 1001, 2001, 4001)


def main() -> None:
    """Run the benchmark."""
    options = parser().parse_args()
    try:
        machine = MACHINES[options.device]()
    except ShadersortError as error:
        raise SystemExit(f"bench.curves: {error}") from None
    record: Row = {"benchmark": "curves", **environment(machine.described()), "rows": []}
    recorded(record, measurements(machine, options), _told, options.output)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    options = command_line("bench.curves", __doc__)
    add = options.add_argument
    add("--device", default="auto", choices=MACHINES, help="auto (default): the GPU, else NumPy")
    add("--curve", action="append", choices=CURVES, metavar="NAME", help="default: every curve")
    add("--largest", type=keys, metavar="N", help="most keys (default 2^26; 2^20 on NumPy)")
    add("--repeats", type=int, default=3, help="of each, the median counts (default 3)")
    add_record(options)
    return options


def measurements(machine: Machine, options: argparse.Namespace) -> Iterator[Row]:
    """Measure every curve that is wanted, point by point."""
    largest = options.largest or LARGEST[machine.name]
    for name in options.curve or CURVES:
        for row in CURVES[name](_Points(machine, options.repeats), largest):
            yield {"curve": name, **row}


class _Points:
    """Times single points on data that are drawn once for several of them."""

    def __init__(self, machine: Machine, repeats: int) -> None:
        self.machine, self.repeats = machine, repeats
        self.of: tuple[Any, ...] = ()

    def data(self, *of: Any) -> Data:
        """Return the keys of a distribution, a type and a number of keys."""
        if of != self.of:
            self.of, self.held = of, Data(self.machine.xp, *of)
        return self.held

    def point(self, of: tuple[str, str, int], method: str, ks: Any, **more: Any) -> Row:
        """Return the row of one point; without a time, and with why, if the method refuses."""
        data, machine = self.data(*of), self.machine
        find: Callable[..., Any] = modern.select if np.ndim(ks) == 0 else modern.multiselect
        call = partial(find, data.keys, ks, method=method)
        row = {"distribution": of[0], "dtype": of[1], "n": of[2], "method": method, **more}
        try:
            data.check(call(), ks, method)
        except REFUSALS as error:
            return {**row, "ms": None, "why": str(error)}
        return {**row, "ms": machine.ms(call, self.repeats)}


def _sizes(largest: int, first: int = 10) -> list[int]:
    return [1 << power for power in range(first, largest.bit_length(), 2)]


def _over_k(points: _Points, largest: int) -> Iterator[Row]:
    """Time over the rank."""
    for dtype, name in product(TYPES, ("uniform", "normal")):
        for method, share in product(OF_ONE[1:], (0.0, *SHARES[::2], 1.0)):
            k = min(int(share * largest), largest - 1)
            yield points.point((name, dtype, largest), method, k, share=float(share))


def _of_adversaries(points: _Points, largest: int) -> Iterator[Row]:
    """Time over n on data made to be hard."""
    names = ("sorted", "ones", "ones-and-twos", "bucket-killer")
    for name, n, method in product(names, _sizes(largest, 12), OF_ONE):
        dtype = "uint32" if name == "sorted" else "float32"
        yield points.point((name, dtype, n), method, n // 2)


def _of_methods(points: _Points, largest: int) -> Iterator[Row]:
    """Time over n five methods, for a low rank, the median and a high one."""
    methods = (*OF_ONE, "cutting-plane", "randomized")
    for dtype, name, n in product(TYPES, ("uniform", "normal"), _sizes(largest, 12)):
        for method, share in product(methods, (0.01, 0.5, 0.99)):
            yield points.point((name, dtype, n), method, int(share * n), share=share)


def _of_rank_sets(points: _Points, largest: int) -> Iterator[Row]:
    """Time over the number of ranks, for sets of ranks."""
    for dtype, ranks, count in product(TYPES, datasets.RANK_SETS, COUNTS):
        ks = datasets.ranks(ranks, largest, count)
        yield points.point(("uniform", dtype, largest), "bucket", ks, ranks=ranks, count=count)


def _of_percentiles(points: _Points, largest: int) -> Iterator[Row]:
    """Time 101 ranks over n, for distributions, beside a CPU's quickselect."""
    cpu = isinstance(points.machine, Host)
    methods = ("sort-choose", "bucket", *(["quickselect"] if cpu else []))
    names = ("uniform", "normal", "half-normal", "cauchy")
    for name, n, method in product(names, _sizes(largest), methods):
        ks = datasets.ranks("uniform", n, 101)
        yield points.point((name, "float32", n), method, ks, count=101)


CURVES: dict[str, Callable[[_Points, int], Iterator[Row]]] = {
    "ranks": _over_k,
    "adversaries": _of_adversaries,
    "methods": _of_methods,
    "rank-sets": _of_rank_sets,
    "percentiles": _of_percentiles,
}
"""What is measured, by name."""


def _told(row: Row) -> str:
    of = ", ".join(f"{name} {value}" for name, value in row.items() if name not in ("ms", "why"))
    return f"{of}: " + (row["why"] if row["ms"] is None else f"{row['ms']:.4g} ms")


if __name__ == "__main__":
    main()
