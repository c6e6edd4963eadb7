"""The first or the last key of the rows of a CuPy array: one read, without a sample or a list.

| rows | kernel |
|---|---|
| whose keys are neighbours | row_extremes |
| columns | column_extremes |

Long rows are cut into pieces, so that all processors read. A second launch finds the first one of
the keys of each row's pieces: it needs a key for each piece, and 8 bytes if places are wanted.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from modern.launching.launch import room
from modern.rows.cuda_layout import LANES, THREADS, LaidOut
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST

BLOCKS = 32
"""Blocks for each multiprocessor, at least, if rows are long enough: some wait for others' end."""

RESIDENT = 2048
"""Threads that a multiprocessor runs at once, at most."""

STEPS = 8
"""A piece of a row has at least so many keys, or loads, for each thread."""

AHEAD_OF_ROWS, AHEAD_OF_COLUMNS = 4, 8
"""Loads in flight of each thread, at most."""

LOAD_OF_COLUMNS = 4
"""Bytes of a load from columns, if they lie so; or one key."""


FLIPPED = 2**32 - 1
"""All bits of a place: of flipped places, the lowest one is that of the highest place."""


class Cut(NamedTuple):
    """How rows are given to threads: how many have a row, their loads in flight, and pieces."""

    together: int  # threads of one row, or one piece of it
    ahead: int
    pieces: int
    each: int  # keys of a piece


