"""Steps of robust regression on a GPU: each reads the columns or the sizes once.

Sums of blocks are added in a fixed order, so the same data give the same bits.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from shadersort.robust.problem import Numbers

MOST_COLUMNS = 32
"""Columns whose numbers a thread holds; with more, products of matrices are as good."""

LINES = 32 << 10
"""Bytes of shared memory for the lines of a launch."""

SIDE = 4
"""The side of the squares in weighted_grams.cu."""

WARPS = 16
"""Of a block of weighted_grams.cu, at most."""

WARPS_AT_ONCE = 24
"""On a multiprocessor, with their registers."""

SUMS = 8
"""Blocks of trimmed_sums.cu for each multiprocessor."""


def residual_sizes(columns: Any, lines: Numbers) -> Any | None:
    """Return |lines @ columns|: (fits, rows)."""
    wide, rows = columns.shape
    if wide > MOST_COLUMNS:
        return None
    launcher = Launcher(np.dtype(np.float64))
    kernel = launcher.kernel("residual_sizes", WIDE=wide)
    found = room((len(lines), rows), np.float64)
    most = LINES // (8 * wide)
    for start in range(0, len(lines), most):
        some = cupy.asarray(lines[start : start + most])
        launcher.run(
            kernel,
            (columns, np.uint64(rows), some, np.uint32(len(some)), found[start : start + most]),
            shared=some.nbytes,
        )
    return found


def trimmed_sums(sizes: Any, bounds: Any) -> Any:
    """Return how many sizes are below the bounds and at them, and the sums of squares below."""
    fits, rows = sizes.shape
    launcher = Launcher(np.dtype(np.float64))
    blocks = SUMS * launcher.processors
    parts = room((fits, blocks, 3), np.float64)
    launcher.kernel("trimmed_sums")(
        (blocks, fits), (256,), (sizes, np.uint64(rows), cupy.ascontiguousarray(bounds), parts)
    )
    return parts.sum(axis=1)


def grams(columns: Any, numbers: Any, trimmed: tuple[Any, Any] | None) -> Any | None:
    """Return the Gram matrices of the columns, weighted for each fit."""
    wide, rows = columns.shape
    if wide > MOST_COLUMNS:
        return None
    launcher, fits = Launcher(np.dtype(np.float64)), len(numbers)
    across = -(-wide // SIDE)
    squares = across * (across + 1) // 2
    warps = min(squares, WARPS)
    groups = -(-squares // warps)
    slices = max(launcher.processors * WARPS_AT_ONCE // (warps * groups), 1)
    bounds, shares = trimmed or (numbers[:, :1], numbers[:, :1])
    parts = room((fits, slices, squares, SIDE, SIDE), np.float64)
    launcher.kernel("weighted_grams", WIDE=wide, TRIMMED=int(trimmed is not None))(
        (slices, groups, fits),
        (32, warps),
        (
            *(columns, np.uint64(rows), cupy.ascontiguousarray(numbers)),
            *(cupy.ascontiguousarray(each) for each in (bounds, shares)),
            parts,
        ),
    )
    return _whole(parts.sum(axis=1), across)[:, :wide, :wide]


def _whole(squares: Any, across: int) -> Any:
    """Return matrices whose upper triangles are given square by square."""
    found = cupy.empty((len(squares), across, SIDE, across, SIDE))
    for square, (down, right) in enumerate(zip(*np.triu_indices(across), strict=True)):
        found[:, down, :, right] = squares[:, square]
        found[:, right, :, down] = squares[:, square].transpose(0, 2, 1)
    return found.reshape(len(squares), across * SIDE, across * SIDE)
