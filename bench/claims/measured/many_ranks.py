"""What Blanchard et al. 2015 claim of many ranks together, in keys left and in shares of keys."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from bench.claims.measured.run import Run, selection_row
from bench.shared.record import Row
from bench.shared.versions import Version, versions
from shadersort.keys import datasets
from shadersort.keys.numpy_sort import sort_keys
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import (
    FIRST,
    SAMPLES,
    STEP,
    B,
    P,
)

DISTRIBUTIONS = ("uniform", "normal", "half-normal", "cauchy", "discrete")
RANKS, MORE_RANKS = 101, 1001

WITHIN = 0.0353
"""How far an interval's share may be from 1/16, with 95% confidence (section 2.5.3)."""


def rows(run: Run) -> Iterator[Row]:
    """Measure the keys that are left for ranks, and the shares of intervals."""
    for data, version in product(DISTRIBUTIONS, versions("bucket")):
        yield _left(run, data, "uniform", RANKS, version)
    for ranks, version in product(datasets.RANK_SETS, versions("bucket")):
        yield _left(run, "uniform", ranks, MORE_RANKS, version)
    yield _intervals(run)


def _left(run: Run, data: str, ranks: str, count: int, version: Version) -> Row:
    """Count the keys that the buckets of some ranks have, beside the expected k n/B."""
    keys = run.keys(data, "float32")
    ks = np.unique(datasets.ranks(ranks, run.n, count))
    found = version.traced(keys, ks)
    left = found.trace.candidates.tolist()
    kept = left[-1] / run.n if left else 0.0
    of: Any = {"ranks": ranks, "count": count, "left": kept, "expected": count / B}
    return selection_row("left", data, found, **of)


def _intervals(run: Run) -> Row:
    """Draw samples; count the intervals whose share of all keys is close to 1/16."""
    keys = run.keys("uniform", "float64", min(run.n, 1 << 20))
    xp, n = run.machine.xp, keys.size
    ordered, shares = xp.sort(keys), []
    for seed in range(10 * run.trials):
        sample = sort_keys(run.machine.primitives(keys).sample(SAMPLES, seed))
        pivots = xp.asarray(sample[FIRST::STEP][: P - 1])
        upto = [0, *xp.searchsorted(ordered, pivots).tolist(), n]
        shares.append(np.diff(upto) / n)
    every = np.array(shares)
    return {
        "about": "intervals",
        "data": "uniform",
        "dtype": "float64",
        "keys": n,
        "label": "intervals, as printed",
        "trials": 10 * run.trials,
        "within": float((np.abs(every - 1 / P) <= WITHIN).mean()),
        "inner": float(every[:, 1:-1].mean()),
        "outer": float(every[:, [0, -1]].mean()),
    }
