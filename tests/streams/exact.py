"""Exact answers from all values, and what an answer within a guarantee is."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys

GRID = np.arange(257) / 256
"""Quantiles to ask for; times any n these are exact in double precision."""


def assert_ranks_within(summary: Any, stream: Keys, error: float, *, extremes: bool = True) -> None:
    """Every quantile of a fine grid, and every rank, is as near to the exact one as promised."""
    ordered = np.sort(stream, kind="stable")
    found = summary.quantile(GRID)
    first = np.searchsorted(ordered, found, side="left") + 1
    last = np.searchsorted(ordered, found, side="right")
    assert np.all(first <= last), "a quantile that is no value of the stream"
    wanted = np.maximum(1, np.ceil(GRID * ordered.size))
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


def assert_counts_within(summary: Any, stream: Keys, more: float = 0) -> None:
    """No count is too large, or too small by more than promised; and no frequent item is missed.

    `more` is what a count may be too small besides εn.
    """
    n, error = stream.size, summary.epsilon * stream.size + more
    items, exact = np.unique(stream, return_counts=True)
    found = summary.estimate(items)
    assert np.all(found <= exact), "a count that is too large"
    assert np.max(exact - found) <= summary.count_error <= error, "a count that is too small"
    lower, upper = summary.bounds(items)
    assert np.all((lower == found) & (exact <= upper) & (upper - lower <= summary.count_error))
    least = max(summary.epsilon, error / n)
    for support in (least, 1.01 * least, 2 * least, (1 + least) / 2, 1.0):
        if support <= 1:
            table = summary.frequent_items(support)
            _assert_frequent(table, items, exact, support * n, error)


def _assert_frequent(table: Keys, items: Keys, exact: Keys, often: float, error: float) -> None:
    """All that come more often are there, none that comes too rarely, and in the right order."""
    assert set(items[exact > often].tolist()) <= set(table["item"].tolist())
    assert np.unique(table["item"]).size == table.size
    counts = exact[np.searchsorted(items, table["item"])]
    assert np.all(items[np.searchsorted(items, table["item"])] == table["item"])
    assert np.all(counts >= often - error - 1e-6)
    assert np.all((table["lower"] <= counts) & (counts <= table["upper"]))
    assert np.all(table["estimate"] == table["lower"])
    assert np.all(np.diff(table["estimate"]) <= 0)


def assert_last_within(summary: Any, n: int, stream: Keys) -> None:
    """The answers of a sliding summary about the last n values are as good as promised."""
    last, values = summary.last(n), stream[-n:]
    least = max(values.size, summary._shortest)
    assert last.n == values.size
    if hasattr(last, "quantile"):
        assert_ranks_within(last, values, summary.epsilon * least, extremes=False)
    else:
        assert_counts_within(last, values, more=summary.epsilon * (least - values.size))
