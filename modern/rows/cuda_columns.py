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


class Found(NamedTuple):
    """Keys of ranks (outer, count, inner), their ranks, and the numbers of each column."""

    keys: Any
    ranks: Any
    numbers: Any


def suits(shape: tuple[int, int, int], count: int) -> bool:
    """Whether columns are many, long, and asked for few ranks."""
    return shape[2] >= LANES and shape[1] >= LEAST and count <= MOST_RANKS


def found_in_columns(
    rows: LaidOut, of: Callable[[Any], Any], ranks_of: Callable[[Any], Any], by_numbers: bool
) -> Found:
    """Find keys of ranks in all columns.

    `of` makes rows of an array (outer, length, inner). `ranks_of` returns the ranks, int64 (outer,
    count, inner), given how many numbers each column has, (outer, inner). If `by_numbers`, they
    depend on that.
    """
    outer, length, inner = rows.shape
    count = min(MOST_SAMPLED, length // 16)
    sample = of(_sampled(rows, count)[:, :, None])
    given = sample.numbers() * (length / count) if by_numbers else length
    given = cupy.broadcast_to(cupy.asarray(given, np.int64).reshape(-1, 1), (outer * inner, 1))
    aimed = ranks_of(given.reshape(outer, inner)).transpose(0, 2, 1).reshape(outer * inner, -1)
    ends = _ends(sample, aimed * (count / length), count).reshape(outer, inner, 2)
    ends = cupy.ascontiguousarray(ends.transpose(0, 2, 1))
    place = int(length * min(1.0, 1.25 * _widest(count) / count)) + 1024
    counts, staged = _staged(rows, ends, place)
    numbers = counts[..., 2].astype(np.int64)
    ranks = cupy.ascontiguousarray(ranks_of(numbers))
    inside = cupy.clip(ranks - counts[:, None, :, 0].astype(np.int64), 0, place - 1)
    inside = cupy.ascontiguousarray(inside.transpose(0, 2, 1)).reshape(outer * inner, -1, 1)
    keys = of(staged[:, :, None]).ranks_of_rows(inside).reshape(outer, inner, -1)
    keys = cupy.ascontiguousarray(keys.transpose(0, 2, 1))
    _repair(rows, ranks, counts, place, keys)
    return Found(keys, ranks, numbers)


def _widest(count: int) -> float:
    """Return how many keys of a sample are inside a bracket, at most."""
    return float(2 * (WIDE * np.sqrt(count / 4) + WIDE**2) + 2)


def _sampled(rows: LaidOut, count: int) -> Any:
    outer, length, inner = rows.shape
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
    return sample


def _ends(sample: Any, aimed: Any, count: int) -> Any:
    """Return the ends of brackets around ranks of the sample: (rows, 2, 1)."""
    first, last = aimed.min(axis=1), aimed.max(axis=1)

    def off(middle: Any) -> Any:
        return WIDE * cupy.sqrt(cupy.maximum(middle * (1 - middle / count), 0)) + WIDE**2

    low, high = cupy.floor(first - off(first)), cupy.ceil(last + off(last))
    both = cupy.stack([low, high], axis=1).astype(np.int64)
    ends = sample.ranks_of_rows(cupy.clip(both, 0, count - 1)[:, :, None])[..., 0]
    least, most = _extremes(sample.dtype)
    ends[:, 0] = cupy.where(low < 0, least, ends[:, 0])
    ends[:, 1] = cupy.where((high >= count) | (ends[:, 1] != ends[:, 1]), most, ends[:, 1])
    return ends


def _extremes(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    if dtype.kind == "f":
        return dtype.type(-np.inf), dtype.type(np.inf)
    return dtype.type(np.iinfo(dtype).min), dtype.type(np.iinfo(dtype).max)


def _staged(rows: LaidOut, ends: Any, place: int) -> tuple[Any, Any]:
    """Return counts (outer, inner, 3), and the staged keys of each column, filled up."""
    outer, length, inner = rows.shape
    counts = cupy.zeros((outer, inner, 3), np.uint32)
    filling = rows.dtype.type(np.nan) if rows.dtype.kind == "f" else _extremes(rows.dtype)[1]
    staged = cupy.full((outer * inner, place), filling, rows.dtype)
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


def medians_of(found: Found, length: int, nan: bool) -> Any:
    """Return the means of two middle keys (outer, inner), in the type that NumPy gives them."""
    kind = found.keys.dtype
    wide = np.dtype(np.float32 if kind == np.float16 else kind if kind.kind == "f" else np.float64)
    low, high = (found.keys[:, i].astype(wide) for i in (0, 1))
    same = found.ranks[:, 0] == found.ranks[:, 1]
    means = cupy.where(same, low, (low + high) / wide.type(2))
    if kind.kind != "f":
        return means
    bad = found.numbers == 0 if nan else found.numbers < length
    return cupy.where(bad, wide.type(np.nan), means).astype(kind)
