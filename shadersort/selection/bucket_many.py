"""bucketMultiSelect: many ranks by one histogram (Blanchard et al. 2015).

A sample tells where keys are dense. Its order statistics part the range into intervals of about
equally many keys, and each is cut into as many buckets of equal width. So a bucket has few keys
wherever it is, and only those of the buckets with a rank are copied: the active ones.

There are two ways to copy. With few active buckets each is copied on its own. One whose keys are
all equal is answered by its extent: few distinct values, the paper's adversary, are never sorted. A
large one is divided again. With many active buckets all are copied together, and sorted.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.primitives import Buckets, Extent, Keys, Primitives
from shadersort.selection.run import Run

__all__ = ["BUCKETS", "FEW", "INTERVALS", "SAMPLES", "SEGMENTS", "bucket_many"]

SAMPLES = 1024
"""Keys in a sample."""

INTERVALS = 16
"""Between the order statistics of a sample."""

BUCKETS = 11264
"""In all intervals: the paper's number."""

SEGMENTS = 255
"""So many active buckets are copied each on its own: the paper's lower cutoff."""

FEW = 1 << 12
"""So few keys are sorted at once."""

ROUNDS = 4
"""After so many divisions what is left is sorted."""

Ranks = npt.NDArray[np.int64]


def bucket_many(
    run: Run,
    *,
    samples: int = SAMPLES,
    intervals: int = INTERVALS,
    buckets: int = BUCKETS,
    segments: int = SEGMENTS,
    few: int = FEW,
    seed: int = 0,
) -> Keys:
    """Find many ranks by buckets of about equally many keys.

    Parameters
    ----------
    run
        Keys and ranks.
    samples
        Keys in a sample.
    intervals
        Between its order statistics.
    buckets
        In all intervals together.
    segments
        With more active buckets than these, all are copied together.
    few
        So few keys are sorted.
    seed
        Of the samples.
    """
    if samples < 1 or intervals < 1 or buckets < 2 * intervals:
        raise BadOption(
            "samples and intervals are 1 or more, and buckets twice the intervals or more, "
            f"not {samples}, {intervals} and {buckets}"
        )
    answers, finite = run.specials()
    ks = np.array(run.ks[finite], np.int64) - run.extent.minus_infinite
    if ks.size:
        division = _Division(run, samples, intervals, buckets, segments, few, seed)
        answers[finite] = division.find(run.keys, run.extent, ks, 0)
    return answers


@dataclass(frozen=True, slots=True)
class _Division:
    """The options of a run."""

    run: Run
    samples: int
    intervals: int
    buckets: int
    segments: int
    few: int
    seed: int

    def find(self, keys: Primitives, extent: Extent, ks: Ranks, depth: int) -> Keys:
        """Return the keys of some ranks among the finite keys."""
        if extent.low == extent.high:
            return np.full(ks.size, extent.low)
        if keys.size <= self.few or depth == ROUNDS:
            return self.run.from_sorted(keys, (ks + extent.minus_infinite).tolist())
        buckets = self.dense(keys, extent)
        histogram = keys.bucket_histogram(buckets)
        ends = np.cumsum(histogram)
        active, bucket = np.unique(np.searchsorted(ends, ks, side="right"), return_inverse=True)
        sizes = histogram[active]
        self.run.record("buckets", candidates=int(sizes.sum()))
        inside = ks - (ends[active] - sizes)[bucket]
        if active.size > self.segments:
            starts = np.cumsum(sizes) - sizes
            return self.together(keys, buckets, active.tolist(), inside + starts[bucket])
        parts = np.split(inside, np.flatnonzero(np.diff(bucket)) + 1)
        return self.apart(keys, buckets, active.tolist(), parts, depth)

    def dense(self, keys: Primitives, extent: Extent) -> Buckets:
        """Return buckets between order statistics of a sample."""
        sample = np.sort(keys.sample(self.samples, self.seed))
        self.run.record("sample")
        middle = sample[_places(self.samples, self.intervals)]
        middle = middle[(middle > extent.low) & (middle < extent.high)]
        edges = np.unique(np.concatenate([[extent.low], middle, [extent.high]]))
        return Buckets(edges.astype(keys.dtype), self.buckets // (edges.size - 1))

    def together(
        self, keys: Primitives, buckets: Buckets, active: list[int], places: Ranks
    ) -> Keys:
        """Copy all active buckets, and sort them."""
        copy = keys.of_buckets(buckets, active)
        self.run.record("compact")
        return self.run.from_sorted(copy, places.tolist())

    def apart(
        self, keys: Primitives, buckets: Buckets, active: list[int], ks: list[Ranks], depth: int
    ) -> Keys:
        """Copy each active bucket on its own, and find its ranks."""
        copies = keys.split_buckets(buckets, active)
        self.run.record("split")
        found = []
        for copy, ranks in zip(copies, ks, strict=True):
            if copy.size <= self.few:
                found.append(self.run.from_sorted(copy, ranks.tolist()))
            else:
                extent = copy.extent()
                self.run.record("extent")
                found.append(self.find(copy, extent, ranks, depth + 1))
        return np.concatenate(found)


def _places(samples: int, intervals: int) -> list[int]:
    """Return which of the sorted samples part the intervals.

    The paper's are 22 + 70 j of 1,024 for 16 intervals; these are as far apart, and as near to the
    ends, for any numbers.
    """
    step = 70 / 1024 * samples * 16 / intervals
    first = (samples - 1 - step * (intervals - 2)) / 2
    return [int(min(max(first + step * j + 0.5, 0), samples - 1)) for j in range(intervals - 1)]
