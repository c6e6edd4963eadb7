"""Bucket selection: cut the range into equal buckets, count, and go on with the bucket of the rank.

The method of Alabi et al. 2012, section 2.3, which others call distributive partitioning. In its
first phase, while keys are many, the bucket's keys are copied and their own extent is read. In its
second only the range narrows, and all keys are read again.

Keys that crowd in one bucket defeat equal widths. So a round that leaves most candidates is
followed by one whose buckets have equally many codes: floats near zero then have as many as all
others. Two such rounds narrow any range by the number of buckets, so the rounds are bounded by the
bits of a key whatever the keys are, down to the last denormal.
"""

from collections.abc import Iterator

import numpy as np

from shadersort.errors import BadOption
from shadersort.primitives import Buckets, Key
from shadersort.primitives.codes import code, decode
from shadersort.selection.bucket_many import bucket_many
from shadersort.selection.method import Method
from shadersort.selection.run import Run
from shadersort.selection.search import Search

__all__ = ["BUCKETS", "CUTOFF", "FEW", "METHOD", "bucket"]

BUCKETS = 1 << 10
"""The paper's number."""

CUTOFF = 1 << 21
"""More keys than these are copied from: the paper's number."""

FEW = 1 << 10
"""So few candidates are copied and sorted."""

POOR = 1 / 2
"""A round that leaves more of the candidates has divided badly."""

ROUNDS = 200
"""More than there can be: two for each bit of a key at the most."""


def bucket(run: Run, *, buckets: int = BUCKETS, cutoff: int = CUTOFF, few: int = FEW) -> Key:
    """Divide the range until few candidates are left.

    Parameters
    ----------
    run
        Keys and rank.
    buckets
        In each round.
    cutoff
        With more keys than these, the first phase: candidates are copied. Not where copying is
        dear.
    few
        So few candidates are sorted.
    """
    if buckets < 2:
        raise BadOption(f"buckets are 2 or more, not {buckets}")
    search = Search(run)
    rounds = _rounds(search, buckets, cutoff)
    answer = search.drive(rounds, ROUNDS, few)
    return search.compacted() if answer is None else answer


def _rounds(search: Search, count: int, cutoff: int) -> Iterator[None]:
    by_codes = False
    while True:
        candidates = search.candidates
        span = code(search.high) - code(search.low)
        by_codes = by_codes and span > count
        _divide(
            search, _of_codes(search, count) if by_codes else _of_widths(search, count), by_codes
        )
        if search.keys.size > cutoff and search.run.keys.compacts_cheaply:
            _copy(search)
        yield
        by_codes = not by_codes and search.candidates > POOR * candidates


def _of_widths(search: Search, count: int) -> Buckets:
    """Return equally wide buckets from the first candidate to the last."""
    return Buckets(np.array([search.low, search.high]), count)


def _of_codes(search: Search, count: int) -> Buckets:
    """Return buckets of equally many codes."""
    first, last = code(search.low), code(search.high)
    codes = [first + (last - first) * index // count for index in range(count + 1)]
    return Buckets(decode(np.array(codes, f"u{search.dtype.itemsize}"), search.dtype), 1)


def _divide(search: Search, buckets: Buckets, by_codes: bool) -> None:
    """Count the candidates in buckets, and keep the one with the rank."""
    histogram = search.keys.bucket_histogram(buckets)
    ends = np.cumsum(histogram)
    chosen = int(np.searchsorted(ends, search.k - search.before, side="right"))
    count = int(histogram[chosen])
    below = search.before + int(ends[chosen]) - count
    name = "buckets of codes" if by_codes else "buckets"
    search.keep(*buckets.bounds(chosen), below, count, name)


def _copy(search: Search) -> None:
    """Copy the candidates, if it halves the keys, and narrow the bracket to their own extent."""
    if search.nearest() is None and 2 * search.candidates <= search.keys.size:
        search.move(search.keys.between(*search.window))
        search.tighten()


METHOD = Method(
    "bucket",
    bucket,
    needs=(
        *("extent", "bucket_histogram", "between"),
        *("at_or_above", "at_or_below", "sort", "take"),
    ),
    finite=True,
    many=bucket_many,
    needs_many=(
        *("extent", "sample", "bucket_histogram"),
        *("of_buckets", "split_buckets", "sort", "take"),
    ),
)
