"""Which texels of each buffer the passes of a program have written: the verifier asks for it."""

import numpy as np

from shadersort.drawing.passes import TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.keys.types import Integers, Mask

Cover = tuple[tuple[Integers, Integers], tuple[Integers, Integers]]
"""Columns and rows that quads cover, each with its texture coordinates."""


class Written:
    """Which texels of each buffer were written: at first, all texels of the input."""

    def __init__(self, program: Program) -> None:
        self._shape = (program.height, program.width)
        self._complete = {TEXTURE}
        self._partial: dict[str, Mask] = {}

    def everywhere(self, buffer: str) -> bool:
        """Whether every texel of the buffer was written."""
        return buffer in self._complete

    def inside(self, columns: Integers, rows: Integers) -> bool:
        """Whether columns and rows lie in the texture."""
        height, width = self._shape
        return bool(
            columns.min() >= 0 and columns.max() < width and rows.min() >= 0 and rows.max() < height
        )

    def contains(self, buffer: str, columns: Integers, rows: Integers) -> bool:
        """Whether the texels at all these columns and rows were written."""
        if buffer in self._complete:
            return True
        return buffer in self._partial and bool(self._partial[buffer][np.ix_(rows, columns)].all())

    def add(self, each: Pass, covers: list[Cover]) -> None:
        """Note the texels that a pass wrote. Its quads are disjoint, so their sizes add up."""
        height, width = self._shape
        if each.target in self._complete:
            return
        if each.texels == width * height:
            self._complete.add(each.target)
            return
        mask = self._partial.setdefault(each.target, np.zeros(self._shape, dtype=np.bool_))
        for (x, _), (y, _) in covers:
            mask[np.ix_(y, x)] = True
        if mask.all():
            self._complete.add(each.target)
