"""What the kernels of cells need on a device, and whether a device can have it."""

from functools import cache
from typing import NamedTuple

from modern.launching.waiting import Launcher
from shadersort.selection.primitives.cells import ENTRIES, HEAVY, NODES, SAMPLED
from shadersort.selection.primitives.one_read import LOAD

THREADS = 1024

STATIC = 2 << 10
"""Bytes of shared memory that a block needs beside tables and counters."""

AIMS = 1 << 15, 1 << 14
"""Cells that are aimed at: the first number whose counters fit into shared memory."""

MANY = 1 << 8
"""Up to this many ranks of keys of 32 bits, fewer cells are aimed at: counting them is faster."""

LISTS = 96 << 10
"""Bytes of the lists of staged keys in shared memory, at most."""


CHECKED = 2
"""Loads between two looks for a full list: in kernels/staging.cuh."""

COUNTED = 4
"""Counters of a cell that few different keys fill: in kernels/crowded.cuh."""


class Shape(NamedTuple):
    """How many cells are aimed at and how many there may be, and what the kernels need for them.

    Bytes of shared memory for the tables; keys that a thread can stage.
    """

    aim: int
    cells: int
    tables: int
    capacity: int

    def behind(self, itemsize: int, asked: int) -> int:
        """Return the bytes of shared memory behind the tables while keys are staged.

        Lists of keys, behind a flag for each cell; or shorter lists, behind flags, their prefix
        sums, and what a crowd needs for each rank (kernels/crowded.cuh).

        Examples
        --------
        >>> shape = shape_of(227 << 10, 8, many=True)
        >>> shape.behind(8, 1001), shape.behind(8, 2048)
        (103424, 116736)
        """
        shortest = (CHECKED * LOAD // itemsize + 1) * THREADS * itemsize
        crowd = self.cells // 4 + (2 * itemsize + 4 * COUNTED) * asked + shortest
        return max(self.cells // 8 + self.capacity * THREADS * itemsize, crowd)


@cache
def shape_of(most_shared: int, itemsize: int, *, many: bool) -> Shape | None:
    """Return the shape of the kernels on a device; None if it has too little shared memory.

    Examples
    --------
    >>> shape_of(227 << 10, 4, many=True)
    Shape(aim=32768, cells=40960, tables=40960, capacity=24)
    >>> shape_of(163 << 10, 8, many=True).aim
    16384
    >>> shape_of(99 << 10, 4, many=False)
    """
    tables = 16 * NODES + 4 * ENTRIES + itemsize * HEAVY
    for aim in AIMS if many else AIMS[-1:]:
        cells = aim + ENTRIES
        if tables + 4 * cells + ENTRIES + STATIC <= most_shared:
            capacity = min(LISTS, most_shared - tables - cells // 8 - STATIC) // THREADS // itemsize
            return Shape(aim, cells, tables, capacity)
    return None


def is_possible(launcher: Launcher, size: int) -> bool:
    """Whether the kernels can work on so many keys, on this device."""
    itemsize = launcher.dtype.itemsize
    if itemsize not in SAMPLED or size < 4 * SAMPLED[itemsize]:
        return False
    return shape_of(launcher.most_shared, itemsize, many=False) is not None
