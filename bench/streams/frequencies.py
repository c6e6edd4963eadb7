"""The workloads of `bench.streams` that count: frequencies, of the whole stream, and sliding."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.shared.options import Options
from bench.shared.record import Row
from bench.streams.timing import Way, cases, placed, rows, sliding, summarised, variant
from shadersort import FrequencySummary, SlidingFrequencies
from shadersort.keys.types import Keys

LARGEST = 1 << 24
"""The largest value from Zipf's distribution: float32 has every integer up to it."""

Exact = tuple[Keys, Keys]
"""The different values of a stream, and how often each occurs."""


def zipf(count: int, dtype: Any, exponent: float = 1.2) -> Keys:
    """Return values from Zipf's distribution, up to the largest exact integer of the type."""
    floats = np.dtype(dtype).kind == "f"
    largest = min(LARGEST, 2 << np.finfo(dtype).nmant) if floats else LARGEST
    values = np.random.default_rng(1).zipf(exponent, count)
    return np.minimum(values, largest).astype(dtype)


def _frequencies(stream: Keys, options: Options) -> Iterator[Row]:
    """Count the values of the whole stream, and of a stream from Zipf's distribution."""
    for name, values in _streams(stream, options):
        exact = counted(values)
        for epsilon, sorter in cases(options, [1e-2, 1e-3, 1e-4]):
            check = partial(checked, exact=exact, epsilon=epsilon)
            given = placed(values, sorter)
            of: Any = {"sorter": sorter, **variant(options)}
            run = partial(summarised, given, FrequencySummary, epsilon, **of)
            told = {"data": name, "epsilon": epsilon, "sorter": sorter}
            yield from rows(told, values.size, {"FrequencySummary": Way(run, check)}, options.turns)


def _sliding_frequencies(stream: Keys, options: Options) -> Iterator[Row]:
    def check_of(last: Keys, epsilon: float) -> Callable[[Any], float]:
        return partial(checked, exact=counted(last), epsilon=epsilon)

    for name, values in _streams(stream, options):
        yield from sliding(SlidingFrequencies, name, values, check_of, options)


WORKLOADS: dict[str, Callable[[Keys, Options], Iterator[Row]]] = {
    "frequencies": _frequencies,
    "sliding-frequencies": _sliding_frequencies,
}


def _streams(stream: Keys, options: Options) -> Iterator[tuple[str, Keys]]:
    yield "zipf 1.2", zipf(stream.size, stream.dtype)
    yield options.data, stream


def counted(values: Keys) -> Exact:
    """Count each different value; `np.unique` sorts large arrays of halves wrongly."""
    ordered = np.sort(values, kind="stable" if values.itemsize == 2 else None)
    starts = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
    return ordered[starts], np.diff(starts, append=ordered.size)


def checked(summary: Any, exact: Exact, epsilon: float) -> float:
    """Return by how much the worst count is too small, as a share of all values.

    Raises AssertionError if the summary breaks its guarantee.
    """
    items, counts = exact
    n = int(counts.sum())
    off = counts - summary.estimate(items)
    if off.min() < 0 or off.max() > summary.epsilon * n:
        raise AssertionError(f"counts are off by {off.min()} to {off.max()} of {n}")
    found = summary.frequent_items(min(1.0, 10 * epsilon))["item"]
    missing = set(items[counts > 10 * epsilon * n].tolist()) - set(found.tolist())
    if missing:
        raise AssertionError(f"{len(missing)} frequent items are missing")
    return float(off.max() / n)
