"""Timing: the median of a few runs, fewer of what takes long."""

import statistics
import time
from collections.abc import Callable, Sequence

__all__ = ["medians"]


def medians(calls: Sequence[Callable[[], object]], budget: float, most: int = 15) -> list[float]:
    """Return the median seconds of each call, the calls taking turns.

    Turns go on until `budget` seconds are spent, but at least one and at most `most`. What a call
    left to do on a device it must wait for itself.
    """
    seconds: list[list[float]] = [[] for _ in calls]
    started = time.perf_counter()
    for _ in range(most):
        for call, taken in zip(calls, seconds, strict=True):
            before = time.perf_counter()
            call()
            taken.append(time.perf_counter() - before)
        if time.perf_counter() - started > budget:
            break
    return [statistics.median(taken) for taken in seconds]
