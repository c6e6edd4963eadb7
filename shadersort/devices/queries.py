"""Occlusion queries: how many fragments a pass let through."""

from collections.abc import Iterator
from contextlib import contextmanager

import moderngl

from shadersort.devices.base import Counter

__all__ = ["Queries"]


class Queries:
    """The queries of a device. They are kept and used again: moderngl cannot release one."""

    def __init__(self, gl: moderngl.Context) -> None:
        self._gl = gl
        self._idle: list[moderngl.Query] = []

    @contextmanager
    def counting(self, wanted: bool) -> Iterator[Counter | None]:
        """Count what is drawn inside, if that is wanted; the counter may be called once."""
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
