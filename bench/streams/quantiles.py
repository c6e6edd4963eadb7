"""The workloads of `bench.streams` that answer quantiles: of the whole stream, and sliding.

The peer is a bare sort of the same windows.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import ceil
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bench.shared.options import Options
from bench.shared.record import Row
from bench.streams.timing import Way, cases, placed, rows, sliding, summarised, variant
from shadersort import QuantileSummary, SlidingQuantiles
from shadersort.keys.types import Keys

GRID = np.arange(1001) / 1000
STEP = 64
"""A bare sort has windows of this many values for each 1/ε; as printed, of one."""


def _quantiles(stream: Keys, options: Options) -> Iterator[Row]:
    """Summarise the whole stream; the peer is measured once for each error."""
    ordered = np.sort(stream, kind="stable")
    peers_beside = (options.sorter or ["numpy"])[0]
    for epsilon, sorter in cases(options, [1e-2, 1e-3, 1e-4]):
        of: Any = variant(options)
        of |= {"expected": stream.size} if of else {}  # as printed the length is known
        given = placed(stream, sorter)
        run = partial(summarised, given, QuantileSummary, epsilon, sorter=sorter, **of)
        ways = {"QuantileSummary": Way(run, partial(checked, ordered=ordered))}
        if sorter == peers_beside:
            window = ceil(1 / epsilon) * (1 if of else STEP)
            ways["np.sort of the windows"] = _bare_sort(stream, window)
        told = {"epsilon": epsilon, "sorter": sorter}
        yield from rows(told, stream.size, ways, options.turns)


def _sliding_quantiles(stream: Keys, options: Options) -> Iterator[Row]:
    def check_of(last: Keys, epsilon: float) -> Callable[[Any], float]:
        return partial(checked, ordered=np.sort(last, kind="stable"))

    return sliding(SlidingQuantiles, options.data, stream, check_of, options)


WORKLOADS: dict[str, Callable[[Keys, Options], Iterator[Row]]] = {
    "quantiles": _quantiles,
    "sliding-quantiles": _sliding_quantiles,
}


def checked(summary: Any, ordered: Keys) -> float:
    """Return the worst error of a quantile, as a share of all values.

    Raises AssertionError if it is larger than the summary's guarantee.
    """
    n, epsilon = ordered.size, float(summary.epsilon)
    wanted = np.maximum(1, np.ceil(GRID * n))
    worst = float(ranks_off(summary.quantile(GRID), ordered, wanted).max())
    if worst > epsilon * n + 1:  # one for the rounding of a rank
        raise AssertionError(f"a quantile is off by {worst} ranks of {n}: ε is {epsilon}")
    return worst / n


def ranks_off(found: Keys, ordered: Keys, wanted: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return by how many ranks values miss those that were wanted, which count from 1."""
    first = np.searchsorted(ordered, found, side="left") + 1
    last = np.searchsorted(ordered, found, side="right")
    off: npt.NDArray[Any] = np.maximum(0, np.maximum(first - wanted, wanted - last))
    return off


def _bare_sort(stream: Keys, window: int) -> Way:
    """Sort the windows in one thread."""
    window = min(window, stream.size)
    whole = stream[: stream.size // window * window].reshape(-1, window)
    kind: Literal["stable"] | None = "stable" if stream.itemsize == 2 else None
    return Way(lambda: np.sort(whole, axis=1, kind=kind))
