"""The papers' curves whose numbers are not in the text: times over n, over k and over many ks.

    python -m bench.curves --output bench/records/curves-….json

Measures figures 1 to 12 of Alabi et al. 2012, and figures 1 to 4 of Blanchard et al. 2015, with
every type, each method as printed and in our version: on the GPU, or with NumPy and fewer keys if
there is no GPU. Two more curves are what the papers foresee or explain: `buckets` has other numbers
of buckets, up to what shared memory holds today, and `steps` numbers of ranks beside powers of two.
Every answer is checked, and the label of a row is that of its trace. Where a row has `each`, that
is the time of each rank, and `ms` their mean. `bench.report` draws the record.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import product
from statistics import mean
from typing import Any
from unittest.mock import patch

import click

from bench.reproduce.alabi_2012 import RANKS, ranks
from bench.reproduce.timing import Bench
from bench.shared.benchmark import benchmark
from bench.shared.data import REFUSALS
from bench.shared.machines import Host, Machine, machine_option
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from bench.shared.versions import LIBRARY, Version, versions
from shadersort.keys import datasets
from shadersort.selection.printed import alabi_2012_bucket_select as bucket_select
from shadersort.selection.printed import blanchard_2015_bucket_multi_select as bucket_multi_select

LARGEST = {"CUDA": 1 << 29, "NumPy": 1 << 18}
"""The default number of keys: the papers', or one that NumPy measures in little time."""

OF_ONE = ("sort-choose", "radix", "bucket")
OF_FLOATS = (*OF_ONE, "cutting-plane", "randomized")
"""Methods of Alabi et al.; the last two were compared on floats and doubles."""

FEW = 5
"""Ranks of a sort, whose time does not depend on the rank, and of adversaries."""

PRIMARY = tuple(
    (name, dtype, range(14, 29 if dtype == "float64" else 30))
    for name, dtype in (
        *(("uniform", "uint32"), ("uniform", "float32"), ("normal", "float32")),
        *(("uniform", "float64"), ("normal", "float64")),
    )
)
FURTHER = tuple(
    (name, "float32", range(17, 28)) for name in ("half-normal", "uniform-wide", "normal-wide")
)
"""Distributions, types and powers of two of Alabi et al."""

OF_MANY = ("sort-choose", "bucket")
COUNTS = (1, 11, 51, 101, 201, 255, 301, 501, 1001, 1501, 2001, 3001, 4001)
"""Numbers of ranks; one jump of the paper is at 260."""

TOGETHER = (
    *(("uniform", dtype) for dtype in ("uint32", "float32", "float64")),
    *(("normal", dtype) for dtype in ("float32", "float64")),
    *((name, "float32") for name in ("half-normal", "cauchy")),
)
"""Distributions and types of Blanchard et al."""

FIXED, HOSTED = 26, 20
"""Powers of two: keys of curves over the number of ranks, and the most on the host."""

BUCKETS = tuple(1 << power for power in range(10, 16))
BESIDE = tuple((1 << power) + off for power in range(6, 13) for off in (-1, 0, 1))
"""Numbers of buckets, and of ranks beside powers of two."""


def _sizes(powers: Iterable[int], largest: int) -> list[int]:
    """Return the numbers of keys that are not too many, at least one."""
    return [1 << power for power in powers if 1 << power <= largest] or [largest]


Of = tuple[str, str, int]
"""A distribution, a type and a number of keys."""


def _row(of: Of, version: Version, measure: Callable[[], Row], **more: Any) -> Row:
    """Return the row of one point: with its time, or with the reason of a refusal."""
    head = dict(zip(("distribution", "dtype", "n"), of, strict=True))
    head |= {"method": version.method, "variant": version.variant, **more}
    try:
        return {**head, **measure()}
    except REFUSALS as error:
        return {**head, "ms": None, "why": str(error)}


def _many(bench: Bench, of: Of, version: Version, ks: Any, **more: Any) -> Row:
    """Measure many ranks together."""

    def measure() -> Row:
        found = bench.time(version, bench.data(*of), ks)
        fault = {"fault": found.fault} if found.fault else {}
        return {"label": found.label, "ms": found.ms, **fault}

    return _row(of, version, measure, **more)


def _one_by_one(bench: Bench, of: Of, version: Version, count: int) -> Row:
    """Measure some ranks, each alone."""

    def measure() -> Row:
        found = bench.over_ranks(version, *of, ranks(of[2], count), 1)
        each = [float(f"{ms:.4g}") for ms in found.ms]
        faults = {"faults": dict(found.faults)} if found.faults else {}
        return {"label": found.label, "ms": mean(each), "each": each, **faults}

    return _row(of, version, measure)


