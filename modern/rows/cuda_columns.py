"""Ranks of long columns on a GPU, without a copy of the columns: one read of all keys.

1. A sample of each column is copied to a row; two ranks of the row give the column's bracket.
2. One read counts the keys below each bracket, and those that equal its ends, and stages those
   inside (columns_staged).
3. The staged keys are rows again, from which the wanted ranks are selected.
4. Where the counts show a miss, the column is narrowed by histograms (columns_missed).
"""

from collections.abc import Callable
from itertools import pairwise
from math import ceil, floor, isqrt, sqrt
from typing import Any, NamedTuple

import cupy
import numpy as np

from modern.launching.waiting import room
from modern.primitives import one_read
from modern.rows.cuda_layout import LANES, THREADS, TURNED, LaidOut

LEAST, MOST_RANKS = 1 << 14, 2
"""Keys of the shortest columns, and ranks of a read at most: others are copied to rows."""

STAGED, COPIED = 1.5, 2
"""What neighbouring ranks cost here, and what a copy to rows costs: in reads for one rank."""

WIDE = 4.5
"""Standard errors between a rank and the ends of its bracket: a missed column is read again."""

SAMPLED = 16
"""One in so many keys of a column is sampled; of long columns, so many times the square root."""

CAPACITY = 32
"""Keys that the list of a thread can hold."""

EACH = 1 << 10
"""Keys that a thread looks at."""

WORD = 4
"""Bytes of a bank of shared memory: lists of keys are one word or one key longer."""

COUNTERS = 5
"""Numbers that are counted in a column: ColumnCounts in column_counts.cuh."""

MISSED = 512
"""Threads of a block that narrows a column."""


NANMEDIAN = one_read.NANMEDIAN

Rows = Callable[[Any], Any]
"""What makes rows of an array (outer, length, inner)."""


class Found(NamedTuple):
    """Keys of ranks and these ranks, both (columns, count); and counts (columns, COUNTERS)."""

    keys: Any
    ranks: Any
    counts: Any


def parts_of(shape: tuple[int, int, int], count: int, ks: Any) -> list[slice]:
    """Return which ranks are found together, by a read each; none if columns are to be copied.

    `ks` are ranks that are the same for all columns, in order; or None, if columns have their own.

    Examples
    --------
    >>> parts_of((1, 1 << 20, 16), 3, [10, 11, 90_000])
    [slice(0, 2, None), slice(2, 3, None)]
    >>> parts_of((1, 1 << 20, 16), 5, range(0, 100_000, 20_000))
    []
    """
    _, length, inner = shape
    if inner < 2 or length < LEAST or (ks is None and count > MOST_RANKS):
        return []
    starts, near = [0], length // sampled_of(length)
    for i in range(1, 1 if ks is None else count):
        if i - starts[-1] == MOST_RANKS or not 0 <= ks[i] - ks[i - 1] <= near:
            starts.append(i)
    parts = [slice(first, last) for first, last in pairwise([*starts, count])]
    return parts if len(parts) * STAGED <= COPIED + count else []


