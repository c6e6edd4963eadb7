"""The first keys of the rows of a CuPy array, and sorted rows. Nothing waits for the device.

| rows | first keys by |
|---|---|
| of up to 1,024 keys, also columns | row_firsts_by_warp: one read |
| longer ones, up to 1,024 first keys | row_firsts_by_block: one read, and a sample |
| others, and ties "highest" | CuPy's sort of codes and places |

The sort is of codes and places in one word of 64 bits, for keys of up to 32 bits, and a stable
`argsort` for longer ones. For it, columns are copied to rows.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from modern.rows.cuda_layout import LANES, MOST_BLOCKS, LaidOut, items_for, shared_for, threads_for
from modern.rows.cuda_shapes import MOST_SAMPLES, WIDE, blocks_for
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import MAGNITUDE

HALF = np.uint64(32)

MOST = 1 << 10
"""First keys that a block finds in shared memory, at most."""

FEW = 1 << 7
"""Up to this many first keys a block stages up to MOST keys; for more, twice as many."""

NEAR = 1 << 16
"""Keys of a row whose places have 16 bits: they are sorted together with keys of as many bits."""

KEPT = 4
"""Sampled loads of each thread that are kept in shared memory, at most: as in row_sources.cuh."""

_numbers_first: Any = cupy.ElementwiseKernel(
    "raw T keys, raw int64 signed_nans, int64 length",
    "T moved",
    "long long row = i / length;"
    "moved = keys[row * length + (i % length + signed_nans[row]) % length]",
    "signed_nans_last",
)


def by_warps(rows: LaidOut, by: int, count: int, in_order: bool) -> tuple[Any, Any]:
    """Return the first keys of rows of up to 1,024 keys, and their places: a warp for each row."""
    outer, length, inner = rows.shape
    items, entries = items_for(length), max(LANES, 1 << (count - 1).bit_length())
    threads = threads_for(rows.dtype.itemsize, entries)
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
        shared=shared_for(items, threads, rows.dtype.itemsize) + warps * entries * 4,
    )
    return values, places


def by_blocks(
    rows: LaidOut, keys: Any, row_step: int, by: int, in_order: bool, values: Any, places: Any
) -> None:
    """Find the first keys of longer rows, whose keys are neighbours: a block for each row."""
    outer, count, inner = values.shape
    launcher, length, itemsize = rows.launcher, rows.shape[1], rows.dtype.itemsize
    processors, most = launcher.processors, launcher.most_shared
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


def by_sorts(rows: LaidOut, by: int, count: int, in_order: bool, highest: bool) -> tuple[Any, Any]:
    """Return the first keys of each row in an order, and their places, by a sort of whole rows."""
    turned = cupy.ascontiguousarray(rows.keys.transpose(0, 2, 1))
    ends = cupy.ascontiguousarray(turned[..., ::-1]) if highest else turned
    places = _in_order(order_codes(ends, rows.launcher, by))[..., :count]
    if highest:
        places = rows.shape[1] - 1 - places
    if not in_order:
        places = cupy.sort(places, axis=2)
    values = cupy.take_along_axis(turned, places, 2)
    return values.transpose(0, 2, 1), places.transpose(0, 2, 1)


def order_codes(rows: Any, launcher: Launcher, by: int) -> Any:
    """Return the codes of contiguous keys in an order, whose smallest values come first."""
    codes = room(rows.shape, launcher.raw)
    if rows.size:
        launcher.run(launcher.kernel("order_codes", BY=by), (rows, np.uint64(rows.size), codes))
    return codes


def _in_order(codes: Any) -> Any:
    """Return the places of the codes of each row in order; of equal codes, by their places."""
    if codes.itemsize > 4:
        return cupy.argsort(codes, axis=2, kind="stable")
    both = codes.astype(np.uint64) << HALF
    both |= cupy.arange(codes.shape[2], dtype=np.uint64)
    both.sort(axis=2)
    return (both & np.uint64(2**32 - 1)).view(np.int64)


def places_of(same: Any, highest: bool) -> Any:
    """Return the first place of each row where a key is wanted, or the last one."""
    if highest:
        return same.shape[1] - 1 - cupy.argmax(same[:, ::-1], axis=1).astype(np.int64)
    return cupy.argmax(same, axis=1).astype(np.int64)


def sorted_rows(keys: Any) -> Any:
    """Return each row in ascending order, NaNs last; CuPy puts NaNs with a sign first in some."""
    rows = cupy.sort(keys.transpose(0, 2, 1), axis=2)
    if keys.dtype.kind == "f" and rows.size:
        signed = cupy.count_nonzero(cupy.isnan(rows) & cupy.signbit(rows), axis=2)
        signed *= cupy.isnan(rows[:, :, 0])
        rows = _numbers_first(rows, signed.astype(np.int64), rows.shape[2], size=rows.size).reshape(
            rows.shape
        )
    return rows.transpose(0, 2, 1)
