"""Products of points and queries on a GPU, of which few are kept.

Blocks of products are as small as the cache. A kernel looks at each block while it is there, and
stages the points that are within the limits; nothing waits before the last block.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room
from shadersort.neighbors.blocks import Within

PRODUCTS = 1 << 23
"""Of a block: as many as stay in the cache of a large GPU, which are written and read once."""

EACH = 512
"""Products that a warp reads at once; a block has a multiple of so many points."""

SPARE = 4
"""There is room for so many times the candidates that a query has on the average."""

LANES = 8
"""Threads that compute a squared distance together: EACH in pair_squares.cu."""

WARPS = 4
"""Queries of a block of threads, a warp for each."""


def squares(points: Any, queries: Any, pairs: tuple[Any, Any], scale: float) -> Any:
    """Return the squared distances of pairs: rows of queries, and places of points."""
    rows, places = (cupy.ascontiguousarray(each, np.int64) for each in pairs)
    launcher, found = Launcher(np.dtype(points.dtype)), room(len(rows), np.float64)
    points, queries = (cupy.ascontiguousarray(each) for each in (points, queries))
    if len(rows):
        sizes = np.uint64(len(rows)), np.float64(scale)
        arguments = points, queries, np.uint32(points.shape[1]), rows, places, *sizes, found
        launcher.run_threads(launcher.kernel("pair_squares"), arguments, LANES * len(rows))
    return found


class CUDABlocks:
    """Points as rows of a matrix, multiplied with queries by blocks of points.

    Parameters
    ----------
    points
        (n, p + 1), float32: coordinates, and what is added to the product of the coordinates.
    memory
        Bytes for products.
    """

    def __init__(self, points: Any, memory: int) -> None:
        count, wide = points.shape
        padded = -(-count // EACH) * EACH
        self._count, self._products = count, min(PRODUCTS, memory // 16)
        self._coordinates = cupy.zeros((padded, wide - 1), np.float32)
        self._coordinates[:count] = points[:, :-1]
        self._norms = cupy.full(padded, np.nan, np.float32)  # NaN is within no limit
        self._norms[:count] = points[:, -1]
        self._launcher = Launcher(np.dtype(np.float32))

    def within(self, queries: Any, limits: Any, most: int) -> Within | None:
        """Return the points whose products are at most the limits; None for about `most`."""
        count = len(queries)
        place = min(SPARE * max(most // count, 1), self._count)
        counts = cupy.zeros(count, np.uint32)
        places, sums = (room((count, place), kind) for kind in (np.uint32, np.float32))
        self._stage(cupy.ascontiguousarray(queries[:, :-1]), limits, counts, places, sums)
        wide = int(counts.max())
        if wide > place:
            return None
        behind = cupy.arange(wide) >= counts[:, None]
        found = cupy.where(behind, np.float64(np.nan), sums[:, :wide])
        return Within(cupy.where(behind, np.int64(0), places[:, :wide]), found)

    def _stage(self, queries: Any, limits: Any, counts: Any, places: Any, sums: Any) -> None:
        """Stage the points within the limits, block by block."""
        count, (padded, _) = len(queries), self._coordinates.shape
        step = min(max(self._products // count // EACH, 1) * EACH, padded)
        kernel = self._launcher.kernel("candidates_staged")
        products = room(count * step, np.float32)
        for start in range(0, padded, step):
            some = self._coordinates[start : start + step]
            block = products[: count * len(some)].reshape(count, len(some))
            cupy.matmul(queries, some.T, out=block)
            self._launcher.run_blocks(
                kernel,
                (
                    *(block, np.uint32(len(some)), self._norms[start:], np.uint32(start)),
                    *(np.uint32(count), limits, counts, places, sums),
                    np.uint32(places.shape[1]),
                ),
                -(-count // WARPS),
                threads=WARPS * 32,
            )

    def products(self, queries: Any) -> Any:
        """Return all products: (points, queries)."""
        found = cupy.matmul(self._coordinates[: self._count], queries[:, :-1].T)
        found += self._norms[: self._count, None]
        return found
