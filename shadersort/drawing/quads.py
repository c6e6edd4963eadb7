"""Quads: rectangles of texels with texture coordinates, repeated over a texture; frozen values."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shadersort.keys.types import Integers


@dataclass(frozen=True, slots=True)
class Quad:
    """A rectangle of texels, and the texture coordinates at its corners, both in texels.

    Corner (x0, y0) has the texture coordinates (s0, t0), corner (x1, y1) has (s1, t1). A texture
    coordinate that falls while its position grows mirrors the texture; it never stretches it.
    """

    x0: int
    y0: int
    x1: int
    y1: int
    s0: int
    t0: int
    s1: int
    t1: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """Repeat something `count` times, each (dx, dy) texels after the one before."""

    count: int = 1
    dx: int = 0
    dy: int = 0


@dataclass(frozen=True, slots=True)
class Quads:
    """A quad, drawn again and again: `inner` repeats it, `outer` repeats the row of repeats.

    Texture coordinates move along with the quad. So one small value stands for thousands of quads,
    and one instanced drawing call draws them.

    Examples
    --------
    >>> left_halves = Quads(Quad(0, 0, 2, 8, 4, 0, 2, 8), inner=Repeat(2, dx=4))
    >>> left_halves.columns()
    (array([0, 1, 4, 5]), array([3, 2, 7, 6]))
    """

    quad: Quad
    inner: Repeat = Repeat()
    outer: Repeat = Repeat()

    @property
    def count(self) -> int:
        """Number of quads drawn."""
        return self.inner.count * self.outer.count

    @property
    def texels(self) -> int:
        """Number of texels covered by all quads together."""
        q = self.quad
        return self.count * (q.x1 - q.x0) * (q.y1 - q.y0)

    def columns(self) -> tuple[Integers, Integers]:
        """Return the columns x that are covered, and the texture's column s at each."""
        q = self.quad
        return self._covered(q.x0, q.x1, q.s0, q.s1, "dx")

    def rows(self) -> tuple[Integers, Integers]:
        """Return the rows y that are covered, and the texture's row t at each."""
        q = self.quad
        return self._covered(q.y0, q.y1, q.t0, q.t1, "dy")

    def _covered(
        self, start: int, stop: int, first: int, last: int, axis: Literal["dx", "dy"]
    ) -> tuple[Integers, Integers]:
        """Return the positions covered along one axis, and the texture coordinate at each."""
        shifts = np.zeros(1, dtype=np.int64)
        for repeat in (self.inner, self.outer):
            if pitch := getattr(repeat, axis):
                shifts = np.add.outer(np.arange(repeat.count) * pitch, shifts).ravel()
        steps = np.arange(stop - start)
        coordinates = first + steps if last >= first else first - 1 - steps
        return (
            np.add.outer(shifts, start + steps).ravel(),
            np.add.outer(shifts, coordinates).ravel(),
        )


def whole(width: int, height: int) -> Quads:
    """Return one quad over the whole texture, textured with the very same place."""
    return Quads(Quad(0, 0, width, height, 0, 0, width, height))
