"""What Govindaraju et al. 2005 claim of streams: time by operation, errors, space, answers.

And of textures between the stages of a sort: how well they compress.
"""

import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from bench.claims.measured.run import BOTH, Run
from bench.shared.machines import seconds
from bench.shared.record import Row
from bench.shared.versions import VARIANTS
from bench.streams.frequencies import counted, zipf
from bench.streams.quantiles import ranks_off
from bench.streams.timing import label_of
from shadersort.drawing.networks import network
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.streams import (
    FrequencySummary,
    HierarchicalHeavyHitters,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
)

EPSILONS = (1e-2, 1e-3, 1e-4)
WINDOW = 100_000
"""Values in a sliding window."""

SUPPORTS = (0.05, 0.01, 0.002)
GRID = np.arange(101) / 100

TEXELS, DEFLATE = 1 << 14, 6
"""Texels of a texture whose compressed size is measured, and the level of deflate."""


def _uniform(n: int) -> Keys:
    return np.random.default_rng(1).random(n).astype(np.float16)


STREAMS: Mapping[str, Callable[[int], Keys]] = {
    "uniform": _uniform,
    "zipf 1.2": lambda n: zipf(n, np.float16),
    "sorted": lambda n: np.sort(np.random.default_rng(1).random(n, np.float32)),
    "pairs": lambda n: np.repeat(np.arange(n // 2, dtype=np.float32), 2),
}
"""Streams of n values, by name: halves as in the paper, one in order, and one of pairs."""


def rows(run: Run) -> Iterator[Row]:
    """Measure shares, errors and space on the host, where NumPy sorts."""
    if run.machine.name != "NumPy":
        return
    for data, make in STREAMS.items():
        values = make(run.stream)
        for epsilon, as_printed in product(EPSILONS, BOTH):
            yield _frequencies(data, values, epsilon, as_printed)
            yield _quantiles(data, values, epsilon, as_printed)
            yield _windows(data, values, epsilon, as_printed)
        for as_printed in BOTH:
            yield _sliding_frequencies(data, values, 1e-2, as_printed)
            yield _sliding_quantiles(data, values, 1e-2, as_printed)
    yield _prefixes(run.stream)
    yield from _textures()


def _row(about: str, data: str, values: Keys, summary: Any, took: float, **more: Any) -> Row:
    """Return the row of a summary: what sorted, its space, and its shares of the time."""
    head = {"about": about, "data": data, "dtype": values.dtype.name, "keys": values.size}
    shares = {f"{name}_share": spent / took for name, spent in sorted(summary.seconds.items())}
    of = {"epsilon": summary.epsilon, "label": label_of(summary, "numpy"), "entries": len(summary)}
    return {**head, **of, **more, **shares}


def _undercounts(summary: Any, values: Keys) -> Row:
    """Return the least and largest undercount over εN, and the frequent items that are missed."""
    n, (items, counts) = values.size, counted(values)
    off = (counts - summary.estimate(items)) / (summary.epsilon * n)
    missed = 0
    for support in SUPPORTS:
        if support >= summary.epsilon:
            found = set(summary.frequent_items(support)["item"].tolist())
            missed += len(set(items[counts >= support * n].tolist()) - found)
    return {"least": float(off.min()), "worst": float(off.max()), "missed": missed}


def _frequencies(data: str, values: Keys, epsilon: float, as_printed: bool) -> Row:
    summary = FrequencySummary(epsilon, as_printed=as_printed)
    took = seconds(partial(summary.update, values))
    bound = math.log(epsilon * values.size) / epsilon
    of: Any = {"bound": bound, **_undercounts(summary, values)}
    return _row("frequencies", data, values, summary, took, **of)


def _windows(data: str, values: Keys, epsilon: float, as_printed: bool) -> Row:
    """Count the different values of the windows, which are inserted, over all values."""
    summary = FrequencySummary(epsilon, as_printed=as_printed)
    starts = range(0, values.size, summary.window)
    inserted = sum(counted(values[at : at + summary.window])[0].size for at in starts)
    head: Row = {"about": "windows", "data": data, "dtype": values.dtype.name, "keys": values.size}
    label = f"FrequencySummary, {VARIANTS[not as_printed]}"
    return {**head, "epsilon": epsilon, "label": label, "inserted": inserted / values.size}


def _textures() -> Iterator[Row]:
    """Sort textures by PBSN; compress them by deflate before the first stage and after each."""
    of = network("pbsn", TEXELS)
    for data in ("uniform", "normal"):
        keys = datasets.make(data, 4 * TEXELS, seed=1).astype(np.float16).reshape(TEXELS, 4)
        for stage in range(int(math.log2(TEXELS)) + 1):
            size = len(zlib.compress(keys.tobytes(), DEFLATE))
            head: Row = {"about": "deflate", "data": data, "dtype": "float16", "keys": keys.size}
            label = f"pbsn; deflate, level {DEFLATE}, as a stand-in"
            yield {**head, "stage": stage, "label": label, "factor": keys.nbytes / size}
            for step in of.steps[: int(math.log2(TEXELS))]:  # the steps of a stage
                low, high = step.comparators(TEXELS)
                both = keys[low], keys[high]
                keys[low], keys[high] = np.minimum(*both), np.maximum(*both)


def _ranks_off(summary: Any, last: Keys) -> float:
    """Return by how many ranks the worst quantile is off, over εN."""
    wanted = np.maximum(1, np.ceil(GRID * last.size))
    off = ranks_off(summary.quantile(GRID), np.sort(last, kind="stable"), wanted)
    return float(off.max() / (summary.epsilon * last.size))


def _quantiles(data: str, values: Keys, epsilon: float, as_printed: bool) -> Row:
    known: Any = {"expected": values.size} if as_printed else {}
    summary = QuantileSummary(epsilon, as_printed=as_printed, **known)
    took = seconds(partial(summary.update, values))
    worst = _ranks_off(summary, values)
    return _row("quantiles", data, values, summary, took, worst=worst)


def _sliding(kind: Any, values: Keys, epsilon: float, as_printed: bool) -> tuple[Any, float, Keys]:
    window = min(WINDOW, values.size)
    summary = kind(epsilon, window, shortest=window, as_printed=as_printed)
    return summary, seconds(partial(summary.update, values)), values[-window:]


def _sliding_frequencies(data: str, values: Keys, epsilon: float, as_printed: bool) -> Row:
    summary, took, last = _sliding(SlidingFrequencies, values, epsilon, as_printed)
    of: Any = {"window": last.size, **_undercounts(summary, last)}
    return _row("sliding-frequencies", data, values, summary, took, **of)


def _sliding_quantiles(data: str, values: Keys, epsilon: float, as_printed: bool) -> Row:
    summary, took, last = _sliding(SlidingQuantiles, values, epsilon, as_printed)
    of: Any = {"window": last.size, "worst": _ranks_off(summary, last)}
    return _row("sliding-quantiles", data, values, summary, took, **of)


def _prefixes(n: int) -> Row:
    """Ask for all prefixes of addresses above a support; count those that are missed."""
    values = zipf(n, np.uint32) * np.uint32(2654435761)
    summary = HierarchicalHeavyHitters(1e-3)
    took = seconds(partial(summary.update, values))
    found = summary.frequent_prefixes(0.01)
    known = set(zip(found["length"].tolist(), found["prefix"].tolist(), strict=True))
    missed = 0
    for length in (8, 16, 24, 32):
        items, counts = counted(values >> np.uint32(32 - length))
        heavy = items[counts >= 0.01 * n].tolist()
        missed += len({(length, int(each)) for each in heavy} - known)
    return _row("prefixes", "zipf, scattered", values, summary, took, missed=missed)
