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
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.codes import code, decode, encode
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.primitives import Around, Buckets, Primitives
from shadersort.selection.selection import Selection

__all__ = ["INTERVALS", "bucket_many"]

INTERVALS = 16
"""Between the order statistics of a sample."""

SAMPLES = 1 << 10
"""Keys in a sample: the paper's number."""

BUCKETS = 1 << 13
"""In all intervals; the paper has 11,264."""

MANY = 256
"""With more ranks than these there are four times as many, lest most of the keys be copied."""

EVEN = 4
"""Buckets of equal width may have so many times the keys of the others."""

FREQUENT = 256
"""A key that 1 in so many of a sample equal has an interval to itself, if three or more do."""

LARGE = 64
"""A bucket with 1 in so many keys is divided on its own."""

ROUNDS = 4
"""After so many divisions what is left is sorted."""

Codes = npt.NDArray[Any]


def bucket_many(
    selection: Selection,
    *,
    samples: int = SAMPLES,
    intervals: int = INTERVALS,
    buckets: int | None = None,
    few: int | None = None,
    seed: int = 0,
) -> Keys:
    """Find many ranks by buckets of about equally many keys.

    Parameters
    ----------
    selection
        Keys and ranks.
    samples
        Keys in a sample.
    intervals
        Between its order statistics.
    buckets
        In all intervals together; None for what suits the device and the number of ranks.
    few
        So few keys are sorted at once; None for what suits the device.
    seed
        Of the samples.
    """
    tuning = selection.keys.tuning
    few = tuning.few if few is None else few
    if buckets is None:
        buckets = min(BUCKETS if selection.ranks.size <= MANY else 4 * BUCKETS, tuning.counters)
    if samples < 1 or intervals < 1 or buckets < 2 * intervals:
        raise BadOption(
            "samples and intervals are 1 or more, and buckets twice the intervals or more, "
            f"not {samples}, {intervals} and {buckets}"
        )
    division = _Division(selection, samples, intervals, buckets, few, seed)
    return division.find(selection.keys, selection.ranks, 0, 0)


@dataclass(frozen=True, slots=True)
class _Division:
    """The options of a selection."""

    selection: Selection
    samples: int
    intervals: int
    buckets: int
    few: int
    seed: int

    def find(self, keys: Primitives, ks: Integers, before: int, depth: int) -> Keys:
        """Return the keys of some ranks; those at hand come after `before` others."""
        if keys.size <= self.few or depth == ROUNDS:
            return self.selection.ranked(keys, ks, ks - before)
        buckets = self.dense(keys)
        if buckets is None:
            return self.selection.ranked(keys, ks, ks - before)
        most = max(self.few, keys.size // LARGE)
        around = keys.around(buckets, ks - before, most)
        copied, answers = around.copied, around.keys
        if copied.all():
            self.selection.record("buckets", candidates=around.copies)
            self.selection.known.learn(answers, before + around.below, around.equal)
            return answers
        large = (around.inside > most) & ~copied
        self.selection.record("buckets", candidates=around.copies + int(around.inside[large].sum()))
        found = answers[copied], before + around.below[copied], around.equal[copied]
        self.selection.known.learn(*found)
        single = ~copied & buckets.single[around.buckets // buckets.per_interval]
        answers[single] = self.counted(buckets, around, single, before)
        large &= ~single
        for bucket in np.unique(around.buckets[large]).tolist():
            here = around.buckets == bucket
            answers[here] = self.alone(keys, buckets, around, here, ks[here], before, depth)
        return answers

    def dense(self, keys: Primitives) -> Buckets | None:
        """Return open buckets that have about equally many keys, as far as a sample can tell.

        None if it has no two finite keys.
        """
        sample = np.sort(keys.sample(self.samples, self.seed))
        self.selection.record("sample")
        if sample.dtype.kind == "f" and not (isfinite(sample[0]) and isfinite(sample[-1])):
            sample = sample[np.isfinite(sample)]
        if sample.size < 2:
            return None
        thrice = (sample[2:] == sample[:-2]).any()
        middle = sample[_places(sample.size, self.intervals)]
        if not thrice and _is_even(middle):
            return Buckets(_beyond(sample), self.buckets, open=True)
        edges = _edges(sample, middle)
        if edges.size < 2:
            return None
        return Buckets(edges, max(self.buckets // (edges.size - 1), 1), open=True)

    def counted(self, buckets: Buckets, around: Around, single: Mask, before: int) -> Keys:
        """Return the keys that have an interval to themselves."""
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
        """Copy a large bucket, and divide it in turn, unless all its keys are equal."""
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


@cache
def _places(samples: int, intervals: int) -> list[int]:
    """Return which of the sorted samples part the intervals.

    The paper's are 22 + 70 j of 1,024 for 16 intervals; these are as far apart, and as near to the
    ends, for any numbers.
    """
    step = 70 / 1024 * samples * 16 / intervals
    first = (samples - 1 - step * (intervals - 2)) / 2
    return [int(min(max(first + step * j + 0.5, 0), samples - 1)) for j in range(intervals - 1)]


def _is_even(edges: Keys) -> bool:
    """Whether no interval between order statistics is much narrower than the others.

    Then buckets of equal width serve as well, and no interval has to be looked up.
    """
    if len(edges) < 4:
        return False
    places = edges.astype(np.float64)
    widths = places[1:] - places[:-1]
    return bool(EVEN * widths.min() * widths.size >= places[-1] - places[0])


def _beyond(sample: Keys) -> Keys:
    """Return two keys with hardly any key beyond them.

    What is beyond the ends of a sample is taken to be as wide as the last hundredth in it.
    """
    dtype, tail = sample.dtype, sample.size // 128
    limits: Any = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    low = max(2 * float(sample[0]) - float(sample[tail]), float(limits.min))
    high = min(2 * float(sample[-1]) - float(sample[-1 - tail]), float(limits.max))
    if dtype.kind != "f":
        low, high = max(int(low), int(limits.min)), min(int(high), int(limits.max))
    ends = np.array([low, high], dtype)
    ends[0], ends[1] = min(ends[0], sample[0]), max(ends[1], sample[-1])
    return ends


def _frequent(codes: Codes) -> Codes:
    """Return the codes that come often among some in order."""
    starts = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    counts = np.diff(starts, prepend=0, append=codes.size)
    often: Codes = codes[np.append(0, starts)[counts >= max(codes.size // FREQUENT, 3)]]
    return often


def _edges(sample: Keys, middle: Keys) -> Keys:
    """Return the edges between order statistics, and around frequent keys.

    The first and the last interval have no key of the sample, where there are such keys.
    """
    often = _frequent(encode(sample))
    most = np.iinfo(often.dtype).max
    ends = max(code(sample[0]) - 1, 0), min(code(sample[-1]) + 1, most)
    following = often + often.dtype.type(1)
    codes = np.concatenate([encode(middle), often, following, np.array(ends, often.dtype)])
    edges = decode(np.unique(codes), sample.dtype)
    finite: Keys = edges[np.isfinite(edges)]
    return finite
