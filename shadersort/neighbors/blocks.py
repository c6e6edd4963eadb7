"""Products of all points with some queries, block by block; small products are kept.

On a CPU each thread multiplies stacks of small matrices: the library of linear algebra starts no
threads of its own for these, and its threads would wait for each other, and for ours. Products
stay in a cache until they are compared with their limits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

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


class Blocks:
    """Points as rows of a matrix, multiplied with queries by blocks of rows.

    Examples
    --------
    >>> blocks = Blocks(np, np.array([[1.0, 0], [0, 2], [3, 3]], np.float32), 1 << 20)
    >>> found = blocks.within(np.ones((1, 2), np.float32), np.float32([2]), most=3)
    >>> found.points, found.products
    (array([0, 1]), array([1., 2.], dtype=float32))
    """

    def __init__(self, xp: Any, points: Any, memory: int) -> None:
        self._xp, self._points = xp, points
        self._products = max(min(CACHED, memory // 64) if xp is np else memory // 16, 1)

    def within(self, queries: Any, limits: Any, most: int) -> Pairs | None:
        """Return the pairs whose products are at most the limits; None for more than `most`."""
        xp, turned = self._xp, self._xp.ascontiguousarray(queries.T)
        found: dict[int, Pairs] = {}
        left, lock = [most], Lock()

        def do(block: tuple[int, int]) -> None:
            if left[0] < 0:
                return
            products = self._multiplied(block, turned)
            flat = xp.flatnonzero(products <= limits)
            with lock:
                left[0] -= len(flat)
            rows = flat // len(limits)
            kept = products.reshape(-1)[flat]
            found[block[0]] = Pairs(rows + block[0], flat - rows * len(limits), kept)

        shared = len(self._points) * len(queries) if self._small(len(queries)) else 0
        in_threads(self._blocks(len(queries)), do, shared)
        return None if left[0] < 0 else _joined(xp, [found[start] for start in sorted(found)])

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

    def _multiplied(self, block: tuple[int, int], turned: Any) -> Any:
        """Return products of a block: (points, queries)."""
        points, few = self._points[slice(*block)], self._small(turned.shape[1])
        if not few:
            return points @ turned
        whole = len(points) // few * few
        found = np.empty((len(points), turned.shape[1]), np.float32)
        stack = points[:whole].reshape(-1, few, points.shape[1])
        np.matmul(stack, turned, out=found[:whole].reshape(-1, few, turned.shape[1]))
        np.matmul(points[whole:], turned, out=found[whole:])
        return found


def _joined(xp: Any, pairs: list[Pairs]) -> Pairs:
    columns = [[each.points, each.queries, each.products] for each in pairs]
    return Pairs(*(xp.concatenate(column) for column in zip(*columns, strict=True)))
