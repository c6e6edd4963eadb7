"""Measuring where a lesson runs."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np


def best_seconds(
    work: Callable[[], object], *, turns: int = 3, wait: Callable[[], object] = lambda: None
) -> float:
    """Return the least time of some runs, after a first run that does not count.

    `wait` waits until the device is done.
    """

    def seconds() -> float:
        wait()
        start = time.perf_counter()
        work()
        wait()
        return time.perf_counter() - start

    return min([seconds() for _ in range(turns + 1)][1:])


def speeds_here(
    xp: Any,
    make: Callable[[float], Any],
    epsilons: Sequence[float],
    *,
    n: int = 1 << 28,
    turns: int = 3,
) -> dict[float, float]:
    """Return how many million uniform float32 values a second a summary takes, for each error.

    `xp` is NumPy or CuPy, and `make` makes an empty summary with an error. An update ends when its
    entries are on the host, so there is nothing to wait for.
    """
    values = xp.random.default_rng(0).random(n, dtype=np.float32)

    def update(epsilon: float) -> None:
        make(epsilon).update(values)

    best = {each: best_seconds(partial(update, each), turns=turns) for each in epsilons}
    return {each: n / seconds / 1e6 for each, seconds in best.items()}
