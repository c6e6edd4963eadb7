"""bucketMultiSelect: many ranks by one histogram (Blanchard et al. 2015).

A sample shows where keys are dense, so that buckets have about equal numbers of keys
(`dense_buckets`). Only the keys of active buckets, those that hold a wanted rank, are copied,
together, and sorted.

A key that is frequent in the sample gets an interval of its own, whose count answers all ranks of
the key. So few distinct values, the paper's adversary, need no copy. Active buckets that still have
very many keys are copied apart from the others and divided by digits: the number of bits in a key
bounds that. Keys of 16 bits or fewer have a bucket for every value, and need no sample.
"""

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.methods.radix import radix
from shadersort.selection.primitives import Primitives
from shadersort.selection.primitives.buckets import INTERVALS, SAMPLES, dense_buckets
from shadersort.selection.selection import Selection

BUCKETS = 1 << 13
"""Buckets in all intervals; the paper has 11,264."""

MANY = 256
"""With more ranks than this there are four times as many buckets, so that fewer keys are copied."""

LARGE = 64
"""A bucket with more than 1 in this many keys is divided by digits."""


def bucket_multi_select(
    selection: Selection,
    *,
    samples: int = SAMPLES,
    intervals: int = INTERVALS,
    buckets: int | None = None,
    few: int | None = None,
    seed: int = 0,
) -> Keys:
    """Find many ranks by `buckets` with about equal numbers of keys.

    `samples` keys are drawn, with a `seed`, and have `intervals` between their order statistics.
    Buckets of up to `few` keys are sorted. None stands for the default of the device and the number
    of ranks, and of `buckets` for one for every value, if keys have 16 bits or fewer.
    """
    keys, ks, tuning = selection.keys, selection.ranks, selection.keys.tuning
    if buckets is None and keys.dtype.itemsize <= 2 and keys.supports("count_values"):
        found = keys.count_values(ks)
        selection.learn(*found)
        selection.record("values")
        return found.keys
    few = tuning.few if few is None else few
    if buckets is None:
        wanted = BUCKETS if ks.size <= MANY else 4 * BUCKETS
        buckets = tuning.counters if tuning.far else min(wanted, tuning.counters)
    if samples < 1 or intervals < 1 or buckets < 2 * intervals:
        raise BadOption(
            "samples and intervals are 1 or more, and buckets twice the intervals or more, "
            f"not {samples}, {intervals} and {buckets}"
        )
    sample = sort_keys(keys.sample(samples, seed))
    selection.record("sample")
    division = dense_buckets(sample, intervals, buckets)
    if division is None:  # the sample has at most one finite key
        return _by_digits(selection, keys, ks, ks)
    histogram = keys.bucket_histogram(division)
    ends = np.cumsum(histogram)
    active = np.searchsorted(ends, ks, side="right")  # the bucket of each rank
    before, inside = (ends - histogram)[active], histogram[active]
    interval = active // division.per_interval
    single = division.single[interval]
    large = (inside > max(few, keys.size // LARGE)) & ~single
    if tuning.far and histogram[np.unique(active[~single])].sum() > few:
        large = ~single  # together they are too many to be sorted
    answers, left = np.empty(ks.size, keys.dtype), histogram[np.unique(active[large])].sum()
    answers[single] = division.edges[interval[single]]
    selection.learn(answers[single], before[single], inside[single])

    def copy_buckets(some: Mask) -> tuple[Primitives, Integers]:
        """Copy the buckets of some ranks; return the places of these ranks in the copy."""
        chosen, which = np.unique(active[some], return_inverse=True)
        sizes = histogram[chosen]
        copy = keys.of_buckets(division, chosen.tolist(), count=int(sizes.sum()))
        return copy, (ks - before)[some] + (np.cumsum(sizes) - sizes)[which]

    small = ~single & ~large
    if small.any():
        copy, places = copy_buckets(small)
        answers[small], below, equal = copy.look_up_ranks(places)
        selection.learn(answers[small], below + ks[small] - places, equal)
        left += copy.size
    selection.record("buckets", candidates=int(left + single.sum()))
    if large.any():
        copy, places = copy_buckets(large)
        selection.record("compact")
        answers[large] = _by_digits(selection, copy, ks[large], places)
    return answers


def _by_digits(selection: Selection, keys: Primitives, ks: Integers, places: Integers) -> Keys:
    """Find ranks by their places among some keys, which hold all keys of these ranks."""
    found = selection.select_within(keys, ks, places, radix)
    selection.record("digits")
    return found
