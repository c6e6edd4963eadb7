"""bucketSelect: cut the range into buckets of equal width, count, and keep the bucket of the rank.

The method of Alabi et al. 2012, section 2.3, which others call distributive partitioning. In its
first phase, with many keys, the keys of the bucket are copied and their own extent is read. In its
second phase only the range becomes narrower, and all keys are read again.

Equal widths fail if most keys crowd in one bucket. So after a round that leaves most candidates,
the next round has buckets with equal numbers of codes. Each such round finds some more bits of the
answer, so the number of bits in a key bounds the rounds.
"""

from collections.abc import Iterator

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.codes import code, decode
from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.methods.bucket_multi_select import bucket_multi_select
from shadersort.selection.methods.searches.search import NEEDS, Search
from shadersort.selection.primitives import Buckets
from shadersort.selection.selection import Selection

POOR = 1 / 2
"""A round that leaves more than this part of the candidates divided badly."""

MOST_EDGES = 1 << 10
"""Buckets of codes in a round, at most: each has edges of its own, which a GPU looks up."""

ROUNDS = 200
"""More than any keys need: at most two for each bit of a key."""


def bucket(
    selection: Selection, *, buckets: int | None = None, cutoff: int = 0, few: int | None = None
) -> Key:
    """Divide the range until few candidates are left.

    A round has `buckets`. Where copying is cheap, candidates are copied while there are more than
    `cutoff` keys: the first phase; the paper has 2**21. After one round at least, up to `few`
    candidates are sorted. None is the device's default.
    """
    tuning = selection.keys.tuning
    count = tuning.buckets if buckets is None else buckets
    if count < 2:
        raise BadOption(f"buckets are 2 or more, not {count}")
    few = tuning.few if few is None else few
    search = Search(selection)
    search.drive(_rounds(search, count, cutoff, few), ROUNDS, few)
    return search.finish()


def _rounds(search: Search, buckets: int, cutoff: int, few: int) -> Iterator[None]:
    while True:
        candidates = search.candidates
        by_width = Buckets(np.array([search.low, search.high]), buckets)
        _keep(search, by_width, "buckets", cutoff, few)
        yield
        if search.candidates > POOR * candidates and search.first < search.last:
            by_code = Buckets(_edges_of_codes(search, min(buckets, MOST_EDGES)), 1)
            _keep(search, by_code, "buckets of codes", cutoff, few)
            yield


def _edges_of_codes(search: Search, buckets: int) -> Keys:
    """Return the edges of buckets with equal numbers of codes, from end to end of the bracket."""
    step = -(-(search.last - search.first) // buckets)
    codes = [*range(search.first, search.last, step), search.last]
    edges = decode(np.array(codes, f"u{search.dtype.itemsize}"), search.dtype)
    return np.unique(edges)  # 0.0 has two codes


def _keep(search: Search, buckets: Buckets, name: str, cutoff: int, few: int) -> None:
    """Count the candidates in buckets, and keep the bucket with the rank: copy a small one."""
    histogram = search.keys.bucket_histogram(buckets)
    ends = np.cumsum(histogram)
    chosen = int(np.searchsorted(ends, search.k - search.before, side="right"))
    count = int(histogram[chosen])
    below = search.before + int(ends[chosen]) - count
    copies = search.selection.keys.tuning.copies and search.keys.size > cutoff
    if copies and 2 * count <= search.keys.size:
        search.keep(below, count, name)
        search.move(search.keys.of_buckets(buckets, [chosen], count=count))
        if search.candidates > few:
            old, extent = search.ends, search.keys.extent()
            search.first, search.last = code(extent.low), code(extent.high)
            search.selection.record("extent", **old)
    else:
        first, last = buckets.bounds(chosen)
        search.keep(below, count, name, (code(first), code(last)))


METHOD = Method(
    "bucket",
    bucket,
    bucket_multi_select,
    needs=("sample", "bucket_histogram", "of_buckets", "between", "sort", *NEEDS),
    finite=True,
)
