"""Ways to summarise a stream, timed by turns: what the benchmarks of all summaries share."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy.typing as npt

from shadersort.streams import NumPySorter, Sorter, TextureSorter

__all__ = ["PART", "SORTERS", "Keys", "Row", "Ways", "account", "timed", "updated"]

SORTERS: Mapping[str, Callable[[], Sorter]] = {
    "numpy": NumPySorter,
    "numpy-1": lambda: NumPySorter(threads=1),
    "textures": TextureSorter,
}
PART = 1 << 20
"""Keys given to peers that have no windows at a time."""

Row = dict[str, Any]
Keys = npt.NDArray[Any]
Ways = dict[str, Callable[[], Any]]


def updated(summary: Any, stream: Keys) -> Any:
    """Return a summary that has taken a stream."""
    summary.update(stream)
    return summary


def timed(ways: Ways, turns: int) -> Iterator[tuple[str, float, Any]]:
    """Yield each way with the seconds of its median turn, and what that gave."""
    took: dict[str, list[tuple[float, Any]]] = {way: [] for way in ways}
    for _ in range(turns):
        for way, run in ways.items():
            started = time.perf_counter()
            given = run()
            took[way].append((time.perf_counter() - started, given))
    for way, each in took.items():
        seconds = statistics.median_low(seconds for seconds, _ in each)
        yield way, seconds, next(given for taken, given in each if taken == seconds)


def account(summary: Any, seconds: float, worst: float) -> Row:
    """Return what a summary holds, where its time went, and how good its answers are."""
    shares = {
        f"{operation}_share": round(spent / seconds, 3)
        for operation, spent in sorted(summary.seconds.items())
    }
    return {"entries": len(summary), "bytes": summary.nbytes, "worst": worst, **shares}