def warps_for(shape: tuple[int, int, int]) -> int:
    """Return the number of warps that look at columns: see column_span.cuh.

    Examples
    --------
    >>> warps_for((1, 1 << 16, 1 << 12)), warps_for((1, 1 << 24, 16))
    (8192, 8192)
    """
    outer, length, inner = shape
    width = min(inner, LANES)
    return outer * -(-inner // width) * -(-length // (EACH * (LANES // width)))


def sampled_of(length: int) -> int:
    """Return how many keys of a column are sampled.

    Examples
    --------
    >>> sampled_of(1 << 14), sampled_of(1 << 16), sampled_of(1 << 24)
    (1024, 4096, 65536)
    """
    return min(length // SAMPLED, SAMPLED * isqrt(length))


def of_all(rows: LaidOut, of: Rows, ks: Any, numbers: bool) -> Found:
    """Find keys of ranks that are the same for all columns: int64, on the host.

    `of` makes rows of an array (outer, length, inner). `numbers` says whether numbers are counted.
    """
    sample, count = sampled(rows, of)
    low, high = _aimed(ks[0] * count / rows.shape[1], ks[-1] * count / rows.shape[1], count)
    ends = sample.ranks(np.clip(np.array([low, high], np.int64), 0, count - 1))[..., 0]
    least, most = rows.bits.limits
    if low < 0:
        ends[:, 0] = least
    if high >= count:
        ends[:, 1] = most
    return _found(rows, of, ends, rows.launcher.fixed(ks), False, int(numbers))


def of_each(rows: LaidOut, of: Rows, ranks: Any) -> Found:
    """Find keys of each column's own ranks, int64 (columns, count); or the two middle numbers.

    If `ranks` are None, those of the two middle numbers are meant: of as many as a column has.
    """
    sample, count = sampled(rows, of)
    columns, launcher = sample.shape[0], rows.launcher
    given = _asked(ranks)
    aimed, within = room((columns, 2), np.int64), room((columns, 2, 1), np.int64)
    launcher.run_blocks(
        launcher.kernel("columns_aimed", THREADS=THREADS, ASK=NANMEDIAN if ranks is None else 0),
        (
            *(sample.keys, np.uint32(count), np.uint32(rows.shape[1]), *given),
            *(np.float64(WIDE), aimed, within),
        ),
        columns,
        threads=THREADS,
    )
    ends = sample.ranks_of_rows(within)[..., 0]
    launcher.run_threads(
        launcher.kernel("columns_ends"),
        (aimed, np.uint32(count), np.uint64(columns), ends),
        columns,
    )
    return _found(rows, of, ends, ranks, True, 2 if ranks is None else 0)


def _asked(ranks: Any) -> tuple[Any, np.uint32]:
    """Return ranks as kernels get them, and how many: two if they are those of middle numbers."""
    return (np.uint64(0), np.uint32(2)) if ranks is None else (ranks, np.uint32(ranks.shape[-1]))


def _found(rows: LaidOut, of: Rows, ends: Any, ranks: Any, own: bool, numbers: int) -> Found:
    """Find keys, given brackets (columns, 2), and ranks as `of_each` or `of_all` has them.

    `numbers` is NUMBERS of columns_staged.
    """
    columns, place = ends.shape[0], place_for(rows.shape[1])
    ends = cupy.ascontiguousarray(ends)
    counts, staged = _staged(rows, ends, place, numbers)
    given, count = _asked(ranks)
    inside = room((columns, int(count), 1), np.int64)
    every = room(inside.shape[:2], np.int64)
    rows.launcher.run_blocks(
        rows.launcher.kernel(
            "columns_inside", THREADS=THREADS, ASK=NANMEDIAN if ranks is None else 0
        ),
        (given, np.uint32(own), count, counts, ends, staged, np.uint32(place), inside, every),
        columns,
        threads=THREADS,
    )
    keys = of(staged[:, :, None]).ranks_of_rows(inside)[..., 0]
    _repair(rows, every, counts, ends, place, keys)
    return Found(keys, every, counts)


def place_for(length: int) -> int:
    """Return how many staged keys of a column have room: five standard errors more than expected.

    Examples
    --------
    >>> place_for(1 << 14), place_for(1 << 17), place_for(1 << 24)
    (4096, 10944, 350048)
    """
    count = sampled_of(length)
    within = 2 * (WIDE * sqrt(count / 4) + WIDE**2) + 2
    most = ceil((within + 5 * sqrt(within)) * length / count)
    return -(-min(most, length) // LANES) * LANES


def sampled(rows: LaidOut, of: Rows) -> tuple[Any, int]:
    """Return a sample of each column as rows, and how many keys it has."""
    outer, length, inner = rows.shape
    count = sampled_of(length)
    sample = room((outer * inner, count), rows.dtype)
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_sampled"),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step)),
            *(np.uint32(length), np.uint32(inner), np.uint32(count), sample),
        ),
        outer * -(-inner // LANES) * -(-count // TURNED),
        threads=THREADS,
    )
    return of(sample[:, :, None]), count


def _aimed(first: float, last: float, count: int) -> tuple[int, int]:
    """Return the ranks of a sample between which keys lie, given where they are expected."""

    def off(middle: float) -> float:
        return WIDE * sqrt(max(middle * (1 - middle / count), 0)) + WIDE**2

    return floor(first - off(first)), ceil(last + off(last))


def _staged(rows: LaidOut, ends: Any, place: int, numbers: int) -> tuple[Any, Any]:
    """Return counts (columns, COUNTERS), and the staged keys of each column."""
    outer, length, inner = rows.shape
    counts = cupy.zeros((outer * inner, COUNTERS), np.uint32)
    staged = room((outer * inner, place), rows.dtype)
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_staged", THREADS=THREADS, CAPACITY=CAPACITY, NUMBERS=numbers),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step), np.uint32(length)),
            *(np.uint32(outer), np.uint32(inner), ends, np.uint32(EACH)),
            *(counts, staged, np.uint32(place)),
        ),
        -(-warps_for(rows.shape) * LANES // THREADS),
        threads=THREADS,
        shared=CAPACITY * (THREADS * rows.dtype.itemsize + max(WORD, rows.dtype.itemsize)),
    )
    return counts, staged


def _repair(rows: LaidOut, ranks: Any, counts: Any, ends: Any, place: int, keys: Any) -> None:
    outer, length, inner = rows.shape
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_missed", THREADS=MISSED),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step), np.uint32(length)),
            *(np.uint32(inner), ranks, np.uint32(ranks.shape[1])),
            *(counts, ends, np.uint32(place), keys),
        ),
        outer * inner,
        threads=MISSED,
        shared=16 * MISSED,
    )


def medians_of(rows: LaidOut, found: Found, ask: int, means: Any) -> None:
    """Put the means of two middle keys into an array (columns,), in the type of NumPy's."""
    columns = found.keys.shape[0]
    rows.launcher.run_threads(
        rows.launcher.kernel("columns_mean", ASK=ask),
        (
            *(found.keys, found.ranks, found.counts, np.uint64(columns)),
            *(np.uint32(rows.shape[1]), means),
        ),
        columns,
    )
