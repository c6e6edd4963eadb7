"""Launches of kernels that answer rows (modern/kernels/rows/): which kernel, and in what shape.

| rows | kernel | reads and writes |
|---|---|---|
| of up to 32 keys; columns of up to 64 | rows_by_thread | one read |
| the first or the last key of longer ones | row_ends | one read |
| of up to 1,024 keys; columns through a tile | rows_by_warp | one read |
| longer ones | rows_by_team | one read for each rank or pair of neighbours, and a sample |
| their first keys, up to 2,048 | firsts_by_team | one read, and a sample |
| more first keys | firsts_by_team, a radix sort | two to six reads; the answers several times |

Longer rows whose keys are no neighbours are copied to rows first (rows_turned), part by part.
Nothing waits for the device.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from cupy.cuda import runtime

from modern.device_arrays import DeviceKeys
from modern.rows.shapes import (
    BY_THREAD,
    BY_THREAD_FEW_BITS,
    BY_WARP,
    ENDS_AHEAD,
    LANES,
    LOAD,
    MOST_ENTRIES,
    MOST_FIRSTS,
    PLACES_OF_16_BITS,
    SPACE,
    WIDE,
    TeamShape,
    ends_shape,
    team_shape,
    warp_shape,
)
from modern.rows.sorts import Pairs, sort_digits
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST

SELECT, MEDIAN, NANMEDIAN, NUMBERS = range(4)
"""What is asked: keys of ranks; the mean of the middle keys, NaN if any key is; that of the
numbers; how many keys are numbers. As in middle.cuh and row_calls.cuh."""

THREADS = 256

PART = 1 << 28
"""Keys of columns that are copied to rows at a time, or one column of each outer place."""

TURNED = 64
"""Keys of each of 32 columns that a block copies."""

NO_ARRAY = 0
"""The null pointer."""


class KeyRows:
    """Rows in memory, (outer, length, inner), as kernels take them.

    Steps between neighbours, and between outer places of answers and answers of a row, are in keys.
    """

    __slots__ = (
        *("aligned", "answer_steps", "arguments", "columns", "count", "inner", "itemsize", "keys"),
        *("launcher", "length", "outer", "pointer", "steps"),
    )

    def __init__(
        self,
        keys: DeviceKeys,
        pointer: int,
        shape: tuple[int, ...],
        steps: tuple[int, ...],
        answer_steps: tuple[int, int],
    ) -> None:
        self.keys, self.launcher, self.pointer = keys, keys.launcher, pointer
        self.outer, self.length, self.inner = outer, length, inner = shape
        self.steps, self.answer_steps, self.count = steps, answer_steps, outer * inner
        self.itemsize = itemsize = keys.launcher.raw.itemsize
        bits = pointer | length * itemsize | steps[0] * itemsize
        # whether rows have no gaps, and begin at, and consist of, whole loads
        self.aligned = inner == 1 and (steps[1] == 1 or length == 1) and not bits % LOAD
        # neighbouring rows whose first keys are neighbours, too; 0 if there are none
        self.columns = inner if inner > 1 and steps[2] == 1 else 0
        # the first arguments of all kernels
        self.arguments = pointer, self.count, length, inner, *steps, *answer_steps

    def part(self, pointer: int, outer: int, inner: int, steps: Any = None) -> "KeyRows":
        """Return some of the rows, or a copy of them."""
        shape = outer, self.length, inner
        return KeyRows(self.keys, pointer, shape, steps or self.steps, self.answer_steps)


class Ranks(NamedTuple):
    """Which keys of each row are wanted, and the address of the answers."""

    ask: int
    answers: int
    size: int  # bytes of an answer
    ranks: int = NO_ARRAY  # the address of ranks; without it, `number` ranks from `first` on
    first: int = 0
    number: int = 1
    own: bool = False  # whether each row has ranks of its own, as its answers lie
    unless_nan: bool = False  # whether a row that has a NaN gets NaN for every rank

    def behind(self, places: int) -> "Ranks":
        """Return the question with answers so many places further on."""
        ranks = self.ranks + 8 * places if self.own else self.ranks
        return self._replace(answers=self.answers + self.size * places, ranks=ranks)


class Firsts(NamedTuple):
    """Which first keys of each row are wanted, and the addresses of both answers."""

    by: int
    number: int
    values: int
    places: int
    in_order: bool
    highest: bool  # whether of equal keys those at the highest places are taken

    def behind(self, places: int, itemsize: int) -> "Firsts":
        """Return the question with answers so many places further on."""
        values = self.values + itemsize * places
        return self._replace(values=values, places=self.places + 8 * places)


def find_ranks(rows: KeyRows, wanted: Ranks) -> None:
    """Find keys of ranks, medians, or counts."""
    macros = {"ASK": wanted.ask, "UNLESS_NAN": int(wanted.unless_nan)}
    rest = wanted.ranks, wanted.first, wanted.number, int(wanted.own), wanted.answers
    few_bits = rows.inner > 1 and rows.itemsize <= 4
    last = wanted.first == rows.length - 1
    is_end = not wanted.ranks and wanted.number == 1 and (last or not wanted.first)
    if is_end and wanted.ask == SELECT and rows.length > BY_THREAD and not wanted.unless_nan:
        order = LARGEST if last else SMALLEST
        _find_ends(rows, Firsts(order, 1, wanted.answers, NO_ARRAY, in_order=True, highest=False))
    elif rows.length <= (BY_THREAD_FEW_BITS if few_bits else BY_THREAD):
        _by_threads(rows, macros, 0, rest)
    elif rows.length <= BY_WARP:
        _by_warps(rows, macros, 0, False, rest)
    elif rows.steps[1] == 1:
        _ranks_by_teams(rows, macros, rest)
    else:
        for part, places in _turned(rows):
            find_ranks(part, wanted.behind(places))


def find_firsts(rows: KeyRows, wanted: Firsts) -> None:
    """Find the first keys of rows, and their places."""
    macros = macros_of(wanted.by, wanted.highest)
    rest = wanted.number, wanted.values, wanted.places
    if rows.length <= BY_THREAD:
        _by_threads(rows, macros, 1 << (wanted.number - 1).bit_length(), rest)
    elif wanted.number == 1:
        _find_ends(rows, wanted)
    elif rows.length <= BY_WARP:
        firsts = max(LANES, 1 << (wanted.number - 1).bit_length())
        _by_warps(rows, macros, firsts, wanted.in_order, rest)
    elif rows.steps[1] == 1:
        _firsts_by_teams(rows, wanted)
    else:
        for part, places in _turned(rows):
            _firsts_by_teams(part, wanted.behind(places, rows.itemsize))


@cache
def macros_of(by: int, highest: bool) -> dict[str, int]:
    """Return the macros of kernels that find first keys."""
    return {"BY": by, "MAGNITUDE": int(by == MAGNITUDE), "HIGHEST": int(highest)}


def _find_ends(rows: KeyRows, wanted: Firsts) -> None:
    """Find the first key of each row, and its place if there is an address for places."""
    launcher, columns = rows.launcher, rows.columns > 0
    shape = rows.outer, rows.inner, rows.itemsize, launcher.processors
    group, pieces = ends_shape(rows.length, *shape, columns=columns)
    macros = {"AHEAD": ENDS_AHEAD, "COLUMNS": int(columns)}
    macros |= macros_of(wanted.by, wanted.highest)
    lists, size = (NO_ARRAY, NO_ARRAY), rows.count * pieces
    if pieces > 1:
        codes = max(rows.itemsize, 4)
        lists = rows.keys.scratch(size * codes), rows.keys.scratch(8 * size)
    arguments = *rows.arguments, *wanted[1:4], pieces, *lists
    kernel = launcher.kernel("row_ends", GROUP=group, FOUND=0, **macros)
    launcher.launch(kernel, (-(-size * group // THREADS),), THREADS, arguments)
    if pieces > 1:
        group = min(LANES, 1 << (pieces - 1).bit_length())
        kernel = launcher.kernel("row_ends", GROUP=group, FOUND=1, **macros)
        launcher.launch(kernel, (-(-rows.count * group // THREADS),), THREADS, arguments)


def _by_threads(rows: KeyRows, macros: dict[str, int], firsts: int, rest: tuple[int, ...]) -> None:
    launcher = rows.launcher
    kernel = launcher.kernel(
        "rows_by_thread", LENGTH=rows.length, ALIGNED=int(rows.aligned), FIRSTS=firsts, **macros
    )
    launcher.launch(kernel, (-(-rows.count // THREADS),), THREADS, (*rows.arguments, *rest))


def _by_warps(
    rows: KeyRows, macros: dict[str, int], firsts: int, in_order: bool, rest: tuple[int, ...]
) -> None:
    launcher, columns = rows.launcher, rows.columns
    shape = warp_shape(rows.length, rows.itemsize, firsts, columns, launcher.most_shared)
    kernel = launcher.kernel(
        "rows_by_warp",
        **{"COLUMNS": int(columns > 0), "IN_ORDER": int(in_order)},
        **shape.macros,
        **macros,
    )
    warps = shape.warps
    blocks = rows.outer * -(-columns // warps) if columns else -(-rows.count // warps)
    launcher.launch(kernel, (blocks,), warps * LANES, (*rows.arguments, *rest), shape.shared)


def _turned(rows: KeyRows) -> Iterator[tuple[KeyRows, int]]:
    """Copy rows whose keys are apart, part by part; yield copies, and where answers begin."""
    outer, length, inner = rows.outer, rows.length, rows.inner
    across = max(1, min(inner, PART // length))
    down = max(1, min(outer, PART // (length * across))) if across == inner else 1
    (outer_step, _, inner_step), answer_step = rows.steps, rows.answer_steps[0]
    copy = rows.keys.scratch(down * across * length * rows.itemsize)
    for start in range(0, outer, down):
        for at in range(0, inner, across):
            here, there = min(down, outer - start), min(across, inner - at)
            first = rows.pointer + (start * outer_step + at * inner_step) * rows.itemsize
            turn(rows.part(first, here, there), copy)
            copied = rows.part(copy, here, there, (there * length, 1, length))
            yield copied, start * answer_step + at


def _ranks_by_teams(rows: KeyRows, macros: dict[str, int], rest: tuple[int, ...]) -> None:
    launcher, itemsize = rows.launcher, rows.itemsize
    shape = team_shape(rows.length, rows.count, itemsize, launcher.processors, launcher.most_shared)
    kernel = launcher.kernel("rows_by_team", THREADS=shape.threads, SAMPLES=shape.samples, **macros)
    spaces = _spaces(rows, shape.teams) if shape.blocks > 1 else NO_ARRAY
    launcher.launch(
        kernel,
        (shape.blocks, shape.teams),
        shape.threads,
        (*rows.arguments, *rest, spaces, shape.room, np.float32(WIDE)),
        16 * shape.threads + shape.room * max(itemsize, 4),
        together=shape.blocks > 1,
    )


def _spaces(rows: KeyRows, teams: int) -> int:
    """Return the address of what teams share."""
    launcher = rows.launcher
    size = SPACE * (teams if launcher.is_captured() else launcher.processors)
    return rows.keys.zeroed("rows", size)


def _firsts_by_teams(rows: KeyRows, wanted: Firsts) -> None:
    """Find first keys of long rows; more than a block sorts are gathered, and sorted by digits."""
    launcher, many = rows.launcher, wanted.number > MOST_FIRSTS
    code, itemsize = max(rows.itemsize, 4), rows.itemsize
    shape = team_shape(
        *(rows.length, rows.count, itemsize, launcher.processors, launcher.most_shared),
        min(wanted.number, MOST_FIRSTS),
    )
    if not many:
        teams = min(shape.teams, 4 * launcher.processors) if shape.blocks == 1 else shape.teams
        scratch = rows.keys.scratch(teams * shape.blocks * shape.room * (code + 4))
        _gather(rows, wanted, shape._replace(teams=teams), (NO_ARRAY, NO_ARRAY, scratch))
    elif not wanted.in_order:
        _gather(rows, wanted, shape._replace(room=MOST_ENTRIES), (NO_ARRAY,) * 3)
    else:
        _sort_gathered(rows, wanted, shape._replace(room=MOST_ENTRIES))


def _gather(rows: KeyRows, wanted: Firsts, shape: TeamShape, lists: tuple[int, int, int]) -> None:
    launcher = rows.launcher
    near = rows.itemsize <= 2 and rows.length <= PLACES_OF_16_BITS
    kernel = launcher.kernel(
        "firsts_by_team",
        **{"THREADS": shape.threads, "SAMPLES": shape.samples, "MOST": shape.room},
        **{"MANY": int(wanted.number > MOST_FIRSTS), "IN_ORDER": int(wanted.in_order)},
        **{"NEAR": int(near)},
        **macros_of(wanted.by, wanted.highest),
    )
    spaces = _spaces(rows, shape.teams) if shape.blocks > 1 else NO_ARRAY
    launcher.launch(
        kernel,
        (shape.blocks, shape.teams),
        shape.threads,
        (
            *rows.arguments,
            wanted.number,
            wanted.values,
            wanted.places,
            *lists,
            spaces,
            np.float32(WIDE),
        ),
        16 * shape.threads + shape.room * (max(rows.itemsize, 4) + 4),
        together=shape.blocks > 1,
    )


def _sort_gathered(rows: KeyRows, wanted: Firsts, shape: TeamShape) -> None:
    """Gather many first keys, and sort them digit by digit; as many rows at a time as fit."""
    keys, launcher, count = rows.keys, rows.launcher, wanted.number
    together = max(1, min(rows.outer, PART // (count * rows.inner)))
    size = together * rows.inner * count
    codes, at = Pairs(keys, size, rows.itemsize), Pairs(keys, size, 4)
    kernel = launcher.kernel("firsts_written", KEPT=0, SOFT=0, **macros_of(wanted.by, False))
    for start in range(0, rows.outer, together):
        here = min(together, rows.outer - start)
        first = rows.pointer + start * rows.steps[0] * rows.itemsize
        some = rows.part(first, here, rows.inner)
        answers = wanted.behind(start * rows.answer_steps[0], rows.itemsize)
        teams = some.count if shape.blocks > 1 else min(some.count, shape.teams)
        _gather(some, answers, shape._replace(teams=teams), (codes.one, at.one, NO_ARRAY))
        found, places = sort_digits(launcher, (some.count, count), codes, at, raw=False)
        rest = found, places, 0, NO_ARRAY
        blocks = -(-some.count * count // THREADS)
        launcher.launch(
            kernel,
            (blocks,),
            THREADS,
            (*some.arguments, count, answers.values, answers.places, *rest),
        )


def find_places(rows: KeyRows, wanted: int, places: int, *, highest: bool) -> None:
    """Find where each row has its wanted key; both are addresses of (outer, inner)."""
    launcher = rows.launcher
    fill(rows.keys, places, 8 * rows.count, 0 if highest else 0xFF)
    kernel = launcher.kernel("row_places", HIGHEST=int(highest))
    blocks = min(-(-rows.count * rows.length // (8 * THREADS)), 16 * launcher.processors)
    launcher.launch(kernel, (blocks,), THREADS, (*rows.arguments, wanted, places))


def write_kept(rows: KeyRows, firsts: Firsts, kept: int, to: int, *, soft: bool) -> None:
    """Write `kept` of some first keys to their places in an array of zeros, as `threshold` does."""
    launcher = rows.launcher
    fill(rows.keys, to, rows.count * rows.length * rows.itemsize, 0)
    if kept:
        kernel = launcher.kernel("firsts_written", KEPT=1, SOFT=int(soft), BY=firsts.by)
        arguments = (*rows.arguments, *firsts[1:4], NO_ARRAY, NO_ARRAY, kept, to)
        launcher.launch(kernel, (-(-rows.count * kept // THREADS),), THREADS, arguments)


def turn(rows: KeyRows, to: int) -> None:
    """Copy rows to (outer, inner, length), without gaps."""
    blocks = rows.outer * -(-rows.inner // LANES) * -(-rows.length // TURNED)
    launcher, arguments = rows.launcher, (rows.length, rows.inner, *rows.steps, to)
    kernel = launcher.kernel("rows_turned")
    launcher.launch(kernel, (blocks,), THREADS, (rows.pointer, *arguments))


def fill(keys: DeviceKeys, pointer: int, size: int, byte: int) -> None:
    """Set bytes on the device, in the order of the stream."""
    runtime.memsetAsync(pointer, byte, size, keys.stream)
