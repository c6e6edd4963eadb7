"""First keys of long columns on a GPU, without a copy of the columns: one read of all keys.

1. A sample of each column is copied to a row; a rank of the row is the column's bound.
2. One read stages the keys before each bound, as codes with their places (columns_firsts_staged).
3. Where these are too few, the first keys that equal the bound are taken, too. If that does not
   suffice, or they were too many, the column is narrowed by histograms (columns_firsts_missed).
4. The staged entries are rows of integers, whose first ones are the first keys.
"""

from math import ceil, sqrt
from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import room
from modern.rows.cuda_columns import EACH, Rows, sampled, sampled_of, warps_for
from modern.rows.cuda_layout import LANES, THREADS, LaidOut
from modern.rows.cuda_shapes import WIDE
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST

LEAST = 1 << 11
"""Keys of the shortest columns: others are copied to rows."""

SHARE = 4
"""One in so many keys of a column has room among the staged ones, at most."""

CAPACITY = 12
"""Entries that the list of a thread can hold."""

MISSED = 512
"""Threads of a block that narrows a column."""


def suits(rows: LaidOut, by: int, count: int) -> bool:
    """Whether columns are long, and their entries few and of 64 bits.

    Keys of 8 bits are turned to rows: there are so few different ones that bounds leave many.
    """
    _, length, inner = rows.shape
    if inner < 2 or length < LEAST or rows.dtype.itemsize not in (2, 4) or by == MAGNITUDE:
        return False
    return bool(count <= place_for(length, count) <= length // SHARE)


def bound_of(length: int, count: int) -> int:
    """Return the rank of the bound in the sample.

    Examples
    --------
    >>> bound_of(1 << 16, 64), bound_of(1 << 24, 64)
    (19, 10)
    """
    middle = count * sampled_of(length) / length
    return int(middle + WIDE * sqrt(middle) + WIDE**2)


def place_for(length: int, count: int) -> int:
    """Return how many entries of a column have room.

    Examples
    --------
    >>> place_for(1 << 16, 64), place_for(1 << 24, 64)
    (704, 7072)
    """
    within = bound_of(length, count) + 1
    most = (within + 5 * sqrt(within)) * length / sampled_of(length)
    return max(ceil(most / LANES), 1) * LANES


def first(
    rows: LaidOut, of: Rows, alike: Rows, by: int, count: int, in_order: bool
) -> tuple[Any, Any]:
    """Return the first keys of each column, and their places: (outer, count, inner).

    `of` makes rows of an array (outer, length, inner) of integers; `alike`, of keys like these.
    """
    staged = _staged(rows, _bounds(rows, alike, by, count), by, count)
    entries = of(staged[:, :, None]).first(SMALLEST, count, True, "lowest")[0][..., 0]
    if not in_order:
        entries = cupy.sort(entries & np.uint64(2**32 - 1), axis=1)
    return _told(rows, cupy.ascontiguousarray(entries))


def _bounds(rows: LaidOut, alike: Rows, by: int, count: int) -> Any:
    """Return a key of each column, (columns, 1, 1), up to which its first keys are."""
    sample, size = sampled(rows, alike)
    rank = min(bound_of(rows.shape[1], count), size - 1)
    return sample.ranks(np.array([size - 1 - rank if by == LARGEST else rank]))


def _staged(rows: LaidOut, bounds: Any, by: int, count: int) -> Any:
    """Return codes with places of the first keys at least, (columns, room), filled up."""
    outer, length, inner = rows.shape
    place = place_for(length, count)
    counts = cupy.zeros(outer * inner, np.uint32)
    staged = cupy.full((outer * inner, place), np.uint64(2**64 - 1), np.uint64)
    shape = rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step), np.uint32(length)
    rows.launcher.run_blocks(
        rows.launcher.kernel(
            "columns_firsts_staged", THREADS=THREADS, CAPACITY=CAPACITY, BY=by, MAGNITUDE=0
        ),
        (
            *(*shape, np.uint32(outer), np.uint32(inner), bounds, np.uint32(EACH)),
            *(counts, staged, np.uint32(place)),
        ),
        -(-warps_for(rows.shape) * LANES // THREADS),
        threads=THREADS,
        shared=8 * CAPACITY * THREADS,
    )
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_firsts_missed", THREADS=MISSED, BY=by, MAGNITUDE=0),
        (*shape, np.uint32(inner), np.uint32(count), bounds, counts, staged, np.uint32(place)),
        outer * inner,
        threads=MISSED,
        shared=16 * MISSED,
    )
    return staged


def _told(rows: LaidOut, entries: Any) -> tuple[Any, Any]:
    """Return the keys of entries (columns, count), and their places: (outer, count, inner)."""
    outer, _, inner = rows.shape
    count = entries.shape[1]
    values, places = room((outer, count, inner), rows.dtype), room((outer, count, inner), np.int64)
    rows.launcher.run_threads(
        rows.launcher.kernel("columns_firsts_told"),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step)),
            *(np.uint32(inner), np.uint32(count), np.uint64(values.size)),
            *(entries, values, places),
        ),
        values.size,
    )
    return values, places
