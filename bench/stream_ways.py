"""Ways to summarise a stream, timed by turns: what the benchmarks of all summaries share."""

import statistics
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

import modern
from bench.machines import a_card
from bench.record import described
from shadersort.drawing.devices import default_device
from shadersort.keys.types import Keys
from shadersort.streams import NumPySorter, Sorter, TextureSorter

__all__ = [
    "PART",
    "SORTERS",
    "Last",
    "Row",
    "Ways",
    "account",
    "devices",
    "placed",
    "timed",
    "updated",
]

SORTERS: Mapping[str, Callable[[], Sorter]] = {
    "numpy": NumPySorter,
    "numpy-1": lambda: NumPySorter(threads=1),
    "textures": TextureSorter,
    "cuda": modern.Sorter,
    "cuda-host": modern.Sorter,
}
"""Sorters by name; `cuda` is given keys on the device, and `cuda-host` keys in pinned memory."""
PART = 1 << 20
"""Keys given to peers that have no windows at a time."""

Row = dict[str, Any]
Ways = dict[str, Callable[[], Any]]


def placed(stream: Keys, sorter: str) -> Any:
    """Return a stream where a sorter is to be given it."""
    if not sorter.startswith("cuda"):
        return stream
    a_card()  # or an error that says what is missing
    import cupy
    import cupyx

    if sorter == "cuda":
        return cupy.asarray(stream)
    pinned = cupyx.empty_pinned(stream.shape, stream.dtype)
    pinned[:] = stream
    return pinned


def devices(sorters: Collection[str]) -> Mapping[str, Any] | None:
    """Describe the devices that some sorters use; None where only NumPy sorts."""
    card = a_card().described() if any(each.startswith("cuda") for each in sorters) else {}
    drawing = described(default_device()) if "textures" in sorters else {}
    return {**card, "textures": drawing} if card and drawing else card or drawing or None


def updated(summary: Any, stream: Keys) -> Any:
    """Return a summary that has taken a stream."""
    summary.update(stream)
    return summary


class Last(NamedTuple):
    """What the last turn gave, and how many seconds it took."""

    summary: Any
    seconds: float


def timed(ways: Ways, turns: int) -> Iterator[tuple[str, float, Last]]:
    """Yield each way with the seconds of its median turn, and its last turn.

    What a turn gave is freed before the next one begins, as it is where streams are long.
    """
    took: dict[str, list[float]] = {way: [] for way in ways}
    last: dict[str, Last] = {}
    for _ in range(turns):
        for way, run in ways.items():
            last.pop(way, None)
            started = time.perf_counter()
            given = run()
            took[way].append(time.perf_counter() - started)
            last[way] = Last(given, took[way][-1])
            del given
    for way, each in took.items():
        yield way, statistics.median_low(each), last[way]


def account(last: Last, worst: float) -> Row:
    """Return what a summary holds, where its turn's time went, and how good its answers are."""
    summary = last.summary
    shares = {
        f"{operation}_share": round(spent / last.seconds, 3)
        for operation, spent in sorted(summary.seconds.items())
    }
    return {"entries": len(summary), "bytes": summary.nbytes, "worst": worst, **shares}
