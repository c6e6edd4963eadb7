"""The papers' curves whose numbers are not in the text: times over n, over k and over many ks.

    python -m bench.curves --output bench/records/curves-….json

Measures figures 1 to 12 of Alabi et al. 2012, and figures 1 to 4 of Blanchard et al. 2015, each
method as printed and in our version: on the GPU, or with NumPy and fewer keys. Two more curves are
what the papers foresee or explain: `buckets` has other numbers of buckets, up to what shared memory
holds today, and `steps` numbers of ranks beside powers of two. Where a row has `each`, that is the
time of each rank, and `ms` their mean.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from statistics import mean
from typing import Any, NamedTuple
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

OF_MANY = ("sort-choose", "bucket")
COUNTS = (1, 11, 51, 101, 201, 255, 301, 501, 1001, 1501, 2001, 3001, 4001)
"""Numbers of ranks; one jump of the paper is at 260."""

TOGETHER = (
    *(("uniform", dtype) for dtype in ("uint32", "float32", "float64")),
    *(("normal", dtype) for dtype in ("float32", "float64")),
    *((name, "float32") for name in ("half-normal", "cauchy")),
)
PRIMARY = TOGETHER[:5]
FURTHER = tuple((name, "float32") for name in ("half-normal", "uniform-wide", "normal-wide"))
"""Distributions and types of Blanchard et al., and of Alabi et al."""

FIXED, HOSTED = 26, 20
"""Powers of two: keys of curves over the number of ranks, and the most on the host."""

BUCKETS = tuple(1 << power for power in range(10, 16))
BESIDE = tuple((1 << power) + off for power in range(6, 13) for off in (-1, 0, 1))
"""Numbers of buckets, and of ranks beside powers of two."""


class Point(NamedTuple):
    """A point of a curve: keys, a version, and what is selected."""

    of: tuple[str, str, int]  # a distribution, a type and a number of keys
    version: Version
    ranks: Any  # ranks that are selected together; or how many are, each alone
    more: Row  # further fields of its row
    alone: bool = False

    @classmethod
    def many(cls, of: tuple[str, str, int], version: Version, count: int, **more: Any) -> "Point":
        """Return the point of evenly spaced ranks."""
        ks = datasets.ranks("uniform", of[2], count)
        return cls(of, version, ks, {"count": count, **more})


Points = Iterator[Point]


def sizes(powers: Iterable[int], largest: int) -> list[int]:
    """Return the numbers of keys that are not too many, at least one."""
    return [1 << power for power in powers if 1 << power <= largest] or [largest]


def over_keys(largest: int, count: int) -> Points:
    """One rank after the other, over n, for each distribution and type."""
    for of in (*PRIMARY, *FURTHER):
        powers = range(14, 29 if of[1] == "float64" else 30) if of in PRIMARY else range(17, 28)
        methods = OF_FLOATS if of in PRIMARY and of[1] != "uint32" else OF_ONE
        for n, method in product(sizes(powers, largest), methods):
            some = min(count, FEW) if method == "sort-choose" else count
            yield from (Point((*of, n), each, some, {}, True) for each in versions(method))


def of_adversaries(largest: int, count: int) -> Points:
    """One rank after the other, over n, on the adversaries."""
    names = ("sorted", "ones", "ones-and-twos", "bucket-killer")
    for name, n, method in product(names, sizes(range(14, 28), largest), OF_ONE):
        of = (name, "uint32" if name == "sorted" else "float32", n)
        yield from (Point(of, each, min(count, FEW), {}, True) for each in versions(method))


def of_rank_sets(n: int, _: int) -> Points:
    """Many ranks, over their number, for sets of ranks."""
    for dtype, name, count in product(("float32", "float64"), datasets.RANK_SETS, COUNTS):
        ks, more = datasets.ranks(name, n, count), {"ranks": name, "count": count}
        for version in versions("bucket"):
            yield Point(("uniform", dtype, n), version, ks, more)


def over_counts(n: int, _: int) -> Points:
    """Evenly spaced ranks, over their number."""
    for (name, dtype), count, version in product(TOGETHER, COUNTS, versions(*OF_MANY)):
        yield Point.many((name, dtype, n), version, count)


def beside_powers(n: int, _: int) -> Points:
    """Numbers of ranks beside powers of two, where the search tree gets a level more."""
    for count, version in product(BESIDE, versions("bucket")):
        yield Point.many(("uniform", "float32", n), version, count)


def of_percentiles(largest: int, _: int) -> Points:
    """101 ranks over n; up to a size also with NumPy on the host."""
    cases = [(of, n) for of in TOGETHER for n in sizes(range(10, 29), largest)]
    cases += [(of, 1 << 30) for of in TOGETHER[:2] if largest >= 1 << 29]
    for (name, dtype), n in cases:
        for version in versions(*OF_MANY):
            yield Point.many((name, dtype, n), version, 101)
        if n <= 1 << HOSTED:
            yield Point.many((name, dtype, n), Version(LIBRARY), 101, on="host")


def over_buckets(n: int, _: int) -> Points:
    """101 ranks, and the median, over the number of buckets."""
    for dtype, count, buckets in product(("float32", "float64"), (101, 1), BUCKETS):
        ours = Version("bucket", options=(("buckets", buckets),))
        for version in (Version("bucket", as_printed=True), ours):
            point = Point.many(("uniform", dtype, n), version, count, buckets=buckets)
            yield point if count > 1 else point._replace(ranks=n // 2)


CURVES: dict[str, Callable[[int, int], Points]] = {
    "methods": over_keys,
    "adversaries": of_adversaries,
    "rank-sets": of_rank_sets,
    "counts": over_counts,
    "percentiles": of_percentiles,
    "buckets": over_buckets,
    "steps": beside_powers,
}
"""What is measured, by name: given the most keys, and the number of ranks."""

OF_ONE_SIZE = ("rank-sets", "counts", "buckets", "steps")


@benchmark("curves", __doc__, repeats=3)
@machine_option
@repeated("--curve", type=click.Choice(list(CURVES)), help="default: every curve")
@option("--largest", type=COUNT, metavar="N", help="most keys (default: 2^29; 2^18 with NumPy)")
@option("--ranks", type=int, help="of each number of keys (default: 25; 5 with NumPy)")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every curve that is wanted, point by point."""
    largest = options.largest or LARGEST[machine.name]
    count = options.ranks or (RANKS if machine.name == "CUDA" else FEW)
    here, host = Bench(machine, options.repeats), Bench(Host(), options.repeats)
    for name in options.curve or CURVES:
        most = min(1 << FIXED, largest) if name in OF_ONE_SIZE else largest
        for point in CURVES[name](most, count):
            head = dict(zip(("distribution", "dtype", "n"), point.of, strict=True))
            head |= {"method": point.version.method, "variant": point.version.variant}
            try:
                found = measured(host if "on" in point.more else here, point)
            except REFUSALS as error:
                found = {"ms": None, "why": str(error)}
            yield {"curve": name, **head, **point.more, **found}


def measured(bench: Bench, point: Point) -> Row:
    """Return the label and the time of a point, and its faults."""
    if point.alone:
        several = bench.over_ranks(point.version, *point.of, ranks(point.of[2], point.ranks), 1)
        each = [float(f"{ms:.4g}") for ms in several.ms]
        faults = {"faults": dict(several.faults)} if several.faults else {}
        return {"label": several.label, "ms": mean(each), "each": each, **faults}
    with (
        patch.object(bucket_multi_select, "B", point.more.get("buckets", bucket_multi_select.B)),
        patch.object(bucket_select, "B", point.more.get("buckets", bucket_select.B)),
    ):
        found = bench.time(point.version, bench.data(*point.of), point.ranks)
    fault = {"fault": found.fault} if found.fault else {}
    return {"label": found.label, "ms": found.ms, **fault}


if __name__ == "__main__":
    main()
