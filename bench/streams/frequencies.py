"""The workloads of `bench.streams` that count: frequencies, sliding ones, heavy prefixes.

Peers are two ways to feed the `frequent_items_sketch` of datasketches, of the smallest size whose
error is no larger: value by value, as it takes no array; and with a histogram of every 65,536
values.
"""

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.shared.options import Options
from bench.shared.record import Row
from bench.streams.timing import Way, cases, placed, rows, sliding, summarised, variant
from shadersort import FrequencySummary, HierarchicalHeavyHitters, SlidingFrequencies
from shadersort.keys.types import Keys

LARGEST = 1 << 24
"""The largest value from Zipf's distribution: float32 has every integer up to it."""
HISTOGRAM = 1 << 16

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
            peers = {way: Way(peer, check) for way, peer in _peers(values, epsilon).items()}
            told = {"data": name, "epsilon": epsilon, "sorter": sorter}
            ways = {"FrequencySummary": Way(run, check), **peers}
            yield from rows(told, values.size, ways, options.turns)


def _sliding_frequencies(stream: Keys, options: Options) -> Iterator[Row]:
    def check_of(last: Keys, epsilon: float) -> Callable[[Any], float]:
        return partial(checked, exact=counted(last), epsilon=epsilon)

    for name, values in _streams(stream, options):
        yield from sliding(SlidingFrequencies, name, values, check_of, options)


def _heavy(stream: Keys, options: Options) -> Iterator[Row]:
    """Count the prefixes of addresses by bytes; each prefix is checked as an item is."""
    values = zipf(stream.size, np.uint32) * np.uint32(2654435761)
    exact = {n: np.unique(values >> (32 - n), return_counts=True) for n in (32, 24, 16, 8)}

    def check(summary: Any) -> float:
        return max(worst(summary, counts, n) for n, counts in exact.items())

    for epsilon, sorter in cases(options, [1e-2, 1e-3, 1e-4]):
        given = placed(values, sorter)
        run = partial(summarised, given, HierarchicalHeavyHitters, epsilon, sorter=sorter)
        told = {"data": "zipf, scattered", "epsilon": epsilon, "sorter": sorter, "dtype": "uint32"}
        ways = {"HierarchicalHeavyHitters": Way(run, check)}
        yield from rows(told, values.size, ways, options.turns)


WORKLOADS: dict[str, Callable[[Keys, Options], Iterator[Row]]] = {
    "frequencies": _frequencies,
    "sliding-frequencies": _sliding_frequencies,
    "heavy": _heavy,
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
    """Return the worst error of a count, as a share of all values.

    Raises AssertionError if the summary, or the peer, breaks its guarantee.
    """
    items, counts = exact
    if hasattr(summary, "frequent_items"):  # ours
        off = worst(summary, exact)
        found = summary.frequent_items(min(1.0, 10 * epsilon))["item"]
        missing = set(items[counts > 10 * epsilon * counts.sum()].tolist()) - set(found.tolist())
        if missing:
            raise AssertionError(f"{len(missing)} frequent items are missing")
        return off
    most = items[np.argsort(counts)[-1000:]].tolist()
    for item, count in zip(most, np.sort(counts)[-1000:].tolist(), strict=True):
        if not summary.get_lower_bound(item) <= count <= summary.get_upper_bound(item):
            raise AssertionError(f"the bounds of {item} are wrong in the peer")
    return float(summary.epsilon)


def worst(summary: Any, exact: Exact, *length: int) -> float:
    """Return by how much the worst count is too small, as a share; `length` is of a prefix.

    Raises AssertionError if a count is off by more than the guarantee.
    """
    items, counts = exact
    n = int(counts.sum())
    off = counts - summary.estimate(items, *length)
    if off.min() < 0 or off.max() > summary.epsilon * n:
        raise AssertionError(f"counts are off by {off.min()} to {off.max()} of {n}")
    return float(off.max() / n)


def _peers(values: Keys, epsilon: float) -> dict[str, Callable[[], Any]]:
    """Return the two ways to feed the sketch of datasketches, if it is installed."""
    if not importlib.util.find_spec("datasketches"):
        return {}
    from datasketches import frequent_items_sketch as sketch

    size = size_of(sketch, epsilon)

    def fed(by: Callable[[Any, Keys], None]) -> Any:
        made = sketch(size)
        by(made, values)
        return made

    name = f"frequent_items_sketch({size})"
    return {name: partial(fed, by_value), f"{name} of histograms": partial(fed, by_histogram)}


def size_of(sketch: Any, epsilon: float) -> int:
    """Return the smallest size of the sketch of datasketches whose error is no larger."""
    return next(k for k in range(3, 27) if sketch.get_epsilon_for_lg_size(k) <= epsilon)


def by_value(sketch: Any, values: Keys) -> None:
    """Give values to the sketch of datasketches one by one."""
    for value in values.tolist():
        sketch.update(value)


def by_histogram(sketch: Any, values: Keys) -> None:
    """Give values to the sketch of datasketches as histograms, which it takes as weights."""
    for first in range(0, values.size, HISTOGRAM):
        found = np.unique(values[first : first + HISTOGRAM], return_counts=True)
        for value, count in zip(*(each.tolist() for each in found), strict=True):
            sketch.update(value, count)
