"""bucketMultiSelect: many ranks by one histogram (Blanchard et al. 2015).

A sample shows where keys are dense. Its order statistics, the paper's pivots, divide the range into
intervals with about equal numbers of keys. Each interval is cut into the same number of buckets of
equal width. So every bucket has few keys. The active buckets are those that hold a wanted rank;
only their keys are copied.

A key that occurs several times in the sample gets an interval of its own, and the count of this
interval answers all ranks of the key. So an input of few distinct values, the paper's adversary,
needs no copy. An active bucket that still has very many keys is copied alone and divided again. All
other active buckets are copied together and sorted. (The paper gives each active bucket a segment
of its own in the copy if they are fewer than α₂, a number that it does not print.)

Keys of 16 bits or fewer need no sample: there is a bucket for every value.
"""

from dataclasses import dataclass

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.methods import radix
from shadersort.selection.primitives import Around, Buckets, Primitives
from shadersort.selection.primitives.dense_buckets import INTERVALS, SAMPLES, dense_buckets
from shadersort.selection.selection import Selection

BUCKETS = 1 << 13
"""Buckets in all intervals; the paper has 11,264."""

MANY = 256
"""With more ranks than this there are four times as many buckets, so that fewer keys are copied."""

LARGE = 64
"""A bucket with more than 1 in this many keys is divided alone."""

ROUNDS = 4
"""After this many divisions the remaining keys are sorted."""


def bucket_multi_select(
    selection: Selection,
    *,
    samples: int = SAMPLES,
    intervals: int = INTERVALS,
    buckets: int | None = None,
    few: int | None = None,
    seed: int = 0,
) -> Keys:
    """Find many ranks by buckets with about equal numbers of keys.

    Parameters
    ----------
    samples
        Keys in a sample.
    intervals
        Intervals between order statistics of the sample.
    buckets
        Buckets in all intervals together; None for the default of the device and the number of
        ranks, and for a bucket for every value, if keys have 16 bits or fewer.
    few
        After the first division, this many keys or fewer are sorted; None for the device's default.
    seed
        Seed of the samples.
    """
    if (
        buckets is None
        and selection.keys.dtype.itemsize <= 2
        and selection.keys.supports("counting")
    ):
        return _values(selection)
    tuning = selection.keys.tuning
    few = tuning.few if few is None else few
    if buckets is None:
        wanted = BUCKETS if selection.ranks.size <= MANY else 4 * BUCKETS
        buckets = tuning.counters if tuning.far else min(wanted, tuning.counters)
    if samples < 1 or intervals < 1 or buckets < 2 * intervals:
        raise BadOption(
            "samples and intervals are 1 or more, and buckets twice the intervals or more, "
            f"not {samples}, {intervals} and {buckets}"
        )
    division = _Division(selection, samples, intervals, buckets, few, seed)
    return division.find(selection.keys, selection.ranks, 0, 0)


def _values(selection: Selection) -> Keys:
    """Find the ranks by a bucket for every value: one read, however many ranks there are."""
    found = selection.keys.counting(selection.ranks)
    selection.known.learn(*found)
    selection.record("values")
    return found[0]


@dataclass(frozen=True, slots=True)
class _Division:
    """Divides keys into buckets, and buckets that are too large into buckets again."""

    selection: Selection
    samples: int
    intervals: int
    buckets: int
    few: int
    seed: int

    def find(self, keys: Primitives, ks: Integers, before: int, depth: int) -> Keys:
        """Return the keys of some ranks, given keys that have `before` other keys below them."""
        done = depth == ROUNDS or (depth and keys.size <= self.few)
        buckets = None if done else self.dense(keys)
        if buckets is None and keys.tuning.far and keys.size > self.few:
            return self.by_digits(keys, ks, ks - before)
        if buckets is None:
            return self.selection.finish(keys, ks, ks - before)
        around = keys.around(buckets, ks - before, max(self.few, keys.size // LARGE))
        copied, answers = around.copied, around.keys
        if copied.all():
            self.selection.record("buckets", candidates=around.copies)
            self.selection.known.learn(answers, before + around.below, around.equal)
            return answers
        single = ~copied & buckets.single[around.buckets // buckets.per_interval]
        large = ~copied & ~single
        self.selection.record("buckets", candidates=around.copies + int(around.inside[large].sum()))
        found = answers[copied], before + around.below[copied], around.equal[copied]
        self.selection.known.learn(*found)
        answers[single] = self.counted(buckets, around, single, before)
        if keys.tuning.far and large.any():
            answers[large] = self.together(keys, buckets, around, large, ks)
            return answers
        for bucket in np.unique(around.buckets[large]).tolist():
            here = around.buckets == bucket
            answers[here] = self.alone(keys, buckets, around, here, ks[here], before, depth)
        return answers

    def together(
        self, keys: Primitives, buckets: Buckets, around: Around, large: Mask, ks: Integers
    ) -> Keys:
        """Find the ranks in all large buckets by digits: in few rounds, however many they are.

        Only all keys are divided so, and no copy: none are before them.
        """
        active, first, which = np.unique(
            around.buckets[large], return_index=True, return_inverse=True
        )
        sizes = around.inside[large][first]
        copy = keys.of_buckets(buckets, active.tolist(), count=int(sizes.sum()))
        starts = np.cumsum(sizes) - sizes
        inside = (ks - around.before)[large] + starts[which]
        return self.by_digits(copy, ks[large], inside)

    def by_digits(self, keys: Primitives, ks: Integers, places: Integers) -> Keys:
        """Find ranks by their places in some keys, where too many would have to come together."""
        found = self.selection.within(keys, ks, places, lambda s: radix.METHOD.find_many(s, {}))
        self.selection.record("digits")
        return found

    def dense(self, keys: Primitives) -> Buckets | None:
        """Return open buckets with about equal numbers of keys, by a sample.

        Returns None if the sample does not have two finite keys.
        """
        sample = in_order(keys.sample(self.samples, self.seed))
        self.selection.record("sample")
        return dense_buckets(sample, self.intervals, self.buckets)

    def counted(self, buckets: Buckets, around: Around, single: Mask, before: int) -> Keys:
        """Return the keys that have an interval of their own."""
        found: Keys = buckets.edges[around.buckets[single] // buckets.per_interval]
        self.selection.known.learn(found, before + around.before[single], around.inside[single])
        return found

    def alone(
        self,
        keys: Primitives,
        buckets: Buckets,
        around: Around,
        here: Mask,
        ks: Integers,
        before: int,
        depth: int,
    ) -> Keys:
        """Copy a large bucket, and divide it again unless all its keys are equal."""
        first = int(np.argmax(here))
        size, passed = int(around.inside[first]), before + int(around.before[first])
        copy = keys.of_buckets(buckets, [int(around.buckets[first])], count=size)
        self.selection.record("compact")
        extent = copy.extent()
        self.selection.record("extent")
        if extent.finite == size and extent.low == extent.high:
            answers = np.full(ks.size, extent.low)
            self.selection.known.learn(answers[:1], np.array([passed]), np.array([size]))
            return answers
        return self.find(copy, ks, passed, depth + 1)
