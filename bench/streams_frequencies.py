"""The workloads of `bench.streams` that count: frequencies, sliding ones, heavy prefixes.

Peers are `frequent_items_sketch` of datasketches, of the smallest size whose error is no larger:
fed value by value, as it takes no array; and fed with the histogram of every 65,536 values.
"""

import argparse
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from bench.stream_ways import SORTERS, Row, Ways, account, placed, timed, updated
from shadersort import FrequencySummary, HierarchicalHeavyHitters, SlidingFrequencies
from shadersort.keys.types import Keys
from shadersort.streams.estimates import EstimatesAnswered

__all__ = ["WORKLOADS", "checked", "zipf"]

LARGEST = 1 << 24
"""The largest of the values from Zipf's distribution: up to it float32 tells all integers."""
HISTOGRAM = 1 << 16

Check = Callable[[Any], float]


def zipf(count: int, dtype: Any, exponent: float = 1.2) -> Keys:
    """Return values from Zipf's distribution, up to the largest that the type tells exactly."""
    floats = np.dtype(dtype).kind == "f"
    largest = min(LARGEST, 2 << np.finfo(dtype).nmant) if floats else LARGEST
    values = np.random.default_rng(1).zipf(exponent, count)
    return np.minimum(values, largest).astype(dtype)


def _frequencies(stream: Keys, options: argparse.Namespace) -> Iterator[Row]:
    """Count what comes in the whole stream, and in another of Zipf's distribution."""
    for name, values in _streams(stream, options):
        exact = _counted(values)
        for epsilon, sorter in _cases(options, [1e-2, 1e-3, 1e-4]):
            given = placed(values, sorter)
            ways: Ways = {
                "FrequencySummary": lambda: updated(
                    FrequencySummary(epsilon, sorter=SORTERS[sorter]()),  # noqa: B023  # run at once
                    given,  # noqa: B023
                ),
                **_peers(values, epsilon),
            }
            told = {"data": name, "epsilon": epsilon, "sorter": sorter}
            yield from _rows(told, values.size, ways, exact, options.turns)


def _sliding_frequencies(stream: Keys, options: argparse.Namespace) -> Iterator[Row]:
    """Count what comes among the last values: for windows of one length, and of all."""
    for name, values in _streams(stream, options):
        for window, (epsilon, sorter) in product(
            options.window or [10**6], _cases(options, [1e-2, 1e-3])
        ):
            exact = _counted(values[-window:])
            given = placed(values, sorter)
            for shortest in (window, 1):
                ways: Ways = {
                    "SlidingFrequencies": lambda: updated(
                        SlidingFrequencies(
                            epsilon,  # noqa: B023
                            window,  # noqa: B023
                            shortest=shortest,  # noqa: B023
                            sorter=SORTERS[sorter](),  # noqa: B023
                        ),
                        given,  # noqa: B023
                    )
                }
                told = {"data": name, "epsilon": epsilon, "sorter": sorter}
                told |= {"window": window, "shortest": shortest}
                yield from _rows(told, values.size, ways, exact, options.turns)


def _heavy(stream: Keys, options: argparse.Namespace) -> Iterator[Row]:
    """Count the prefixes of addresses, by bytes; each is checked as an item is."""
    values = zipf(stream.size, np.uint32) * np.uint32(2654435761)
    for epsilon, sorter in _cases(options, [1e-2, 1e-3, 1e-4]):
        given = placed(values, sorter)
        ways: Ways = {
            "HierarchicalHeavyHitters": lambda: updated(
                HierarchicalHeavyHitters(epsilon, sorter=SORTERS[sorter]()),  # noqa: B023
                given,  # noqa: B023
            )
        }
        told = {"data": "zipf, scattered", "epsilon": epsilon, "sorter": sorter}
        for way, seconds, last in timed(ways, options.turns):
            worst = max(
                _worst(last.summary, np.unique(values >> (32 - n), return_counts=True), (n,))
                for n in (32, 24, 16, 8)
            )
            told |= {"dtype": "uint32", "method": way}
            speed = round(values.size / seconds / 1e6, 2)
            yield {**told, "mvalues_per_s": speed, **account(last, worst)}


WORKLOADS: Mapping[str, Callable[[Keys, argparse.Namespace], Iterator[Row]]] = {
    "frequencies": _frequencies,
    "sliding-frequencies": _sliding_frequencies,
    "heavy": _heavy,
}


def _streams(stream: Keys, options: argparse.Namespace) -> Iterator[tuple[str, Keys]]:
    yield "zipf 1.2", zipf(stream.size, stream.dtype)
    yield options.data, stream


def _counted(values: Keys) -> tuple[Keys, Keys]:
    """Return the different values, and how often each comes; `np.unique` missorts many halves."""
    ordered = np.sort(values, kind="stable" if values.itemsize == 2 else None)
    starts = np.append(0, np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
    return ordered[starts], np.diff(starts, append=ordered.size)


def _cases(options: argparse.Namespace, usual: list[float]) -> Iterator[tuple[float, str]]:
    """Yield every error with every sorter."""
    yield from product(options.epsilon or usual, options.sorter or ["numpy", "numpy-1"])


def _rows(told: Row, n: int, ways: Ways, exact: tuple[Keys, Keys], turns: int) -> Iterator[Row]:
    """Measure some ways; what each gives has to be right."""
    worst = {way: checked(run(), exact, told["epsilon"]) for way, run in ways.items()}
    for way, seconds, last in timed(ways, turns):
        row = {**told, "method": way, "mvalues_per_s": round(n / seconds / 1e6, 2)}
        yield row | (account(last, worst[way]) if hasattr(last.summary, "seconds") else {})


def checked(summary: Any, exact: tuple[Keys, Keys], epsilon: float) -> float:
    """Return by how much the worst count is too small, as a share; it is as was promised."""
    items, counts = exact
    if isinstance(summary, EstimatesAnswered):
        off = _worst(summary, exact, ())
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


def _worst(summary: Any, exact: tuple[Keys, Keys], where: tuple[int, ...]) -> float:
    """Return by how much the worst count is too small, as a share, if none is off by too much."""
    items, counts = exact
    n = int(counts.sum())
    off = counts - summary.estimate(items, *where)
    if off.min() < 0 or off.max() > summary.epsilon * n:
        raise AssertionError(f"counts are off by {off.min()} to {off.max()} of {n}")
    return float(off.max() / n)


def _peers(values: Keys, epsilon: float) -> Ways:
    """Return the sketch of datasketches, fed in two ways, if it is installed."""
    if not importlib.util.find_spec("datasketches"):
        return {}
    from datasketches import frequent_items_sketch as sketch

    size = next(k for k in range(3, 27) if sketch.get_epsilon_for_lg_size(k) <= epsilon)

    def by_value() -> Any:
        made = sketch(size)
        for value in values.tolist():
            made.update(value)
        return made

    def by_histogram() -> Any:
        made = sketch(size)
        for first in range(0, values.size, HISTOGRAM):
            found = np.unique(values[first : first + HISTOGRAM], return_counts=True)
            for value, count in zip(*(each.tolist() for each in found), strict=True):
                made.update(value, count)
        return made

    return {
        f"frequent_items_sketch({size})": by_value,
        f"frequent_items_sketch({size}) of histograms": by_histogram,
    }
