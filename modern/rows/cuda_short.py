"""Rows and columns of up to 32 or 64 keys on a GPU: a thread has one in its registers.

Neighbouring threads read neighbouring columns, and whole lines of memory with that. Rows whose keys
are neighbours are read by 16 bytes at a time where their length allows it.
"""

from typing import Any

import numpy as np

from modern.launching.waiting import room
from modern.rows.cuda_layout import LANES, LaidOut
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import MAGNITUDE

SECTOR = 32
"""Bytes of memory that are read together, at least."""

WORD = 4
"""Bytes of a register."""

MOST_COLUMNS = 1 << 32
"""So many columns are too many: the kernels number them in 32 bits."""


def suits(rows: LaidOut) -> bool:
    """Whether rows are short and few enough for a thread each, with the places of their keys."""
    outer, length, inner = rows.shape
    return bool(length <= LANES and outer * inner < MOST_COLUMNS)


def suits_ranks(rows: LaidOut) -> bool:
    """Whether a thread can sort a row in its registers."""
    outer, length, inner = rows.shape
    itemsize = rows.dtype.itemsize
    if inner * itemsize < SECTOR:
        return suits(rows)
    most = LANES if itemsize > WORD else 2 * LANES
    return bool(length <= most and outer * inner < MOST_COLUMNS)


def _is_aligned(rows: LaidOut) -> bool:
    """Whether rows are of whole loads of neighbouring keys, and begin where loads do."""
    _, length, inner = rows.shape
    each = LOAD // rows.dtype.itemsize
    near = inner == 1 and (rows.step == 1 or length == 1)
    whole = length % each == 0 and rows.outer_step % each == 0
    return bool(near and whole and rows.keys.data.ptr % LOAD == 0)


def ranks(rows: LaidOut, ask: int, arguments: tuple[Any, ...]) -> None:
    """Find keys of ranks, or medians; `arguments` are those of row_ranks_by_warp."""
    kernel = rows.launcher.kernel(
        "column_ranks_by_thread", LENGTH=rows.shape[1], ASK=ask, ALIGNED=int(_is_aligned(rows))
    )
    rows.launcher.run_threads(kernel, arguments, rows.shape[0] * rows.shape[2])


def first(rows: LaidOut, by: int, count: int, in_order: bool) -> tuple[Any, Any]:
    """Return the first keys of each row, and their places: (outer, count, inner)."""
    outer, length, inner = rows.shape
    values, places = room((outer, count, inner), rows.dtype), room((outer, count, inner), np.int64)
    kernel = rows.launcher.kernel(
        "column_firsts_by_thread",
        **{"LENGTH": length, "ALIGNED": int(_is_aligned(rows)), "IN_ORDER": int(in_order)},
        **{"FIRSTS": 1 << (count - 1).bit_length(), "BY": by, "MAGNITUDE": int(by == MAGNITUDE)},
    )
    arguments = (
        *(rows.keys, np.uint64(outer * inner), np.uint64(rows.outer_step), np.uint64(rows.step)),
        *(np.uint32(inner), np.uint32(count), values, places),
    )
    rows.launcher.run_threads(kernel, arguments, outer * inner)
    return values, places
