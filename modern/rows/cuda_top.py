"""The first keys of the rows of a CuPy array. Nothing waits for the device.

| rows | first keys by |
|---|---|
| asked for one first key | cuda_extremes.py: one read |
| of up to 32 keys, also columns | column_firsts_by_thread (cuda_short.py): one read |
| of up to 1,024 keys, also columns | row_firsts_by_warp: one read |
| long columns | columns_firsts_staged (cuda_column_firsts.py): one read, and a sample |
| longer rows, up to 1,024 first keys | row_firsts_by_block: one read, and a sample |
| long and few, up to 1,024 first keys | long_firsts, three launches for all: the same |
| others, and ties "highest" | cuda_sorts.py |
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import room
from modern.rows import cuda_long as long_rows
from modern.rows.cuda_layout import (
    LANES,
    MOST_BLOCKS,
    LaidOut,
    column_threads_for,
    items_for,
    shared_for,
    threads_for,
)
from modern.rows.cuda_long_shapes import suits
from modern.rows.cuda_shapes import MOST_SAMPLES, WIDE, blocks_for
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import MAGNITUDE

MOST = 1 << 10
"""First keys that a block finds in shared memory, at most."""

FEW = 1 << 7
"""Up to this many first keys a block stages up to MOST keys; for more, twice as many."""

NEAR = 1 << 16
"""Keys of a row whose places have 16 bits: they are sorted together with keys of as many bits."""

KEPT = 4
"""Sampled loads of each thread that are kept in shared memory, at most: as in row_sources.cuh."""


def by_warps(rows: LaidOut, by: int, count: int, in_order: bool) -> tuple[Any, Any]:
    """Return the first keys of rows of up to 1,024 keys, and their places: a warp for each row."""
    outer, length, inner = rows.shape
    items, entries = items_for(length), max(LANES, 1 << (count - 1).bit_length())
    itemsize = rows.dtype.itemsize
    threads = threads_for(itemsize, entries)
    if inner > 1:
        threads = column_threads_for(inner, items, itemsize, rows.launcher.most_shared, entries)
    warps = threads // LANES
    values, places = room((outer, count, inner), rows.dtype), room((outer, count, inner), np.int64)
    rows.launcher.run_blocks(
        rows.launcher.kernel(
            "row_firsts_by_warp",
            **{"THREADS": threads, "ITEMS": items, "LAYOUT": 2 if inner > 1 else 0},
            **{"WHOLE": int(length == items * LANES)},
            **{"BY": by, "MAGNITUDE": int(by == MAGNITUDE)},
            **{"SORTED": entries, "IN_ORDER": int(in_order)},
        ),
        (
            *(rows.keys, np.uint64(outer * inner), np.uint32(length)),
            *(np.uint64(rows.outer_step), np.uint64(rows.step), np.uint32(inner)),
            *(np.uint32(count), values, places),
        ),
        outer * -(-inner // warps) if inner > 1 else -(-outer // warps),
        threads=threads,
        shared=shared_for(items, threads, itemsize, entries),
    )
    return values, places


def by_blocks(
    rows: LaidOut, keys: Any, row_step: int, by: int, in_order: bool, values: Any, places: Any
) -> None:
    """Find the first keys of longer rows, whose keys are neighbours: a block for each, or all."""
    outer, count, inner = values.shape
    launcher, length, itemsize = rows.launcher, rows.shape[1], rows.dtype.itemsize
    processors, most = launcher.processors, launcher.most_shared
    if suits(length, outer * inner, itemsize, processors):
        some = long_rows.given(rows, keys, row_step, outer * inner, inner)
        long_rows.firsts(some, by, in_order, values, places)
        return
    shape = blocks_for(length, outer * inner, itemsize, processors, most)
    staged = MOST if count <= FEW else 2 * MOST
    kept = shape.samples if shape.samples <= KEPT else 0
    launcher.run_blocks(
        launcher.kernel(
            "row_firsts_by_block",
            **{
                "THREADS": shape.threads,
                "BY": by,
                "MAGNITUDE": int(by == MAGNITUDE),
                "MOST": staged,
                "NEAR": int(itemsize <= 2 and length <= NEAR),
            },
        ),
        (
            *(keys, np.uint64(outer * inner), np.uint32(length), np.uint64(row_step)),
            *(np.uint32(inner), np.uint32(count), np.uint32(in_order), values, places),
            *(np.uint32(shape.samples or MOST_SAMPLES), np.float32(WIDE)),
        ),
        min(outer * inner, MOST_BLOCKS),
        threads=shape.threads,
        shared=16 * shape.threads + max(staged * (itemsize + 4), kept * LOAD * shape.threads),
    )


def places_of(same: Any, highest: bool) -> Any:
    """Return the first place of each row where a key is wanted, or the last one."""
    if highest:
        return same.shape[1] - 1 - cupy.argmax(same[:, ::-1], axis=1).astype(np.int64)
    return cupy.argmax(same, axis=1).astype(np.int64)
