"""What every summary does, also one that was read from forged bytes: it behaves."""

import pickle
from typing import Any

import numpy as np

from shadersort import streams
from shadersort.errors import BadOption, NotFinite, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.streams.hierarchies.prefixes import Addresses
from shadersort.streams.sliding.sliding_summary import SlidingSummary
from shadersort.streams.summary import Summary

ADDRESSES = ["10.0.0.1", "10.0.7.1", "2001:db8::1"]
SHARES = np.arange(9) / 8


def behaves(summary: Any) -> None:
    """Use a summary in every way; its answers keep the invariants of such a summary."""
    _is_itself(summary)
    if summary.n:
        _answers(summary)
    added = _more(summary)
    merged = None if _slides(summary) else summary.copy()
    try:
        if merged is not None:
            assert merged.merge(summary).n == 2 * summary.n
            assert (merged + summary).n == 3 * summary.n
            _is_itself(merged)
            if merged.n:
                _answers(merged)
        if isinstance(summary, streams.CompactQuantiles):
            return
        before = summary.n
        _feed(summary, added)
    except (TooManyKeys, NotFinite):  # both are sums that are too large
        return
    assert summary.n == before + len(added)
    _is_itself(summary)
    _answers(summary)


def _is_itself(summary: Any) -> None:
    data = summary.to_bytes()
    again = Summary.from_bytes(data)
    assert again == summary == summary.copy() == pickle.loads(pickle.dumps(summary))
    assert again.to_bytes() == data
    assert min(summary.n, summary.nans, len(summary), summary.nbytes) >= 0
    assert repr(summary)
    assert summary._repr_html_()


def _more(summary: Any) -> Any:
    """Return values that a summary takes."""
    values: Keys = np.arange(70)
    if isinstance(summary, streams.HierarchicalHeavyHitters):
        if isinstance(summary.hierarchy, Addresses):
            return np.array(ADDRESSES * 9)
        values %= min(71, 1 << summary.hierarchy.digits)
    return values.astype(summary.dtype or np.float32)


def _feed(summary: Any, values: Keys) -> None:
    later = {"times": 1e12} if "limit=" in repr(summary) else {}
    columns = [values, values] if isinstance(summary, streams.CorrelatedSum) else [values]
    summary.update(*columns, **later)


def _answers(summary: Any) -> None:
    if _slides(summary) and not summary.window_count:
        return
    if isinstance(summary, streams.HierarchicalHeavyHitters):
        _prefixes(summary)
    elif hasattr(summary, "quantile"):
        _ranks(summary, min(summary.window, summary.n) if _slides(summary) else summary.n)
        if _slides(summary):
            _ranks(summary.last(1), 1)
    else:
        _counts(summary, min(summary.window, summary.n) if _slides(summary) else summary.n)
        if _slides(summary):
            _counts(summary.last(1), 1)
    if isinstance(summary, streams.CorrelatedSum):
        _sums(summary)


def _slides(summary: Any) -> bool:
    return isinstance(summary, SlidingSummary)


def _ranks(summary: Any, most: int) -> None:
    found = summary.quantile(SHARES)
    assert np.all(found[1:] >= found[:-1])
    assert not np.isnan(found).any()
    assert summary.minimum <= summary.maximum
    low, high = summary.rank_bounds(found)
    assert np.all((low >= 0) & (low <= high) & (high <= most))
    assert summary.rank_error >= 0
    if isinstance(summary, streams.QuantileSummary | streams.CompactQuantiles):
        assert (
            summary._parameters().get("as_printed") or summary.rank_error <= summary.epsilon * most
        )
    bins = streams.Histogram(summary, 3)
    assert bins.counts.sum() == bins.n
    assert np.all((bins.lower <= bins.counts) & (bins.counts <= bins.upper))


def _counts(summary: Any, n: int) -> None:
    common = summary.most_common()
    assert sum(count for _, count in common) <= n
    assert 0 <= summary.count_error <= max(n, getattr(summary, "_shortest", 0) or n)
    items, counts = zip(*common[:50], strict=True) if common else ((), ())
    asked = list(items) if summary.dtype == str else np.array(items, summary.dtype)
    low, high = summary.bounds(asked)
    assert low.tolist() == list(counts)
    assert np.all((low >= 0) & (low <= high))
    try:
        table = summary.frequent_items(max(summary.epsilon, 0.5))
    except BadOption:
        return
    assert np.all((table["lower"] >= 0) & (table["lower"] <= table["upper"]))


def _prefixes(summary: Any) -> None:
    table = summary.heavy_prefixes(max(summary.epsilon, 0.25))
    assert np.all((table["lower"] >= 0) & (table["lower"] <= table["upper"]))
    for row in table:
        assert summary.spelt(row)
        length = row["length"] if not isinstance(summary.hierarchy, Addresses) else None
        assert summary.bounds(row["prefix"], length)[0] <= summary.n


def _sums(summary: Any) -> None:
    points = [summary.minimum, summary.aggregate("median"), summary.maximum]
    low, high = summary.sum_bounds(np.array(points, summary.dtype))
    with np.errstate(over="ignore", invalid="ignore"):
        rounding = 1e-5 * (abs(summary.total) + np.abs(low).max() + np.abs(high).max())
    assert np.all((low <= high + rounding) | np.isnan(low) | np.isnan(high))
    ends = np.array([summary.minimum, summary.maximum], np.float64)
    with np.errstate(over="ignore"):
        sums = summary.n * (ends + np.array([-1e-6, 1e-6]) * np.abs(ends).max())
    mean = summary.n * summary.aggregate("mean")
    assert sums[0] <= mean <= sums[1] or not np.isfinite(sums).all(), "a mean beyond the values"
    for aggregate in ("min", "max", "median", 0.25):
        assert not np.isnan(summary.query(aggregate)) or not np.isfinite(summary.total)
