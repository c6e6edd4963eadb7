"""Ranks of many long columns on a GPU, without a copy of the columns: one read of all keys.

1. A sample of each column is copied to a row; two ranks of the row give the column's bracket.
2. One read counts the keys below each bracket, and stages those inside (columns_staged).
3. The staged keys are rows again, from which the wanted ranks are selected.
4. Where the counts show a miss, the column is narrowed by histograms (columns_missed).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import cupy
import numpy as np

from modern.launching.launch import room
from modern.rows.cuda_layout import LANES, THREADS, LaidOut
from modern.rows.cuda_shapes import WIDE

LEAST, MOST_RANKS = 1 << 14, 2
"""Keys of the shortest columns, and ranks of a column at most: others are copied to rows."""

MOST_SAMPLED = 1 << 12
"""Keys of a column that are sampled, at most; of shorter columns 1 in 16."""

EACH, CAPACITY = 512, 32
"""Keys of a column that a thread looks at, and keys that its list can hold."""

MISSED = 512
"""Threads of a block that narrows a column."""


Rows = Callable[[Any], Any]
"""What makes rows of an array (outer, length, inner)."""


class Found(NamedTuple):
    """Keys of ranks and these ranks, both (columns, count); and what was counted, (columns, 3)."""

    keys: Any
    ranks: Any
    counts: Any


def suits(shape: tuple[int, int, int], count: int) -> bool:
    """Whether columns are many, long, and asked for few ranks."""
    return shape[2] >= LANES and shape[1] >= LEAST and count <= MOST_RANKS


def of_all(rows: LaidOut, of: Rows, ks: Any) -> Found:
    """Find keys of ranks that are the same for all columns: int64, on the host.

    `of` makes rows of an array (outer, length, inner).
    """
    sample, count = _sampled(rows, of)
    low, high = _aimed(np, ks[0] * count / rows.shape[1], ks[-1] * count / rows.shape[1], count)
    ends = sample.ranks(np.clip(np.array([low, high], np.int64), 0, count - 1))[..., 0]
    least, most = rows.bits.limits
    if low < 0:
        ends[:, 0] = least
    if high >= count:
        ends[:, 1] = most
    return _found(rows, of, ends, count, lambda counts: (rows.launcher.given(ks), False))


def of_each(rows: LaidOut, of: Rows, ranks_of: Callable[[Any], Any], by_numbers: bool) -> Found:
    """Find keys of each column's own ranks.

    `ranks_of` returns the ranks, int64 (columns, count), given how many numbers each column has. If
    `by_numbers`, they depend on that.
    """
    length = rows.shape[1]
    sample, count = _sampled(rows, of)
    numbers = sample.numbers()[:, 0]
    scale = count / length
    aimed = ranks_of((numbers / scale).astype(np.int64) if by_numbers else numbers) * scale
    both = cupy.stack(_aimed(cupy, aimed.min(axis=1), aimed.max(axis=1), count), axis=1)
    ends = sample.ranks_of_rows(cupy.clip(both, 0, count - 1).astype(np.int64)[:, :, None])[..., 0]
    least, most = rows.bits.limits
    ends[:, 0] = cupy.where(both[:, 0] < 0, least, ends[:, 0])
    behind = (both[:, 1] >= count) | rows.bits.are_nan(ends[:, 1])
    ends[:, 1] = cupy.where(behind, most, ends[:, 1])

    def own(counts: Any) -> tuple[Any, bool]:
        return ranks_of(counts[:, 2].astype(np.int64)), True

    return _found(rows, of, ends, count, own)


def _found(
    rows: LaidOut, of: Rows, ends: Any, count: int, ranks_of: Callable[[Any], tuple[Any, bool]]
) -> Found:
    """Find keys, given brackets (columns, 2) and a call that tells the ranks from the counts."""
    columns, length = ends.shape[0], rows.shape[1]
    place = int(length * min(1.0, 1.25 * _widest(count) / count)) + 1024
    counts, staged = _staged(rows, cupy.ascontiguousarray(ends), place)
    given, own = ranks_of(counts)
    given = cupy.ascontiguousarray(given)
    inside = room((columns, given.shape[-1], 1), np.int64)
    ranks = room(inside.shape[:2], np.int64)
    rows.launcher.run_threads(
        rows.launcher.kernel("columns_inside"),
        (
            *(given, np.uint32(own), np.uint32(given.shape[-1]), np.uint64(columns)),
            *(counts, np.uint32(place), inside, ranks),
        ),
        ranks.size,
    )
    keys = of(staged[:, :, None]).ranks_of_rows(inside)[..., 0]
    _repair(rows, ranks, counts, place, keys)
    return Found(keys, ranks, counts)


def _widest(count: int) -> float:
    """Return how many keys of a sample are inside a bracket, at most."""
    return float(2 * (WIDE * np.sqrt(count / 4) + WIDE**2) + 2)


def _sampled(rows: LaidOut, of: Rows) -> tuple[Any, int]:
    """Return a sample of each column as rows, and how many keys it has."""
    outer, length, inner = rows.shape
    count = min(MOST_SAMPLED, length // 16)
    sample = room((outer * inner, count), rows.dtype)
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_sampled"),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step)),
            *(np.uint32(length), np.uint32(inner), np.uint32(count), sample),
        ),
        outer * -(-inner // LANES) * -(-count // LANES),
        threads=THREADS,
    )
    return of(sample[:, :, None]), count


def _aimed(xp: Any, first: Any, last: Any, count: int) -> tuple[Any, Any]:
    """Return the ranks of a sample between which keys lie, given where they are expected."""

    def off(middle: Any) -> Any:
        return WIDE * xp.sqrt(xp.maximum(middle * (1 - middle / count), 0)) + WIDE**2

    return xp.floor(first - off(first)), xp.ceil(last + off(last))


def _staged(rows: LaidOut, ends: Any, place: int) -> tuple[Any, Any]:
    """Return counts (columns, 3), and the staged keys of each column, filled up."""
    outer, length, inner = rows.shape
    counts = cupy.zeros((outer * inner, 3), np.uint32)
    staged = cupy.full((outer * inner, place), rows.bits.last, rows.dtype)
    warps = outer * -(-inner // LANES) * -(-length // EACH)
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_staged", THREADS=THREADS, CAPACITY=CAPACITY),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step), np.uint32(length)),
            *(np.uint32(outer), np.uint32(inner), ends, np.uint32(EACH)),
            *(counts, staged, np.uint32(place)),
        ),
        -(-warps * LANES // THREADS),
        threads=THREADS,
        shared=CAPACITY * THREADS * rows.dtype.itemsize,
    )
    return counts, staged


def _repair(rows: LaidOut, ranks: Any, counts: Any, place: int, keys: Any) -> None:
    outer, length, inner = rows.shape
    rows.launcher.run_blocks(
        rows.launcher.kernel("columns_missed", THREADS=MISSED),
        (
            *(rows.keys, np.uint64(rows.outer_step), np.uint64(rows.step), np.uint32(length)),
            *(np.uint32(inner), ranks, np.uint32(ranks.shape[1])),
            *(counts, np.uint32(place), keys),
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
