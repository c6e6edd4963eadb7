"""bucketMultiSelect: many ranks by one histogram (Blanchard et al. 2015).

A sample tells where keys are dense. Its order statistics part the range into intervals of about
equally many keys, and each is cut into as many buckets of equal width. So a bucket has few keys
wherever it is, and only those of the buckets with a rank are copied: the active ones.

A key that the sample has several times gets an interval to itself, and its count answers for all
its ranks: few distinct values, the paper's adversary, are never copied. A bucket that has very many
keys all the same is copied on its own and divided again. All other active buckets are copied
together, and sorted. (The paper copies small ones on their own too, while they are fewer than 255
to 512.)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.primitives import Buckets, Extent, Keys, Primitives
from shadersort.primitives.codes import decode, encode
from shadersort.primitives.protocol import Ranks
from shadersort.selection.run import Run

__all__ = ["INTERVALS", "bucket_many"]

INTERVALS = 16
"""Between the order statistics of a sample."""

BUCKETS = 1 << 13
"""In all intervals; the paper has 11,264."""

MANY = 256
"""With more ranks than these there are four times as many, lest most of the keys be copied."""

FREQUENT = 256
"""A key that 1 in so many of a sample equal has an interval to itself, if three or more do."""

LARGE = 64
"""A bucket with 1 in so many keys is divided on its own."""

ROUNDS = 4
"""After so many divisions what is left is sorted."""

Mask = npt.NDArray[np.bool_]


def bucket_many(
    run: Run,
    *,
    samples: int | None = None,
    intervals: int = INTERVALS,
    buckets: int | None = None,
    few: int | None = None,
    seed: int = 0,
) -> Keys:
    """Find many ranks by buckets of about equally many keys.

    Parameters
    ----------
    run
        Keys and ranks.
    samples
        Keys in a sample; None for what suits the device.
    intervals
        Between its order statistics.
    buckets
        In all intervals together; None for what suits the device and the number of ranks.
    few
        So few keys are sorted at once; None for what suits the device.
    seed
        Of the samples.
    """
    tuning = run.keys.tuning
    samples = tuning.samples if samples is None else samples
    few = tuning.few if few is None else few
    if buckets is None:
        buckets = min(BUCKETS if len(run.ks) <= MANY else 4 * BUCKETS, tuning.counters)
    if samples < 1 or intervals < 1 or buckets < 2 * intervals:
        raise BadOption(
            "samples and intervals are 1 or more, and buckets twice the intervals or more, "
            f"not {samples}, {intervals} and {buckets}"
        )
    answers, finite = run.specials()
    ks = np.array(run.ks[finite], np.int64)
    if ks.size:
        division = _Division(run, samples, intervals, buckets, few, seed)
        answers[finite] = division.find(run.keys, run.extent, ks, 0, 0)
    return answers


@dataclass(frozen=True, slots=True)
class _Division:
    """The options of a run."""

    run: Run
    samples: int
    intervals: int
    buckets: int
    few: int
    seed: int

    def find(self, keys: Primitives, extent: Extent, ks: Ranks, before: int, depth: int) -> Keys:
        """Return the keys of some ranks; those at hand come after `before` others."""
        if extent.low == extent.high:
            return self.equal(extent, ks, before)
        if keys.size <= self.few or depth == ROUNDS:
            return self.run.ranked(keys, ks, ks - before)
        buckets = self.dense(keys, extent)
        histogram = keys.bucket_histogram(buckets)
        ends = before + extent.minus_infinite + np.cumsum(histogram)
        active, bucket = np.unique(np.searchsorted(ends, ks, side="right"), return_inverse=True)
        found = _Active(active, histogram[active], (ends - histogram)[active], bucket)
        self.run.record("buckets", candidates=int(found.sizes.sum()))
        frequent = _single(buckets)[active // buckets.per_interval]
        large = ~frequent & (found.sizes > max(self.few, keys.size // LARGE))
        answers = np.empty(ks.size, keys.dtype)
        answers[frequent[bucket]] = self.counted(buckets, found, frequent)
        few = ~frequent & ~large
        answers[few[bucket]] = self.together(keys, buckets, found, ks, few)
        for place in np.flatnonzero(large).tolist():
            here = bucket == place
            answers[here] = self.alone(keys, buckets, found, place, ks[here], depth)
        return answers

    def equal(self, extent: Extent, ks: Ranks, before: int) -> Keys:
        """Return keys that are all the same."""
        below = np.array([before + extent.minus_infinite])
        self.run.known.learn(np.array([extent.low]), below, np.array([extent.finite]))
        return np.full(ks.size, extent.low)

    def dense(self, keys: Primitives, extent: Extent) -> Buckets:
        """Return buckets between order statistics of a sample, and around its frequent keys."""
        sample = np.sort(keys.sample(self.samples, self.seed))
        self.run.record("sample")
        middle = np.concatenate([sample[_places(self.samples, self.intervals)], _frequent(sample)])
        middle = middle[(middle > extent.low) & (middle < extent.high)]
        edges = np.unique(np.concatenate([[extent.low], middle, [extent.high]]))
        return Buckets(edges.astype(keys.dtype), max(self.buckets // (edges.size - 1), 1))

    def counted(self, buckets: Buckets, found: "_Active", frequent: Mask) -> Keys:
        """Return the keys that have an interval to themselves, for each of their ranks."""
        keys = buckets.edges[found.buckets // buckets.per_interval]
        self.run.known.learn(keys[frequent], found.before[frequent], found.sizes[frequent])
        answers: Keys = keys[found.of_rank[frequent[found.of_rank]]]
        return answers

    def together(
        self, keys: Primitives, buckets: Buckets, found: "_Active", ks: Ranks, few: Mask
    ) -> Keys:
        """Copy the buckets with few keys, sort them, and return the keys of their ranks."""
        here = few[found.of_rank]
        if not here.any():
            return np.empty(0, keys.dtype)
        sizes = np.where(few, found.sizes, 0)
        copy = keys.of_buckets(buckets, found.buckets[few].tolist(), count=int(sizes.sum()))
        self.run.record("compact")
        ends, of_rank = np.cumsum(sizes), found.of_rank[here]
        places = ks[here] - found.before[of_rank] + (ends - sizes)[of_rank]
        return self.run.ranked(copy, ks[here], places)

    def alone(
        self,
        keys: Primitives,
        buckets: Buckets,
        found: "_Active",
        place: int,
        ks: Ranks,
        depth: int,
    ) -> Keys:
        """Copy a large bucket, and divide it in turn."""
        size, before = int(found.sizes[place]), int(found.before[place])
        copy = keys.of_buckets(buckets, [int(found.buckets[place])], count=size)
        self.run.record("compact")
        extent = copy.extent()
        self.run.record("extent")
        return self.find(copy, extent, ks, before, depth + 1)


class _Active(NamedTuple):
    """The buckets that have a rank: which, their sizes, the keys before them; and each rank's."""

    buckets: Ranks
    sizes: Ranks
    before: Ranks
    of_rank: Ranks


def _places(samples: int, intervals: int) -> list[int]:
    """Return which of the sorted samples part the intervals.

    The paper's are 22 + 70 j of 1,024 for 16 intervals; these are as far apart, and as near to the
    ends, for any numbers.
    """
    step = 70 / 1024 * samples * 16 / intervals
    first = (samples - 1 - step * (intervals - 2)) / 2
    return [int(min(max(first + step * j + 0.5, 0), samples - 1)) for j in range(intervals - 1)]


def _frequent(sample: Keys) -> Keys:
    """Return the keys that come often in a sorted sample, and after each the next one there is."""
    keys, counts = np.unique(sample[np.isfinite(sample)], return_counts=True)
    often = encode(keys[counts >= max(sample.size // FREQUENT, 3)])
    following = decode(often + often.dtype.type(1), sample.dtype)
    return np.concatenate([decode(often, sample.dtype), following])


def _single(buckets: Buckets) -> Mask:
    """Return which intervals have room for no key but their first; the last one is closed."""
    single: Mask = np.diff(encode(buckets.edges)) == 1
    single[-1] = False
    return single
