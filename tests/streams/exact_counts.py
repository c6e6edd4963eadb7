"""Exact counts of a stream, and what an answer within a guarantee is."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.estimates import EstimatesAnswered

__all__ = ["assert_counts_within"]


def assert_counts_within(summary: EstimatesAnswered, stream: Keys, more: float = 0) -> None:
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
