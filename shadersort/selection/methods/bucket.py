"""bucketSelect: cut the range into buckets of equal width, count, and keep the bucket of the rank.

The method of Alabi et al. 2012, section 2.3, which others call distributive partitioning. In its
first phase, with many keys, the keys of the bucket are copied and their own extent is read. In its
second phase only the range becomes narrower, and all keys are read again.

Equal widths fail if most keys crowd in one bucket. So after a round that leaves most candidates,
the next round has buckets with equal numbers of codes: then floats near zero have as many buckets
as all others. Each such round finds some more bits of the answer, so the number of bits in a key
bounds the rounds for all keys, denormals included.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.codes import code
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.bucket_multi_select import bucket_multi_select
from shadersort.selection.methods.radix import divide
from shadersort.selection.methods.searches.search import NEEDS, Search
from shadersort.selection.primitives import Buckets
from shadersort.selection.selection import Selection

CUTOFF = 1 << 21
"""The first phase ends at this many keys in the paper."""

POOR = 1 / 2
"""A round that leaves more than this part of the candidates divided badly."""

ROUNDS = 200
"""More than any keys need: at most two for each bit of a key."""


class _Division(NamedTuple):
    """The options of a selection."""

    buckets: int
    few: int
    cutoff: int


def bucket(
    selection: Selection,
    *,
    buckets: int | None = None,
    cutoff: int = 0,
    few: int | None = None,
) -> Key:
    """Divide the range until few candidates are left.

    Parameters
    ----------
    buckets
        How many buckets a round has; None for the device's default.
    cutoff
        Candidates are copied, where copying is cheap, while there are more keys than this: the
        first phase. The paper has `CUTOFF`.
    few
        The division ends, after one round at least, when this many candidates are left or fewer;
        None for the device's default.
    """
    tuning = selection.keys.tuning
    count = tuning.buckets if buckets is None else buckets
    if count < 2:
        raise BadOption(f"buckets are 2 or more, not {count}")
    few = tuning.few if few is None else few
    search = Search(selection)
    answer = search.drive(_rounds(search, _Division(count, few, cutoff)), ROUNDS, few)
    return search.compacted() if answer is None else answer


def _rounds(search: Search, division: _Division) -> Iterator[None]:
    while True:
        candidates = search.candidates
        _by_width(search, division)
        yield
        if search.candidates > POOR * candidates:  # then buckets of equal numbers of codes
            divide(search, division.buckets.bit_length() - 1, "buckets of codes")
            if _copies(search, division, search.candidates):
                search.shrink()
                _tighten(search, division)
            yield


def _by_width(search: Search, division: _Division) -> None:
    """Count the candidates in buckets of equal width, and keep the bucket with the rank.

    The exact bounds of the bucket are computed only if it is not copied: a copy has its own extent.
    """
    buckets = Buckets(np.array([search.low, search.high]), division.buckets)
    histogram = search.keys.bucket_histogram(buckets)
    ends = np.cumsum(histogram)
    chosen = int(np.searchsorted(ends, search.k - search.before, side="right"))
    count = int(histogram[chosen])
    below = search.before + int(ends[chosen]) - count
    if _copies(search, division, count):
        search.keep(below, count, "buckets")
        search.move(search.keys.of_buckets(buckets, [chosen], count=count))
        _tighten(search, division)
    else:
        first, last = buckets.bounds(chosen)
        search.keep(below, count, "buckets", (code(first), code(last)))


def _copies(search: Search, division: _Division, count: int) -> bool:
    """Whether to copy this number of candidates."""
    many = search.selection.keys.tuning.copies and search.keys.size > division.cutoff
    return many and 2 * count <= search.keys.size


def _tighten(search: Search, division: _Division) -> None:
    """Narrow the bracket to the extent of a copy that will be divided again."""
    if search.candidates > division.few:
        search.tighten()


METHOD = Method(
    "bucket",
    bucket,
    needs=(
        *("bucket_histogram", "digit_histogram", "of_buckets", "between"),
        *("sort", "take", *NEEDS),
    ),
    finite=True,
    many=bucket_multi_select,
    needs_many=("sample", "bucket_histogram", "of_buckets", "sort", "take"),
)
