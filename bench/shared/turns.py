"""Calls that take turns, each timed by its least time: other work on a machine only adds time."""

import time
from collections.abc import Callable
from typing import Any

Call = Callable[[], Any]


def least(calls: tuple[Call, ...], seconds: float, turns: int = 3) -> list[float]:
    """Return the least seconds of calls that take turns, for some seconds and some turns at least.

    Examples
    --------
    >>> [found > 0 for found in least((lambda: sum(range(9)), dict), 0)]
    [True, True]
    """
    found = [float("inf")] * len(calls)
    begun, turn = time.perf_counter(), 0
    while turn < turns or time.perf_counter() - begun < seconds:
        for place, call in enumerate(calls):
            started = time.perf_counter()
            call()
            found[place] = min(found[place], time.perf_counter() - started)
        turn += 1
    return found