@cache
def rows_cut(length: int, rows: int, itemsize: int, processors: int) -> Cut:
    """Return how rows are cut, if their keys are neighbours.

    Examples
    --------
    >>> rows_cut(16, 1 << 24, 4, 132)
    Cut(together=2, ahead=2, pieces=1, each=16)
    >>> rows_cut(1 << 24, 16, 4, 132)
    Cut(together=256, ahead=4, pieces=264, each=63552)
    """
    each = LOAD // itemsize
    loads = -(-length // each)
    together = min(_power(-(-loads // 2)), LANES)
    if rows * LANES < processors * RESIDENT and loads >= STEPS * THREADS:
        together = THREADS
    pieces = 1
    if together == THREADS:
        pieces = max(1, min(-(-BLOCKS * processors // rows), loads // (STEPS * THREADS)))
    ahead = min(AHEAD_OF_ROWS, _power(-(-loads // (together * pieces))))
    return _cut(together, ahead, pieces, length, each)


@cache
def columns_cut(length: int, columns: int, inner: int, wide: int, processors: int) -> Cut:
    """Return how columns are cut, of which `inner` are neighbours; `wide` keys are in a load.

    Examples
    --------
    >>> columns_cut(16, 1 << 24, 1 << 24, 1, 132)
    Cut(together=1, ahead=8, pieces=1, each=16)
    >>> columns_cut(1 << 20, 256, 256, 1, 132)
    Cut(together=8, ahead=8, pieces=528, each=1986)
    """
    ahead, together = min(AHEAD_OF_COLUMNS, _power(length)), 1
    loads, near = -(-columns // wide), min(LANES, -(-inner // wide))
    while together * _power(near) < THREADS and length >= 2 * together * ahead:
        if loads * together >= processors * RESIDENT and together * near >= LANES:
            break
        together *= 2
    tiles = -(-loads * together // THREADS)
    least = STEPS * together * ahead
    pieces = max(1, min(-(-BLOCKS * processors // tiles), length // least))
    return _cut(together, ahead, pieces, length, 1)


def _power(count: int) -> int:
    """Return the least power of two that is not below a number."""
    return 1 << (count - 1).bit_length()


def _cut(together: int, ahead: int, pieces: int, length: int, step: int) -> Cut:
    """Return a cut into pieces of equal lengths, multiples of `step`, the last one apart."""
    each = -(-length // (pieces * step)) * step if pieces > 1 else length
    return Cut(together, ahead, -(-length // each), each)


def suits(ks: Any, length: int) -> bool:
    """Whether ranks are those of the first and the last key only.

    Examples
    --------
    >>> suits(np.array([0, 9]), 10), suits(np.array([0, 5]), 10)
    (True, False)
    """
    return ks.size <= 2 and all(rank in (0, length - 1) for rank in ks.tolist())


def ranks(rows: LaidOut, ks: Any, found: Any) -> None:
    """Put the first or the last key of each row, by their ranks, into (outer, ks.size, inner)."""
    for i, rank in enumerate(ks.tolist()):
        answers = found[:, i:], None
        _Question(rows, LARGEST if rank else SMALLEST, False, ks.size).answer(answers)


def first(rows: LaidOut, by: int, ties: str) -> tuple[Any, Any]:
    """Return the first key of each row in an order, and its place: both (outer, 1, inner)."""
    outer, _, inner = rows.shape
    values, places = room((outer, 1, inner), rows.dtype), room((outer, 1, inner), np.int64)
    _Question(rows, by, ties == "highest", 1).answer((values, places))
    return values, places


class _Seen(NamedTuple):
    """Keys (outer, length, inner), how far they are apart, and where they were in longer rows."""

    keys: Any
    shape: tuple[int, int, int]
    outer_step: int
    step: int
    known: Any


@dataclass(frozen=True, slots=True)
class _Question:
    """Which key of each row is wanted; of `count` answers of a row, one."""

    rows: LaidOut
    by: int
    highest: bool
    count: int

    def answer(self, answers: tuple[Any, Any]) -> None:
        """Put keys, and their places if these are not None, into (outer, count, inner)."""
        rows = self.rows
        seen = _Seen(rows.keys, rows.shape, rows.outer_step, rows.step, None)
        cut = self._cut(seen)
        if cut.pieces == 1:
            self._launch(seen, cut, self.count, answers)
            return
        outer, _, inner = rows.shape
        shape = outer, cut.pieces, inner
        keys = room(shape, rows.dtype)
        places = None if answers[1] is None else room(shape, np.int64)
        self._launch(seen, cut, 1, (keys, places))
        left = _Seen(keys, shape, cut.pieces * inner, inner, places)
        cut = self._cut(left)._replace(pieces=1, each=cut.pieces)
        self._launch(left, cut, self.count, answers)

    def _cut(self, seen: _Seen) -> Cut:
        outer, length, inner = seen.shape
        itemsize, processors = self.rows.dtype.itemsize, self.rows.launcher.processors
        if inner == 1:
            return rows_cut(length, outer, itemsize, processors)
        return columns_cut(length, outer * inner, inner, self._wide(seen), processors)

    def _wide(self, seen: _Seen) -> int:
        """Return how many neighbouring columns a load has."""
        wide = LOAD_OF_COLUMNS // self.rows.dtype.itemsize
        steps = seen.outer_step, seen.step, seen.shape[2]
        aligned = seen.keys.data.ptr % LOAD_OF_COLUMNS == 0
        return wide if wide and aligned and not any(step % wide for step in steps) else 1

    def _launch(self, seen: _Seen, cut: Cut, count: int, answers: tuple[Any, Any]) -> None:
        values, places = answers
        macros = {"THREADS": THREADS, "AHEAD": cut.ahead, "BY": self.by}
        macros |= {"MAGNITUDE": int(self.by == MAGNITUDE), "PLACES": int(places is not None)}
        null = np.uint64(0)
        self._by_rows_or_columns(
            *(seen, cut, macros),
            (
                *(np.uint32(cut.pieces), np.uint32(cut.each), np.uint32(count)),
                np.uint32(FLIPPED if self.highest else 0),
                *(null if seen.known is None else seen.known, values),
                null if places is None else places,
            ),
        )

    def _by_rows_or_columns(
        self, seen: _Seen, cut: Cut, macros: dict[str, int], rest: tuple[Any, ...]
    ) -> None:
        outer, length, inner = seen.shape
        launcher, size = self.rows.launcher, np.uint32(length)
        if inner == 1:
            kernel = launcher.kernel("row_extremes", **macros, GROUP=cut.together)
            given: tuple[Any, ...] = np.uint64(outer), size, np.uint64(seen.outer_step)
            blocks = -(-outer * cut.pieces * cut.together // THREADS)
        else:
            wide = self._wide(seen)
            kernel = launcher.kernel("column_extremes", **macros, DOWN=cut.together, WIDE=wide)
            steps = np.uint64(seen.outer_step), np.uint64(seen.step)
            given = np.uint32(outer), *steps, size, np.uint32(inner)
            blocks = -(-outer * inner * cut.together // (THREADS * wide)) * cut.pieces
        launcher.run_blocks(kernel, (seen.keys, *given, *rest), blocks, threads=THREADS)