def _over_keys(bench: Bench, largest: int, count: int) -> Iterator[Row]:
    """Time of one rank after the other, over n, for each distribution and type."""
    for name, dtype, powers in (*PRIMARY, *FURTHER):
        both = dtype != "uint32" and (name, dtype, powers) in PRIMARY
        for n, method in product(_sizes(powers, largest), OF_FLOATS if both else OF_ONE):
            some = min(count, FEW) if method == "sort-choose" else count
            for version in versions(method):
                yield _one_by_one(bench, (name, dtype, n), version, some)


def _of_adversaries(bench: Bench, largest: int, count: int) -> Iterator[Row]:
    """Time over n, on the adversaries."""
    names = ("sorted", "ones", "ones-and-twos", "bucket-killer")
    for name, n, method in product(names, _sizes(range(14, 28), largest), OF_ONE):
        dtype = "uint32" if name == "sorted" else "float32"
        for version in versions(method):
            yield _one_by_one(bench, (name, dtype, n), version, min(count, FEW))


def _of_rank_sets(bench: Bench, largest: int, _: int) -> Iterator[Row]:
    """Time over the number of ranks, for sets of ranks."""
    n = min(1 << FIXED, largest)
    for dtype, name, count in product(("float32", "float64"), datasets.RANK_SETS, COUNTS):
        ks = datasets.ranks(name, n, count)
        for version in versions("bucket"):
            of = ("uniform", dtype, n)
            yield _many(bench, of, version, ks, ranks=name, count=count)


def _over_counts(bench: Bench, largest: int, _: int) -> Iterator[Row]:
    """Time over the number of evenly spaced ranks."""
    n = min(1 << FIXED, largest)
    for (name, dtype), count, method in product(TOGETHER, COUNTS, OF_MANY):
        ks = datasets.ranks("uniform", n, count)
        for version in versions(method):
            yield _many(bench, (name, dtype, n), version, ks, count=count)


def _beside_powers(bench: Bench, largest: int, _: int) -> Iterator[Row]:
    """Time of numbers of ranks beside powers of two, where the search tree gets a level more."""
    n = min(1 << FIXED, largest)
    for count, version in product(BESIDE, versions("bucket")):
        ks = datasets.ranks("uniform", n, count)
        yield _many(bench, ("uniform", "float32", n), version, ks, count=count)


def _of_percentiles(bench: Bench, largest: int, _: int) -> Iterator[Row]:
    """Time of 101 ranks over n; up to a size also with NumPy on the host."""
    host = Bench(Host(), bench.repeats)
    cases = [(of, n) for of in TOGETHER for n in _sizes(range(10, 29), largest)]
    cases += [(of, 1 << 30) for of in TOGETHER[:2] if largest >= 1 << 29]
    for (name, dtype), n in cases:
        of, ks = (name, dtype, n), datasets.ranks("uniform", n, 101)
        for method in OF_MANY:
            for version in versions(method):
                yield _many(bench, of, version, ks, count=101)
        if n <= 1 << HOSTED:
            yield _many(host, of, Version(LIBRARY), ks, count=101, on="host")


def _over_buckets(bench: Bench, largest: int, _: int) -> Iterator[Row]:
    """Time of 101 ranks, and of the median, over the number of buckets."""
    n = min(1 << FIXED, largest)
    for dtype, count, buckets in product(("float32", "float64"), (101, 1), BUCKETS):
        ks = datasets.ranks("uniform", n, count) if count > 1 else n // 2
        ways = Version("bucket", as_printed=True), Version("bucket", False, (("buckets", buckets),))
        with ExitStack() as patches:
            for printed in (bucket_multi_select, bucket_select):
                patches.enter_context(patch.object(printed, "B", buckets))
            for version in ways:
                of = ("uniform", dtype, n)
                yield _many(bench, of, version, ks, count=count, buckets=buckets)


CURVES: dict[str, Callable[[Bench, int, int], Iterator[Row]]] = {
    "methods": _over_keys,
    "adversaries": _of_adversaries,
    "rank-sets": _of_rank_sets,
    "counts": _over_counts,
    "percentiles": _of_percentiles,
    "buckets": _over_buckets,
    "steps": _beside_powers,
}
"""What is measured, by name."""


@benchmark("curves", __doc__, repeats=3)
@machine_option
@repeated("--curve", type=click.Choice(list(CURVES)), help="default: every curve")
@option("--largest", type=COUNT, metavar="N", help="most keys (default: 2^29; 2^18 with NumPy)")
@option("--ranks", type=int, help="of each number of keys (default: 25; 5 with NumPy)")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every curve that is wanted, point by point."""
    largest = options.largest or LARGEST[machine.name]
    count = options.ranks or (RANKS if machine.name == "CUDA" else FEW)
    for name in options.curve or CURVES:
        for row in CURVES[name](Bench(machine, options.repeats), largest, count):
            yield {"curve": name, **row}


if __name__ == "__main__":
    main()
