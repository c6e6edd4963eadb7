"""Times that the papers compare in words, and that no table of theirs has; on a GPU."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from bench.claims.measured.run import BELIAKOV, FLOATS, Run, selection_row
from bench.reproduce.alabi_2012 import ranks
from bench.shared.record import Row
from bench.shared.versions import Version, versions
from shadersort.keys import datasets

METHODS = ("sort-choose", "radix", "bucket", "cutting-plane", "randomized")
SMALL, LARGE = 1 << 14, 1 << 26
POWERS = range(16, 27)
"""Powers of two between which sorting and buckets may cross."""

PROBABILITIES, RANKS = (0.8, 0.9), 5
"""Of the middle bin of randomizedSelect; and how many ranks are timed."""

REPEATS = 5


def rows(run: Run) -> Iterator[Row]:
    """Measure times on a GPU; on the host nothing, because the papers measured a GPU."""
    if run.machine.name == "CUDA":
        yield from _methods(run)
        yield from _signed(run)
        yield from _bins(run)
        yield from _distributions(run)
        yield from _reductions(run)
        yield from _percentiles(run)
        yield from _cauchy(run)


def _timed(run: Run, about: str, data: str, keys: Any, version: Version, ks: Any) -> Row:
    """Time a method for one rank or many, after its answer is proved."""
    found = version.traced(keys, ks)
    ms = run.machine.ms(lambda: version.timed(keys, ks), REPEATS)
    return selection_row(about, data, found, method=version.method, ms=ms)


def _methods(run: Run) -> Iterator[Row]:
    """Time five methods on few and on many keys."""
    for dtype, data, n in product(FLOATS, ("uniform", "normal"), (SMALL, LARGE)):
        keys = run.keys(data, dtype, min(n, run.most))
        for version in versions(*METHODS):
            yield _timed(run, "methods", data, keys, version, keys.size // 2)


def _signed(run: Run) -> Iterator[Row]:
    """Time signed and unsigned integers."""
    for method, dtype in product(METHODS[:3], ("int32", "uint32")):
        keys = run.keys("uniform", dtype, min(LARGE, run.most))
        for version in versions(method):
            yield _timed(run, "signed", "uniform", keys, version, keys.size // 2)


def _bins(run: Run) -> Iterator[Row]:
    """Time randomizedSelect as printed with two probabilities of its middle bin, over ranks."""
    for dtype, p in product(FLOATS, PROBABILITIES):
        keys = run.keys("uniform", dtype, min(LARGE, run.most))
        version = Version("randomized", True, (("p_k", p),))
        some = [_timed(run, "p", "uniform", keys, version, k) for k in ranks(keys.size, RANKS)]
        yield {**some[0], "p": p, "ms": sum(row["ms"] for row in some) / len(some)}


def _distributions(run: Run) -> Iterator[Row]:
    """Time the sort and the cutting plane on the nine data sets of Beliakov 2011."""
    for dtype, data in product(FLOATS, BELIAKOV):
        keys = run.keys(data, dtype)
        for version in versions("sort-choose", "cutting-plane"):
            yield _timed(run, "distributions", data, keys, version, keys.size // 2)


def _reductions(run: Run) -> Iterator[Row]:
    """Time one reduction of objective and subgradient, as the paper has it."""
    for dtype in FLOATS:
        keys = run.keys("uniform", dtype)
        some = run.machine.primitives(keys)
        ms = run.machine.ms(lambda some=some: some.tangent(0.5), REPEATS)  # type: ignore[misc]
        head = {"about": "reduction", "data": "uniform", "dtype": dtype, "keys": run.n}
        yield {**head, "label": "reduction, as printed", "ms": ms}


def _many(run: Run, about: str, data: str, keys: Any, count: int, version: Version) -> Row:
    """Time evenly spaced ranks together."""
    ks = datasets.ranks("uniform", keys.size, count)
    return {**_timed(run, about, data, keys, version, ks), "count": count}


def _percentiles(run: Run) -> Iterator[Row]:
    """Time 101 ranks over the number of keys; and of keys with few values."""
    cases = [*product(("uniform",), (1 << power for power in POWERS)), ("discrete", LARGE)]
    for data, n in cases:
        keys = run.keys(data, "float32", min(n, run.most))
        for version in versions("sort-choose", "bucket"):
            yield _many(run, "percentiles", data, keys, 101, version)


def _cauchy(run: Run) -> Iterator[Row]:
    """Time as many ranks as α₁ divides, and a few more and fewer."""
    keys = run.keys("cauchy", "float32", min(LARGE, run.most))
    for count, version in product((250, 270), versions("bucket")):
        yield _many(run, "cutoff", "cauchy", keys, count, version)
