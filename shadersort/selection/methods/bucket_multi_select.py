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
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption
from shadersort.keys.codes import code, decode, encode
from shadersort.keys.in_order import in_order
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.primitives import Around, Buckets, Primitives
from shadersort.selection.selection import Selection

INTERVALS = 16
"""Intervals between the order statistics of a sample."""

SAMPLES = 1 << 10
"""Keys in a sample, as in the paper."""

BUCKETS = 1 << 13
"""Buckets in all intervals; the paper has 11,264."""

MANY = 256
"""With more ranks than this there are four times as many buckets, so that fewer keys are copied."""

EVEN = 4
"""Intervals count as even if the narrowest is at least the mean width divided by this."""

FREQUENT = 256
"""A key gets an interval of its own if it is 1 in this many of a sample, and at least 3."""

LARGE = 64
"""A bucket with more than 1 in this many keys is divided alone."""

ROUNDS = 4
"""After this many divisions the remaining keys are sorted."""

Codes = npt.NDArray[Any]


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
        buckets = min(BUCKETS if selection.ranks.size <= MANY else 4 * BUCKETS, tuning.counters)
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
        if buckets is None:
            return self.selection.finish(keys, ks, ks - before)
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
        """Return open buckets with about equal numbers of keys, by a sample.

        Returns None if the sample does not have two finite keys.
        """
        sample = in_order(keys.sample(self.samples, self.seed))
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


@cache
def _places(samples: int, intervals: int) -> list[int]:
    """Return the places of the pivots in a sorted sample.

    The paper has places 22 + 70 j of 1,024 for 16 intervals. For other numbers these places have
    the same relative distances.
    """
    step = 70 / 1024 * samples * 16 / intervals
    first = (samples - 1 - step * (intervals - 2)) / 2
    return [int(min(max(first + step * j + 0.5, 0), samples - 1)) for j in range(intervals - 1)]


def _is_even(edges: Keys) -> bool:
    """Whether no interval between order statistics is much narrower than the others.

    Then one interval with buckets of equal width is as good, and saves looking up intervals.
    """
    if len(edges) < 4:
        return False
    places = edges.astype(np.float64)
    widths = places[1:] - places[:-1]
    return bool(EVEN * widths.min() * widths.size >= places[-1] - places[0])


def _beyond(sample: Keys) -> Keys:
    """Return two keys that are likely to have few keys beyond them.

    The keys beyond each end are assumed to spread as far as the last 1/128 of the sample does.
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
    """Return the codes that occur often among sorted codes."""
    starts = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    counts = np.diff(starts, prepend=0, append=codes.size)
    often: Codes = codes[np.append(0, starts)[counts >= max(codes.size // FREQUENT, 3)]]
    return often


def _edges(sample: Keys, middle: Keys) -> Keys:
    """Return the edges: the order statistics, and both ends of each frequent key.

    The first and the last interval lie beyond the sample, if there are keys beyond it.
    """
    often = _frequent(encode(sample))
    most = np.iinfo(often.dtype).max
    ends = max(code(sample[0]) - 1, 0), min(code(sample[-1]) + 1, most)
    following = often + often.dtype.type(1)
    codes = np.concatenate([encode(middle), often, following, np.array(ends, often.dtype)])
    edges = decode(np.unique(codes), sample.dtype)
    finite: Keys = edges[np.isfinite(edges)]
    return finite
