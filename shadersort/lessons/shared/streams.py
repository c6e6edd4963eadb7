"""Measuring stream summaries where a lesson runs."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["speeds_here"]


def speeds_here(
    xp: Any,
    make: Callable[[float], Any],
    epsilons: Sequence[float],
    *,
    n: int = 1 << 28,
    turns: int = 3,
) -> dict[float, float]:
    """Measure how many million values a second a summary takes, for each of some errors.

    An update has ended when what is held is on the host, so there is nothing else to wait for.

    Parameters
    ----------
    xp
        NumPy or CuPy: where the values are.
    make
        Makes an empty summary of an error.
    epsilons, n
        The errors, and how many float32 values each summary is given; uniform ones.
    turns
        How often each is timed, after a first time that does not count; the best counts.

    Examples
    --------
    >>> from shadersort import QuantileSummary
    >>> list(speeds_here(np, QuantileSummary, [0.1, 0.01], n=1000))
    [0.1, 0.01]
    """
    values = xp.random.default_rng(0).random(n, dtype=np.float32)

    def seconds(epsilon: float) -> float:
        summary = make(epsilon)
        start = time.perf_counter()
        summary.update(values)
        return time.perf_counter() - start

    best = {each: min([seconds(each) for _ in range(turns + 1)][1:]) for each in epsilons}
    return {each: n / took / 1e6 for each, took in best.items()}
