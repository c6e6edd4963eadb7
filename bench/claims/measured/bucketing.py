"""What Alabi et al. 2012 claim of buckets, digits and samples, in iterations, keys and faults."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from bench.claims.measured.run import BOTH, Run, selection_row
from bench.shared.record import Row
from bench.shared.versions import Attempt, Version, versions

TYPES = ("uint32", "float32", "float64")
BUCKETED = (
    *product(("uniform",), TYPES),
    *product(("normal", "ones", "ones-and-twos", "bucket-killer"), TYPES[1:]),
)
"""Data sets and types on which iterations are counted."""

SHARES = (0.01, 0.25, 0.5, 0.75, 0.99)
"""Ranks from the smallest key, as shares of n."""

SAMPLED, DRAWS = 1 << 18, 200
"""Keys of a trial of randomizedSelect, and how many vectors are drawn."""


def rows(run: Run) -> Iterator[Row]:
    """Measure iterations, keys left, faults near zero, and misses of samples."""
    yield from _iterations(run)
    yield from _shares(run)
    yield from _near_zero(run)
    yield from _samples(run)


def _iterations(run: Run) -> Iterator[Row]:
    """Count the iterations for the median, and the keys that the first one leaves."""
    for (data, dtype), as_printed in product(BUCKETED, BOTH):
        keys = run.keys(data, dtype)
        for method in ("bucket", "radix"):
            found = Version(method, as_printed).traced(keys, run.n // 2)
            left = found.trace.candidates.tolist()
            more: Any = {"iterations": len(left), "first": left[0] / run.n if left else 0.0}
            if method == "bucket":
                more["bound"] = _bound(run.machine.xp, keys)
            yield selection_row("iterations", data, found, **more)


def _bound(xp: Any, keys: Any) -> int:
    """Return theorem 3.1's number of iterations, of the range and the least difference."""
    ordered = xp.sort(keys).astype("float64")
    gaps = xp.diff(ordered)
    gaps = gaps[gaps > 0]
    if not gaps.size:
        return 0
    return math.ceil(abs(math.log(float(ordered[-1] - ordered[0]) / float(gaps.min()), 1024)))


def _shares(run: Run) -> Iterator[Row]:
    """Count the keys that the first assignment of half-normal keys leaves, for several ranks."""
    keys = run.keys("half-normal", "float32")
    for share, version in product(SHARES, versions("bucket")):
        found = version.traced(keys, int(share * run.n))
        first = int(found.trace.candidates[0]) / run.n
        yield selection_row("rank", "half-normal", found, share=share, first=first)


def _near_zero(run: Run) -> Iterator[Row]:
    """Count the faults of buckets on keys near machine zero."""
    n = min(run.n, 1 << 16)
    for dtype, version in product(TYPES[1:], versions("bucket")):
        faults = 0
        for seed in range(run.trials):
            found = version.traced(run.keys("near-zero", dtype, n, seed), n // 2)
            faults += bool(found.fault)
        found = found._replace(fault="")
        yield selection_row("near zero", "near-zero", found, trials=run.trials, faults=faults)


def _samples(run: Run) -> Iterator[Row]:
    """Count the samples that missed the key; and the fewest and most reads, beside buckets."""
    n = min(run.n, SAMPLED)
    for method, as_printed in product(("randomized", "bucket"), BOTH):
        misses, reads = 0, []
        for seed in range(DRAWS):
            keys = run.keys("uniform", "float32", n, seed)
            seeded = (("seed", seed),) if method == "randomized" else ()
            trace = Version(method, as_printed, seeded).traced(keys, n // 2).trace
            misses += sum(step.name == "miss" for step in trace.steps)
            reads.append(sum(s.keys_read for s in trace.steps if s.name != "proof") / n)
        spread: Any = {"least": min(reads), "mean": float(np.mean(reads)), "most": max(reads)}
        of: Any = {"trials": DRAWS, "misses": misses}
        yield selection_row("samples", "uniform", Attempt(None, trace), **of, **spread)
