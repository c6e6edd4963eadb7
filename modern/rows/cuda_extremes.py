"""The first or the last key of the rows of a CuPy array: one read, without a sample or a list.

| rows | kernel |
|---|---|
| whose keys are neighbours | row_extremes |
| columns | column_extremes |

Long rows are cut into pieces, so that all processors read. A second launch finds the first one of
the keys of each row's pieces: it needs a key for each piece, and 8 bytes if places are wanted.
"""

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from modern.launching.waiting import room
from modern.rows.cuda_layout import LANES, THREADS, LaidOut
from shadersort.selection.primitives.one_read import LOAD
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST

BLOCKS = 32
"""Blocks for each multiprocessor, about, if rows are long enough: some wait for others' end."""

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
def rows_cut(length: int, rows: int, itemsize: int, processors: int, places: bool) -> Cut:
    """Return how rows are cut, if their keys are neighbours.

    Examples
    --------
    >>> rows_cut(16, 1 << 24, 4, 132, False)
    Cut(together=2, ahead=2, pieces=1, each=16)
    >>> rows_cut(1 << 24, 16, 4, 132, False)
    Cut(together=256, ahead=4, pieces=264, each=63552)
    """
    each = LOAD // itemsize
    loads = -(-length // each)
    together = min(_power(-(-loads // _loads_of_lane(loads, places))), LANES)
    if rows * LANES < processors * RESIDENT and loads >= STEPS * THREADS:
        together = THREADS
    pieces = 1
    if together == THREADS:
        pieces = max(1, min(BLOCKS * processors // rows, loads // (STEPS * THREADS)))
    ahead = min(AHEAD_OF_ROWS, _power(-(-loads // (together * pieces))))
    return _cut(together, ahead, pieces, length, each)


def _loads_of_lane(loads: int, places: bool) -> int:
    """Return how many loads of a row a lane takes: more if the lanes have to agree on a place."""
    return 2 if loads < 16 or not places else 4 if loads < 64 else 8


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
        answers = found[:, i:] if i else found
        _answer(rows, LARGEST if rank else SMALLEST, answers, None, count=ks.size)


def first(rows: LaidOut, by: int, ties: str) -> tuple[Any, Any]:
    """Return the first key of each row in an order, and its place: both (outer, 1, inner)."""
    outer, _, inner = rows.shape
    values, places = room((outer, 1, inner), rows.dtype), room((outer, 1, inner), np.int64)
    _answer(rows, by, values, places, highest=ties == "highest")
    return values, places


class Lying(NamedTuple):
    """Keys (outer, length, inner), how far they are apart, and how wide loads from columns are."""

    shape: tuple[int, int, int]
    outer_step: int
    step: int
    wide: int = 1


class Launch(NamedTuple):
    """A launch: its kernel, what this is made with, its numbers beside keys and answers, blocks."""

    kernel: str
    macros: dict[str, int]
    sizes: tuple[Any, ...]
    blocks: int
    pieces: int


def _answer(
    rows: LaidOut, by: int, values: Any, places: Any, *, highest: bool = False, count: int = 1
) -> None:
    """Put keys, and their places if these are wanted, into (outer, one of count, inner)."""
    lying = Lying(rows.shape, rows.outer_step, rows.step, _wide(rows))
    wanted = by, places is not None, highest, count
    planned = launches(lying, rows.dtype.itemsize, rows.launcher.processors, *wanted)
    one, last = planned[0], planned[-1]
    if one is last:
        _run(rows, one, rows.keys, None, values, places)
        return
    outer, _, inner = rows.shape
    shape = outer, one.pieces, inner
    keys = room(shape, rows.dtype)
    found = None if places is None else room(shape, np.int64)
    _run(rows, one, rows.keys, None, keys, found)
    _run(rows, last, keys, found, values, places)


def _wide(rows: LaidOut) -> int:
    """Return how many neighbouring columns a load has."""
    wide = LOAD_OF_COLUMNS // rows.dtype.itemsize
    if rows.shape[2] == 1 or not wide or rows.keys.data.ptr % LOAD_OF_COLUMNS:
        return 1
    steps = rows.outer_step, rows.step, rows.shape[2]
    return 1 if any(step % wide for step in steps) else wide


def _run(rows: LaidOut, launch: Launch, keys: Any, known: Any, values: Any, places: Any) -> None:
    """Launch a kernel on keys; `known` are their places in longer rows, if they have others."""
    null = np.uint64(0)
    rows.launcher.run_blocks(
        rows.launcher.kernel(launch.kernel, **launch.macros),
        (
            *(keys, *launch.sizes, null if known is None else known),
            *(values, null if places is None else places),
        ),
        launch.blocks,
        threads=THREADS,
    )


@lru_cache(maxsize=256)
def launches(
    lying: Lying,
    itemsize: int,
    processors: int,
    by: int,
    places: bool,
    highest: bool,
    count: int,
) -> tuple[Launch, ...]:
    """Return the launches that find the first keys of rows, of which each has `count` answers.

    Examples
    --------
    >>> rows = Lying((16, 1 << 24, 1), 1 << 24, 1)
    >>> [(each.kernel, each.blocks) for each in launches(rows, 4, 132, LARGEST, False, False, 1)]
    [('row_extremes', 4224), ('row_extremes', 2)]
    """
    wanted = by, places, highest
    cut = _cut_of(lying, itemsize, processors, places)
    if cut.pieces == 1:
        return (_launch(lying, cut, count, *wanted),)
    outer, _, inner = lying.shape
    left = Lying((outer, cut.pieces, inner), cut.pieces * inner, inner)
    whole = _cut_of(left, itemsize, processors, places)._replace(pieces=1, each=cut.pieces)
    return _launch(lying, cut, 1, *wanted), _launch(left, whole, count, *wanted)


def _cut_of(lying: Lying, itemsize: int, processors: int, places: bool) -> Cut:
    outer, length, inner = lying.shape
    if inner == 1:
        return rows_cut(length, outer, itemsize, processors, places)
    return columns_cut(length, outer * inner, inner, lying.wide, processors)


def _launch(lying: Lying, cut: Cut, count: int, by: int, places: bool, highest: bool) -> Launch:
    outer, length, inner = lying.shape
    size, flip = np.uint32(length), np.uint32(FLIPPED if highest else 0)
    rest = np.uint32(cut.pieces), np.uint32(cut.each), np.uint32(count), flip
    macros = {"THREADS": THREADS, "AHEAD": cut.ahead, "BY": by}
    macros |= {"MAGNITUDE": int(by == MAGNITUDE), "PLACES": int(places)}
    if inner == 1:
        sizes: tuple[Any, ...] = np.uint64(outer), size, np.uint64(lying.outer_step), *rest
        blocks = -(-outer * cut.pieces * cut.together // THREADS)
        return Launch("row_extremes", macros | {"GROUP": cut.together}, sizes, blocks, cut.pieces)
    steps = np.uint64(lying.outer_step), np.uint64(lying.step)
    sizes = np.uint32(outer), *steps, size, np.uint32(inner), *rest
    blocks = -(-outer * inner * cut.together // (THREADS * lying.wide)) * cut.pieces
    macros |= {"DOWN": cut.together, "WIDE": lying.wide}
    return Launch("column_extremes", macros, sizes, blocks, cut.pieces)
