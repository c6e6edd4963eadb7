"""Occlusion queries: how many fragments a pass let through."""

from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

from shadersort.drawing.devices.base import Counter


class Queries:
    """The queries of a device. They are used again, because moderngl cannot release them.

    A query whose counter is never read, as after an interruption, waits until the device is closed.
    A finalizer could give it back, but would lose a Ctrl-C that arrives in it.
    """

    def __init__(self, gl: moderngl.Context) -> None:
        self._gl = gl
        self._idle: list[moderngl.Query] = []

    @contextmanager
    def counting(self, wanted: bool) -> Iterator[Counter | None]:
        """Count fragments drawn in the block, if wanted; reuse a query once its counter is read."""
        if not wanted:
            yield None
            return
        query = self._idle.pop() if self._idle else self._gl.query(samples=True)

        def counter() -> int:
            fragments: int = query.samples
            self._idle.append(query)
            return fragments

        with query:
            yield counter
