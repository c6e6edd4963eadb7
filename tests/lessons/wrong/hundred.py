from collections.abc import Callable
from typing import Any

import numpy as np

Answers = dict[str, list[Callable[..., Any]]]


def end_counted_in(counts: Any, ks: Any) -> Any:
    """Has the first rank of a bucket in the bucket before it."""
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ks, side="left")
    return buckets, ks - (ends - counts)[buckets]


def place_not_subtracted(counts: Any, ks: Any) -> Any:
    return np.searchsorted(np.cumsum(counts), ks, side="right"), ks


def end_subtracted(counts: Any, ks: Any) -> Any:
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ks, side="right")
    return buckets, ks - ends[buckets]


def empty_buckets_left_out(counts: Any, ks: Any) -> Any:
    full = counts[counts > 0]
    ends = np.cumsum(full)
    buckets = np.searchsorted(ends, ks, side="right")
    return buckets, ks - (ends - full)[buckets]


def counts_searched(counts: Any, ks: Any) -> Any:
    return np.searchsorted(counts, ks), ks


def buckets_only(counts: Any, ks: Any) -> Any:
    return np.searchsorted(np.cumsum(counts), ks, side="right")


def widths(order_statistics: Any) -> Any:
    return np.diff(order_statistics)


def numbers_for_gaps(order_statistics: Any) -> Any:
    return 1 / len(order_statistics) / np.diff(order_statistics)


def always_a_hundredth(order_statistics: Any) -> Any:
    return 0.01 / np.diff(order_statistics)


def shares_only(order_statistics: Any) -> Any:
    gaps = len(order_statistics) - 1
    return np.full(gaps, 1 / gaps)


def turned_over(order_statistics: Any) -> Any:
    return np.diff(order_statistics) * (len(order_statistics) - 1)


WRONG: Answers = {
    "bucket_and_place": [
        end_counted_in,
        place_not_subtracted,
        end_subtracted,
        empty_buckets_left_out,
        counts_searched,
        buckets_only,
    ],
    "density": [widths, numbers_for_gaps, always_a_hundredth, shares_only, turned_over],
}
