from typing import Any

import numpy as np

from tests.lessons.wrong import Answers


def end_counted_in(counts: Any, ks: Any) -> Any:
    """Has the first rank of a bucket in the bucket before it."""
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ks, side="left")
    return buckets, ks - (ends - counts)[buckets]


def end_subtracted(counts: Any, ks: Any) -> Any:
    ends = np.cumsum(counts)
    buckets = np.searchsorted(ends, ks, side="right")
    return buckets, ks - ends[buckets]


def empty_buckets_left_out(counts: Any, ks: Any) -> Any:
    full = counts[counts > 0]
    ends = np.cumsum(full)
    buckets = np.searchsorted(ends, ks, side="right")
    return buckets, ks - (ends - full)[buckets]


def shares_only(order_statistics: Any) -> Any:
    gaps = len(order_statistics) - 1
    return np.full(gaps, 1 / gaps)


WRONG: Answers = {
    "bucket_and_place": [
        *(end_counted_in, end_subtracted, empty_buckets_left_out),
        # place not subtracted
        lambda counts, ks: (np.searchsorted(np.cumsum(counts), ks, side="right"), ks),
        lambda counts, ks: (np.searchsorted(counts, ks), ks),  # counts searched
        lambda counts, ks: np.searchsorted(np.cumsum(counts), ks, side="right"),  # buckets only
    ],
    "density": [
        shares_only,
        lambda order_statistics: np.diff(order_statistics),  # widths
        # numbers for gaps
        lambda order_statistics: 1 / len(order_statistics) / np.diff(order_statistics),
        lambda order_statistics: 0.01 / np.diff(order_statistics),  # always a hundredth
        # turned over
        lambda order_statistics: np.diff(order_statistics) * (len(order_statistics) - 1),
    ],
}
