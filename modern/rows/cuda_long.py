"""Long rows on a GPU that are too few to give each a block: three launches for all rows.

1. A block for each row takes a sample, which gives the bracket of a rank, or the bound of the first
   keys.
2. One read of all keys: all blocks have parts of equal size, and stage the keys in the brackets.
3. Blocks that wait for each other find the answer of a row among its staged keys. Where the counts
   show that the bracket has missed, they narrow the row by histograms, each of which reads it once.

Nothing waits for the device.
"""

from typing import Any, NamedTuple

import numpy as np

from modern.launching.waiting import Launcher, room
from modern.primitives.one_read import BINS, THREADS, UNROLL, capacity_of
from modern.rows.cuda_layout import LaidOut
from modern.rows.cuda_long_shapes import FIRST_WIDE, HELD, Shape, first_room, shape_of
from modern.rows.cuda_shapes import staged
from shadersort.selection.primitives.one_read import LOAD, WIDE
from shadersort.selection.top_keys import MAGNITUDE

LARGE = 1 << 29
"""Rows of so many bytes are better read by one launch each (one_read)."""

RANKS = 4
"""Ranks whose brackets are read at the same time: their blocks share what the cache holds."""

SHARE = 512
"""An end of the bracket has at most 1 in so many keys of the sample: SHARE in the kernels."""

MANY = 256
"""Keys of a row that equal a bound: so many are collected by their places."""

JOB, COLUMN = 11 * 8, 16 + 3 * 2048 * 8
"""Bytes of `Job` in long_ranks.cuh, which is the larger one, and of `Column` in row_parts.cuh."""


class Given(NamedTuple):
    """What the rows of a call are, whose keys are neighbours; answers have `inner` places."""

    launcher: Launcher
    keys: Any
    rows: int
    length: int
    step: int
    inner: int

    @property
    def itemsize(self) -> int:
        """The bytes of a key."""
        return self.launcher.raw.itemsize

    def shape(self, jobs: int) -> Shape:
        """Return how the rows are divided for some jobs."""
        launcher = self.launcher
        return shape_of(
            *(self.length, self.rows, jobs, self.itemsize),
            *(launcher.processors, launcher.most_shared),
        )

    @property
    def of_row(self) -> tuple[Any, ...]:
        """What kernels get that have a row for each block."""
        return self.keys, np.uint32(self.length), np.uint64(self.step)

    @property
    def of_all(self) -> tuple[Any, ...]:
        """What kernels get whose blocks have parts of rows."""
        return self.keys, np.uint32(self.rows), np.uint32(self.length), np.uint64(self.step)

    def run(
        self,
        name: str,
        arguments: tuple[Any, ...],
        grid: int | tuple[int, int],
        shared: int,
        macros: dict[str, int],
        together: bool = False,
    ) -> None:
        """Launch a kernel, whose blocks wait for each other if they run `together`."""
        launcher = self.launcher
        kernel = launcher.kernel(name, THREADS=THREADS, UNROLL=UNROLL, **macros)
        launch = launcher.run_together if together else launcher.run_blocks
        launch(kernel, arguments, blocks=grid, threads=THREADS, shared=shared)


def given(rows: LaidOut, keys: Any, step: int, count: int, inner: int) -> Given:
    """Return what some rows are: all of `rows`, or some that were turned."""
    return Given(rows.launcher, keys, count, rows.shape[1], step, inner)


def ranks(rows: Given, ask: int, wanted: Any, own: bool, found: Any) -> None:
    """Find keys of ranks, or medians; `wanted` and `found` are (outer, count, inner).

    `wanted` are the ranks on the device: `own` ones of each row, or (count,) of all rows.
    """
    count = found.shape[1]
    asked = (
        np.uint64(0) if wanted is None else wanted,
        *map(np.uint32, (count, own, rows.inner)),
    )
    for start in range(0, count, RANKS):
        _some_ranks(rows, ask, asked, found, start, min(RANKS, count - start))


