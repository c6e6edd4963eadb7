"""Products of points and queries on a GPU, of which few are kept.

One launch makes them on tensor cores, and looks at them in registers. If there are many features,
or an old device, blocks of products as small as the cache are written, and a kernel looks at each
block while it is there. Nothing waits before the last product.
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

MOST_FEATURES = 32
"""Features of queries whose coordinates stay in registers (candidates_multiplied.cu)."""

TOGETHER = 128
"""Queries of a block of candidates_multiplied.cu."""

TILE = 64
"""Points that it looks at together."""

WAVES = 16
"""Its blocks for each multiprocessor: with many, none waits long for the last ones."""

LEAST = 64
"""Candidates of a query in a slice for which there is room, at least."""

LANES = 8
"""Threads that compute a squared distance together: EACH in pair_squares.cu."""

WARPS = 4
"""Queries of a block of threads, a warp for each."""


def squares(points: Any, queries: Any, pairs: tuple[Any, Any], scale: float) -> Any:
    """Return the squared distances of pairs: rows of queries, and places of points."""
    rows, places = (cupy.ascontiguousarray(each, np.int64) for each in pairs)
    kind = np.result_type(points.dtype, queries.dtype)
    points, queries = (cupy.ascontiguousarray(each, kind) for each in (points, queries))
    launcher, found = Launcher(kind), room(len(rows), np.float64)
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
        """Return the points whose products are at most the limits; None if there is no room.

        There is room for `most` of all queries together, and for more if each has its share.
        """
        each = min(SPARE * max(most // len(queries), 1), self._count)
        asked = cupy.ascontiguousarray(queries[:, :-1])
        suits = has_tensor_cores() and asked.shape[1] <= MOST_FEATURES
        staged = self._multiplied if suits else self._staged
        return self._joined(*staged(asked, cupy.ascontiguousarray(limits), each))

    def _multiplied(self, asked: Any, limits: Any, each: int) -> tuple[Any, Any, Any]:
        """Stage points within the limits by one launch: a part of the points for each slice."""
        count, (padded, features) = len(asked), self._coordinates.shape
        groups = -(-count // TOGETHER)
        slices = min(WAVES * self._launcher.processors // groups, padded // EACH, each // LEAST)
        slices = max(slices, 1)
        all_of_them = -(-padded // TILE // slices) * TILE
        place = all_of_them
        if each < self._count:
            place = min(all_of_them, max(each // slices, LEAST))
        counts = room((count, slices), np.uint32)
        places, sums = (room((count, slices, place), kind) for kind in (np.uint32, np.float32))
        self._launcher.kernel("candidates_multiplied", WIDE=-(-features // 8) * 8)(
            (groups, slices),
            (256,),
            (
                *(self._coordinates, np.uint32(features), np.uint32(padded), self._norms),
                *(asked, np.uint32(count), limits, counts, places, sums, np.uint32(place)),
            ),
        )
        return counts, places, sums

    def _staged(self, asked: Any, limits: Any, each: int) -> tuple[Any, Any, Any]:
        """Stage points within the limits, block by block of products, which are written."""
        count, (padded, _) = len(asked), self._coordinates.shape
        counts = cupy.zeros((count, 1), np.uint32)
        places, sums = (room((count, 1, each), kind) for kind in (np.uint32, np.float32))
        step = min(max(self._products // count // EACH, 1) * EACH, padded)
        kernel = self._launcher.kernel("candidates_staged")
        products = room(count * step, np.float32)
        for start in range(0, padded, step):
            some = self._coordinates[start : start + step]
            block = products[: count * len(some)].reshape(count, len(some))
            cupy.matmul(asked, some.T, out=block)
            self._launcher.run_blocks(
                kernel,
                (
                    *(block, np.uint32(len(some)), self._norms[start:], np.uint32(start)),
                    *(np.uint32(count), limits, counts, places, sums, np.uint32(each)),
                ),
                -(-count // WARPS),
                threads=WARPS * 32,
            )
        return counts, places, sums

    def _joined(self, counts: Any, places: Any, sums: Any) -> Within | None:
        """Return the candidates of all slices of each query; None if there was too little room."""
        count, slices, place = places.shape
        ends = cupy.cumsum(counts, axis=1, dtype=np.uint64)
        most, wide = (int(each) for each in (counts.max(), ends[:, -1].max()))
        if most > place:
            return None
        found = cupy.zeros((count, wide), np.int64), cupy.full((count, wide), np.nan)
        sizes = np.uint64(count * slices), np.uint32(slices)
        self._launcher.run_threads(
            self._launcher.kernel("candidates_joined"),
            (
                places,
                sums,
                np.uint32(place),
                counts,
                ends - counts,
                *sizes,
                *found,
                np.uint32(wide),
            ),
            32 * count * slices,
        )
        return Within(*found)

    def products(self, queries: Any) -> Any:
        """Return all products: (points, queries)."""
        found = cupy.matmul(self._coordinates[: self._count], queries[:, :-1].T)
        found += self._norms[: self._count, None]
        return found


def has_tensor_cores() -> bool:
    """Whether the current device multiplies floats split in two (candidates_multiplied.cu)."""
    return int(cupy.cuda.Device().compute_capability) >= 80


def error(features: int) -> float:
    """Return the largest error of a sum of products, as a share of the squared norms of both.

    A product is the sum of three products of shorter floats (candidates_multiplied.cu), and every
    addition on tensor cores may cut off a bit of the largest number that it adds.
    """
    return (8 * features + 32) * 2.0**-23
