"""Buckets with about equal numbers of keys, by a sample: those of bucketMultiSelect.

Order statistics of the sample divide the range into intervals, and each interval is cut into
buckets of equal width (Blanchard et al. 2015). A key that is frequent in the sample gets an
interval of its own.
"""

from functools import cache
from typing import Any

import numpy as np

from shadersort.keys.codes import code, decode, encode
from shadersort.keys.types import Keys
from shadersort.selection.primitives.buckets import Buckets

INTERVALS = 16
"""Intervals between the order statistics of a sample."""

SAMPLES = 1 << 10
"""Keys in a sample, as in the paper."""

EVEN = 4
"""Intervals count as even if the narrowest is at least the mean width divided by this."""

FREQUENT = 256
"""A key gets an interval of its own if it is 1 in this many of a sample, and at least 3."""


def dense_buckets(sample: Keys, intervals: int, buckets: int) -> Buckets | None:
    """Return open buckets with about equal numbers of keys, given a sorted sample.

    Returns None if the sample does not have two finite keys.

    Examples
    --------
    >>> dense_buckets(np.arange(1024.0), 16, 100).count
    100
    >>> dense_buckets(np.full(1024, 7), 16, 100).edges
    array([6, 7, 8])
    """
    sample = sample[np.isfinite(sample)]
    if sample.size < 2:
        return None
    middle = sample[_places(sample.size, intervals)]
    codes, counts = np.unique(encode(sample), return_counts=True)
    often = codes[counts >= max(sample.size // FREQUENT, 3)]
    if not often.size and _is_even(middle):
        return Buckets(_outer_edges(sample), buckets, open=True)
    most = np.iinfo(often.dtype).max  # the first and the last interval lie beyond the sample
    ends = max(code(sample[0]) - 1, 0), min(code(sample[-1]) + 1, most)
    following = often + often.dtype.type(1)
    codes = np.concatenate([encode(middle), often, following, np.array(ends, often.dtype)])
    edges = decode(np.unique(codes), sample.dtype)
    edges = edges[np.isfinite(edges)]
    if edges.size < 2:
        return None
    return Buckets(edges, max(buckets // (edges.size - 1), 1), open=True)


@cache
def _places(samples: int, intervals: int) -> list[int]:
    """Return the places of the pivots in a sorted sample; the paper has 22 + 70 j of 1,024."""
    step = 70 / 1024 * samples * 16 / intervals
    first = (samples - 1 - step * (intervals - 2)) / 2
    return [int(min(max(first + step * j + 0.5, 0), samples - 1)) for j in range(intervals - 1)]


def _is_even(edges: Keys) -> bool:
    """Whether no interval is much narrower than the others: then a single one is as good."""
    widths = np.diff(edges.astype(np.float64) / 2)  # so that none is beyond the largest float
    return bool(widths.size > 2 and widths.sum() > 0 and EVEN * widths.min() >= widths.mean())


def _outer_edges(sample: Keys) -> Keys:
    """Return two keys beyond which few keys are likely: by as much as 1/128 of the sample spans."""
    dtype, tail = sample.dtype, sample.size // 128
    limits: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    kind: Any = float if dtype.kind == "f" else int
    low = max(2 * kind(sample[0]) - kind(sample[tail]), kind(limits.min))
    high = min(2 * kind(sample[-1]) - kind(sample[-1 - tail]), kind(limits.max))
    ends = np.array([low, high], dtype)
    ends[0], ends[1] = min(ends[0], sample[0]), max(ends[1], sample[-1])
    return ends
