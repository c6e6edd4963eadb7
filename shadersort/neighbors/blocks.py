"""Products of all points with some queries, block by block; small products are kept.

On a CPU each thread multiplies stacks of small matrices: the library of linear algebra starts no
threads of its own for these, and its threads would wait for each other, and for ours. Products
stay in a cache until they are compared with their limits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from shadersort.arrays import Home
from shadersort.selection.rows.chunks import in_threads

ALONE = 1 << 18
"""A product of two matrices that takes no more multiplications than this runs in one thread."""

LEAST = 8
"""Fewer points in a matrix of a stack are slow: one large matrix is multiplied instead."""

CACHED = 1 << 18
"""Products of a block on a CPU."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of points and queries whose products are within limits, in the order of the points."""

    points: Any
    queries: Any
    products: Any


@dataclass(frozen=True)
class Within:
    """The points whose products with a query are within its limit: a row for each query.

    Attributes
    ----------
    places
        (q, c): which points, ascending; zero behind the last one.
    products
        (q, c), float64: NaN behind the last one.
    """

    places: Any
    products: Any


class Blocks:
    """Points as rows of a matrix, multiplied with queries by blocks of rows.

    Examples
    --------
    >>> blocks = Blocks(np, np.array([[1.0, 0], [0, 2], [3, 3]], np.float32), 1 << 20)
    >>> blocks.within(np.ones((1, 2), np.float32), np.float32([2]), most=3)
    Within(places=array([[0, 1]]), products=array([[1., 2.]]))
    """

    def __init__(self, xp: Any, points: Any, memory: int) -> None:
        self._xp, self._points = xp, points
        self._products = max(min(CACHED, memory // 128) if xp is np else memory // 32, 1)

    def within(self, queries: Any, limits: Any, most: int) -> Within | None:
        """Return the points whose products are at most the limits; None for more than `most`."""
        pairs = self._pairs(queries, limits, most)
        return None if pairs is None else _in_rows(self._xp, pairs, len(limits))

    def _pairs(self, queries: Any, limits: Any, most: int) -> Pairs | None:
        """Return the pairs whose products are at most the limits; None for more than `most`."""
        xp, turned = self._xp, self._xp.ascontiguousarray(queries.T)
        found: dict[int, Pairs] = {}
        left, lock = [most], Lock()

        def do(block: tuple[int, int]) -> None:
            if left[0] < 0:
                return
            products = xp.empty((block[1] - block[0], len(limits)), np.float32)
            self._multiply(block, turned, products)
            flat = xp.flatnonzero(products <= limits)
            with lock:
                left[0] -= len(flat)
                if left[0] < 0:
                    return
            rows = flat // len(limits)
            kept = products.reshape(-1)[flat]
            found[block[0]] = Pairs(rows + block[0], flat - rows * len(limits), kept)

        self._each(len(queries), do)
        return None if left[0] < 0 else _joined(xp, [found[start] for start in sorted(found)])

    def products(self, queries: Any) -> Any:
        """Return all products: (points, queries)."""
        turned = self._xp.ascontiguousarray(queries.T)
        found = self._xp.empty((len(self._points), len(queries)), np.float32)
        self._each(len(queries), lambda block: self._multiply(block, turned, found[slice(*block)]))
        return found

    def _each(self, queries: int, do: Callable[[tuple[int, int]], None]) -> None:
        """Call a function with every block: in threads, if products start none of their own."""
        shared = len(self._points) * queries if self._small(queries) else 0
        in_threads(self._blocks(queries), do, shared)

    def _small(self, queries: int) -> int:
        """Return how many points a matrix of a stack has; 0 for no stacks."""
        few = ALONE // (queries * self._points.shape[1])
        return few if self._xp is np and few >= LEAST else 0

    def _blocks(self, queries: int) -> Iterator[tuple[int, int]]:
        """Yield where blocks of points begin and end."""
        few = self._small(queries)
        step = max(self._products // queries, 1)
        step = max(step // few, 1) * few if few else step
        for start in range(0, len(self._points), step):
            yield start, min(start + step, len(self._points))

    def _multiply(self, block: tuple[int, int], turned: Any, found: Any) -> None:
        """Write the products of a block: (points, queries)."""
        points, few = self._points[slice(*block)], self._small(turned.shape[1])
        whole = len(points) // few * few if few else 0
        if whole:
            stack = points[:whole].reshape(-1, few, points.shape[1])
            np.matmul(stack, turned, out=found[:whole].reshape(-1, few, turned.shape[1]))
        if whole < len(points):
            self._xp.matmul(points[whole:], turned, out=found[whole:])


def blocks_of(home: Home, points: Any, memory: int) -> Any:
    """Return points as blocks, in the way of their home."""
    own = home.steps.blocks(points, memory)
    return Blocks(home.xp, points, memory) if own is None else own


def _joined(xp: Any, pairs: list[Pairs]) -> Pairs:
    columns = [[each.points, each.queries, each.products] for each in pairs]
    return Pairs(*(xp.concatenate(column) for column in zip(*columns, strict=True)))


def _in_rows(xp: Any, found: Pairs, count: int) -> Within:
    """Return pairs in rows, a row for each of so many queries."""
    counts = xp.bincount(found.queries, minlength=count)
    order = xp.argsort(found.queries.astype(np.uint16), kind="stable")
    queries = found.queries[order]
    slots = xp.arange(len(order)) - (xp.cumsum(counts) - counts)[queries]
    shape = count, int(counts.max())
    places = xp.zeros(shape, np.int64)
    places[queries, slots] = found.points[order]
    products = xp.full(shape, np.nan)
    products[queries, slots] = found.products[order]
    return Within(places, products)
