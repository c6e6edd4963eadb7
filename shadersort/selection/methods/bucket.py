"""Bucket selection: cut the range into equal buckets, count, and go on with the bucket of the rank.

The method of Alabi et al. 2012, section 2.3, which others call distributive partitioning. In its
first phase, while keys are many, the bucket's keys are copied and their own extent is read. In its
second only the range narrows, and all keys are read again.

Keys that crowd in one bucket defeat equal widths. So a round that leaves most candidates is
followed by one whose buckets have equally many codes: floats near zero then have as many as all
others. Each such round tells some more bits of the answer, so the rounds are bounded by the bits of
a key whatever the keys are, down to the last denormal.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.types import Key
from shadersort.selection.digits import digit
from shadersort.selection.method import Method
from shadersort.selection.methods.bucket_multi_select import bucket_many
from shadersort.selection.primitives import Buckets
from shadersort.selection.search import Search
from shadersort.selection.selection import Selection

__all__ = ["CUTOFF", "METHOD", "bucket"]

CUTOFF = 1 << 21
"""The paper's number for the end of the first phase."""

POOR = 1 / 2
"""A round that leaves more of the candidates has divided badly."""

ROUNDS = 200
"""More than there can be: two for each bit of a key at the most."""


def bucket(
    selection: Selection,
    *,
    buckets: int | None = None,
    cutoff: int | None = None,
    few: int | None = None,
) -> Key:
    """Divide the range until few candidates are left.

    Parameters
    ----------
    selection
        Keys and rank.
    buckets
        In each round; None for what suits the device.
    cutoff
        With more keys than these, the first phase: candidates are copied. None for always, where
        copying is cheap. The paper's number is `CUTOFF`.
    few
        So few candidates are sorted; None for what suits the device. With none of the three said, a
        device that can divides by itself, in 2,048 buckets, and what those leave by digits.
    """
    tuning = selection.keys.tuning
    count = tuning.buckets if buckets is None else buckets
    if count < 2:
        raise BadOption(f"buckets are 2 or more, not {count}")
    few = tuning.few if few is None else few
    search = Search(selection)
    rounds = _rounds(search, _Division(count, few, 0 if cutoff is None else cutoff))
    answer = search.drive(rounds, ROUNDS, few)
    return search.compacted() if answer is None else answer


class _Division(NamedTuple):
    """How candidates are divided."""

    buckets: int
    few: int
    cutoff: int

    def copies(self, search: Search, count: int) -> bool:
        """Whether to copy candidates, given how many."""
        many = search.selection.keys.tuning.copies and search.keys.size > self.cutoff
        return many and 2 * count <= search.keys.size


def _rounds(search: Search, division: _Division) -> Iterator[None]:
    while True:
        candidates = search.candidates
        _by_width(search, division)
        yield
        if search.candidates > POOR * candidates:
            _by_code(search, division)
            yield


def _by_width(search: Search, division: _Division) -> None:
    """Count the candidates in equally wide buckets, and keep the one with the rank.

    A copy of a bucket knows its own extent, so where the bucket begins and ends is not asked then.
    """
    buckets = Buckets(np.array([search.low, search.high]), division.buckets)
    histogram = search.keys.bucket_histogram(buckets)
    ends = np.cumsum(histogram)
    chosen = int(np.searchsorted(ends, search.k - search.before, side="right"))
    count = int(histogram[chosen])
    below = search.before + int(ends[chosen]) - count
    if division.copies(search, count):
        search.keep_counted(below, count, "buckets")
        search.move(search.keys.of_buckets(buckets, [chosen], count=count))
        _tighten(search, division)
    else:
        search.keep(*buckets.bounds(chosen), below, count, "buckets")


def _by_code(search: Search, division: _Division) -> None:
    """Do the same with buckets of equally many codes."""
    digit(search, division.buckets.bit_length() - 1, "buckets of codes")
    if division.copies(search, search.candidates):
        search.shrink()
        _tighten(search, division)


def _tighten(search: Search, division: _Division) -> None:
    """Narrow the bracket to the extent of a copy, if it is to be divided again."""
    if search.candidates > division.few:
        search.tighten()


METHOD = Method(
    "bucket",
    bucket,
    needs=(
        *("extent", "bucket_histogram", "digit_histogram", "of_buckets", "between"),
        *("at_or_above", "at_or_below", "sort", "take"),
    ),
    finite=True,
    at_once="width",
    many=bucket_many,
    needs_many=(*("sample", "bucket_histogram", "of_buckets", "sort", "take"),),
)
