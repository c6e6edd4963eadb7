"""Workloads of `bench.streams` that are ours: ranks sharp in a tail, and exact rolling quantiles.

The peer of `TailSummary` is the REQ sketch of datasketches with k = 50: its errors are relative,
too, but hold with a probability. The peer of `RollingQuantiles` is `rolling().quantile()` of
pandas. Both answer after every value; pandas gets only the first values of a long stream.
"""

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from bench.shared.options import Options
from bench.shared.record import Row
from bench.streams.quantiles import ranks_off
from bench.streams.timing import Way, cases, placed, rows, summarised
from shadersort import TailSummary, rolling_quantiles
from shadersort.keys.types import Keys

NEAR = 1 - np.logspace(0, -6, 1001)
"""Quantiles that come closer and closer to the largest value."""
PART = 1 << 20
"""Keys that REQ gets at a time."""
SLOW = 1 << 18
"""Values beyond the first window that pandas gets."""


def _tails(stream: Keys, options: Options) -> Iterator[Row]:
    """Summarise the whole stream; the peer is measured once."""
    ordered = np.sort(stream, kind="stable")
    beside = (options.sorter or ["numpy"])[0]
    for number, (epsilon, sorter) in enumerate(cases(options, [1e-2, 1e-3])):
        run = partial(summarised, placed(stream, sorter), TailSummary, epsilon, sorter=sorter)
        ways = {"TailSummary": Way(run, partial(checked, ordered=ordered))}
        if sorter == beside and not number and importlib.util.find_spec("datasketches"):
            ways["REQ, k=50"] = Way(partial(_req, stream), partial(_check_req, ordered=ordered))
        told = {"epsilon": epsilon, "sorter": sorter}
        yield from rows(told, stream.size, ways, options.turns)


def checked(summary: Any, ordered: Keys) -> float:
    """Return the worst error of a quantile, as a share of the values above it.

    Raises AssertionError if it is larger than the summary's guarantee.
    """
    worst = _worst(summary.quantile(NEAR), ordered)
    if worst > summary.epsilon:
        raise AssertionError(f"a quantile is off by {worst} of the values above")
    return worst


def _worst(found: Keys, ordered: Keys) -> float:
    n = ordered.size
    wanted = np.maximum(1, np.ceil(NEAR * n))
    return float(np.max(ranks_off(found, ordered, wanted) / np.maximum(n - wanted, 1)))


def _req(stream: Keys) -> Any:
    import datasketches

    sketch = datasketches.req_floats_sketch(50, True)
    for first in range(0, stream.size, PART):
        sketch.update(stream[first : first + PART].astype(np.float32, copy=False))
    return sketch


def _check_req(sketch: Any, ordered: Keys) -> float:
    """Check that the peer works: its error is about 1 % of the values above, and seldom three."""
    worst = _worst(np.array(sketch.get_quantiles(NEAR)), ordered)
    if worst > 0.3:
        raise AssertionError(f"REQ is off by {worst} of the values above")
    return worst


def _rolling(stream: Keys, options: Options) -> Iterator[Row]:
    """Compute a quantile after every value, exactly."""
    for window in options.window or [10**6]:
        if window >= stream.size:
            continue
        part = stream[: window + SLOW]
        for q in (0.5, 0.99):
            exact = rolling_quantiles(part, window, q, method="lower")
            run = partial(rolling_quantiles, stream, window, q, method="lower")
            check = partial(_check_rolling, exact=exact, stream=stream, window=window, q=q)
            told = {"window": window, "q": q, "sorter": "numpy"}
            yield from rows(
                told, stream.size, {"rolling_quantiles": Way(run, check)}, options.turns
            )
            yield from _pandas(part, told, exact, options)


def _check_rolling(found: Keys, exact: Keys, stream: Keys, window: int, q: float) -> float:
    """Compare some answers with those of NumPy."""
    for at in np.linspace(0, found.size - 1, 5).astype(int):
        if found[at] != np.quantile(stream[at : at + window], q, method="lower"):
            raise AssertionError(f"the quantile of window {at} is not {found[at]}")
    if not np.array_equal(found[: exact.size], exact):
        raise AssertionError("the quantiles of a part are others")
    return 0.0


def _pandas(part: Keys, told: Row, exact: Keys, options: Options) -> Iterator[Row]:
    if not importlib.util.find_spec("pandas"):
        return
    import pandas

    window, q = told["window"], told["q"]

    def run() -> Any:
        series = pandas.Series(part)
        return series.rolling(window).quantile(q, interpolation="lower").to_numpy()[window - 1 :]

    def check(found: Keys) -> float:
        if not np.array_equal(found, exact):
            raise AssertionError("pandas and rolling_quantiles differ")
        return 0.0

    yield from rows(told, part.size, {"pandas": Way(run, check)}, options.turns)


WORKLOADS: dict[str, Callable[[Keys, Options], Iterator[Row]]] = {
    "tails": _tails,
    "rolling": _rolling,
}
