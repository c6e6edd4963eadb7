"""Exact answers, by sorting everything, and what an answer within a guarantee is."""

from math import ceil

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.rank_answers import RanksAnswered

__all__ = ["GRID", "assert_ranks_within", "points_about"]


GRID = np.arange(257) / 256
"""Quantiles to ask for; times any n these are exact in double precision."""


def assert_ranks_within(
    summary: RanksAnswered, stream: Keys, error: float, *, extremes: bool = True
) -> None:
    """Every quantile of a fine grid, and every rank, is as near to the exact one as promised."""
    ordered = np.sort(stream, kind="stable")
    found = summary.quantile(GRID)
    first = np.searchsorted(ordered, found, side="left") + 1
    last = np.searchsorted(ordered, found, side="right")
    assert np.all(first <= last), "a quantile that is no value of the stream"
    wanted = np.array([max(1, ceil(q * ordered.size)) for q in GRID])
    off = np.maximum(np.maximum(first - wanted, wanted - last), 0)
    assert off.max() <= error, f"a quantile is off by {off.max()} ranks, {error} allowed"
    if extremes:
        assert (summary.minimum, summary.maximum) == (ordered[0], ordered[-1])
    points = points_about(ordered)
    for side in ("left", "right"):
        exact = np.searchsorted(ordered, points, side=side)
        low, high = summary.rank_bounds(points, side=side)
        assert np.all((low <= exact) & (exact <= high)), "a rank outside its bounds"
        worst = np.abs(summary.rank(points, side=side) - exact).max()
        assert worst <= error, f"a rank is off by {worst}, {error} allowed"
    assert summary.rank_error <= error


def points_about(ordered: Keys) -> Keys:
    """Return values of the stream, points between them and points beyond."""
    chosen = ordered[np.linspace(0, ordered.size - 1, 129).astype(int)].astype(np.float64)
    with np.errstate(all="ignore"):
        between = (chosen[1:] + chosen[:-1]) / 2
    points = np.concatenate([chosen, between[~np.isnan(between)], [-np.inf, np.inf, 0.0]])
    return np.unique(points)