def _some_ranks(
    rows: Given, ask: int, asked: tuple[Any, ...], found: Any, start: int, some: int
) -> None:
    """Find keys of `some` ranks from number `start` on."""
    shape, capacity = (
        rows.shape(rows.rows * some),
        capacity_of(rows.launcher.most_shared, rows.itemsize),
    )
    place = int(1.25 * staged(rows.length, shape.sampled, WIDE, SHARE)) + 1024
    jobs, inside = (
        room(rows.rows * some * JOB, np.uint8),
        room(rows.rows * some * place, rows.launcher.raw),
    )
    columns, groups = room(shape.columns * COLUMN, np.uint8), np.uint32(shape.columns)
    kept = jobs, inside, np.uint64(place)
    part, macros = (np.uint32(start), np.uint32(some)), {"CAPACITY": capacity}
    sample = np.uint32(shape.samples), np.float32(WIDE)
    rows.run(
        "long_ranks_sampled",
        (*rows.of_row, *asked, *part, *sample, jobs, columns, groups),
        rows.rows * some,
        BINS + shape.samples * THREADS * LOAD,
        {**macros, "ASK": ask},
    )
    rows.run(
        "long_ranks_read",
        (*rows.of_all, part[1], np.uint32(shape.pieces), *kept),
        (1, shape.readers * some),
        BINS + capacity * THREADS * rows.itemsize,
        {**macros, "ASK": 0},
    )
    rows.run(
        "long_ranks_found",
        (*rows.of_all, *asked, found, *part, *kept, columns),
        (shape.parts, shape.columns),
        BINS,
        {**macros, "ASK": ask},
        together=True,
    )


class _Entries(NamedTuple):
    """Staged keys of all rows with their places, and lists of the places of equal ones."""

    jobs: Any
    orders: Any
    places: Any
    room: np.uint32
    equals: Any
    numbers: Any


def _entries(rows: Given, count: int, shape: Shape) -> _Entries:
    size, lists = first_room(rows.length, count, shape.sampled), shape.readers + rows.rows
    return _Entries(
        room(rows.rows * JOB, np.uint8),
        room((rows.rows, size), rows.launcher.raw),
        room((rows.rows, size), np.uint32),
        np.uint32(size),
        room((lists, count), np.uint32),
        room(lists, np.uint32),
    )


def firsts(rows: Given, by: int, in_order: bool, values: Any, places: Any) -> None:
    """Find the first keys of each row in an order, and their places: (outer, count, inner)."""
    count, shape = values.shape[1], rows.shape(rows.rows)
    number, pieces = np.uint32(count), np.uint32(shape.pieces)
    entries, blocks = _entries(rows, count, shape), shape.columns * shape.parts
    own, numbers = room((blocks, count), np.uint32), room(blocks, np.uint32)
    columns, groups = room(shape.columns * COLUMN, np.uint8), np.uint32(shape.columns)
    macros = {"BY": by, "MAGNITUDE": int(by == MAGNITUDE)}
    sample = np.uint32(shape.samples), np.uint32(MANY), np.float32(FIRST_WIDE)
    held = BINS + HELD * (rows.itemsize + 4)
    rows.run(
        "long_firsts_sampled",
        (*rows.of_row, number, *sample, entries.jobs, columns, groups),
        rows.rows,
        BINS + shape.samples * THREADS * LOAD,
        macros,
    )
    rows.run(
        "long_firsts_read",
        (*rows.of_all, number, pieces, *entries),
        (1, shape.readers),
        held,
        macros,
    )
    wanted = np.uint32(rows.inner), number, np.uint32(in_order), values, places
    readers = pieces, np.uint32(shape.readers)
    rows.run(
        "long_firsts_found",
        (*rows.of_all, *wanted, *readers, *entries, own, numbers, columns),
        (shape.parts, shape.columns),
        held,
        macros,
        together=True,
    )
