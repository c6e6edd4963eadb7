"""Launches that answer rows on a device (modern/kernels/rows/).

| rows | kernel | reads and writes |
|---|---|---|
| the first or the last key of a row | row_ends | one read |
| of up to 1,024 keys; columns through a tile | rows_by_lanes | one read |
| of up to 16,384 keys | rows_by_team | one read |
| longer ones | rows_by_team | one read for each rank or pair of neighbours, and a sample |
| their first keys, up to 2,048 | firsts_by_team | one read, and a sample |
| more first keys of up to 8,192 | firsts_by_digits | one read |
| more first keys | firsts_by_team, a radix sort | two to six reads; the answers several times |

Longer rows whose keys are no neighbours are copied to rows first (rows_turned), part by part.
Nothing waits for the device.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from cupy.cuda import runtime

from modern.device_arrays import DeviceKeys
from modern.rows import sorts
from modern.rows.plans import (
    BY_LANES,
    LANES,
    LOAD,
    SPACE,
    THREADS,
    WIDE,
    Lying,
    Order,
    Plan,
    Question,
    by_digits,
    by_ends,
    by_lanes,
    by_teams,
    is_many,
    launch_plan,
)
from modern.rows.sorts import Pairs, sort_digits
from shadersort.selection.top_keys import LARGEST, SMALLEST

SELECT, MEDIAN, NANMEDIAN, NUMBERS = range(4)
"""What is asked: keys of ranks; the mean of the middle keys, NaN if any key is; that of the
numbers; how many keys are numbers. As in middle.cuh and rows.cuh."""

PART = 1 << 28
"""Keys of columns that are copied to rows at a time, or one column of each outer place."""

TURNED = 64
"""Keys of each column that a block copies, or half as many."""

NO_ARRAY = 0
"""The null pointer."""

WIDE_ERRORS = int(np.float32(WIDE).view(np.uint32))
"""The bits of a float."""


class KeyRows(NamedTuple):
    """Rows in memory."""

    keys: DeviceKeys
    pointer: int
    lying: Lying
    answer_steps: tuple[int, int]  # between outer places of answers, and between answers of a row

    def run(self, plan: Plan, *arguments: Any) -> None:
        """Launch a kernel with these rows and other arguments."""
        kernel, grid, threads, shared, together, *_ = plan
        outer, length, inner, steps = self.lying
        rows = self.pointer, outer * inner, length, inner, *steps, *self.answer_steps
        self.keys.launcher.launch(kernel, grid, threads, rows + arguments, shared, together)

    def run_each(self, name: str, count: int, *arguments: Any, **macros: int) -> None:
        """Launch a kernel with a thread for each of some things."""
        kernel = self.keys.launcher.kernel(name, **macros)
        self.run(Plan(kernel, (-(-count // THREADS),), THREADS), *arguments)


class Ranks(NamedTuple):
    """Which keys of each row are wanted, and the address of the answers."""

    question: Question
    answers: int
    size: int  # bytes of an answer
    ranks: int = NO_ARRAY  # the address of ranks; without it, `number` ranks from `first` on
    first: int = 0
    number: int = 1
    own: int = 0  # 1 if each row has ranks of its own, as its answers lie

    def behind(self, places: int) -> "Ranks":
        """Return the question with answers so many places further on."""
        ranks = self.ranks + 8 * places if self.own else self.ranks
        return self._replace(answers=self.answers + self.size * places, ranks=ranks)


class Firsts(NamedTuple):
    """Which first keys of each row are wanted, and the addresses of both answers."""

    order: Order
    values: int
    places: int

    def behind(self, places: int, itemsize: int) -> "Firsts":
        """Return the question with answers so many places further on."""
        values = self.values + itemsize * places
        return self._replace(values=values, places=self.places + 8 * places)


def find_ranks(rows: KeyRows, wanted: Ranks) -> None:
    """Find keys of ranks, medians, or counts."""
    launcher, lying, question = rows.keys.launcher, rows.lying, wanted.question
    _, answers, _, ranks, first, number, own = wanted
    arguments: tuple[Any, ...] = ranks, first, number, own, answers
    length, aligned = lying.length, not rows.pointer % LOAD
    if first in (0, length - 1) and number == 1 and not ranks and question == (SELECT, False):
        order = Order(LARGEST if first else SMALLEST, 1, in_order=True, highest=False)
        _find_ends(rows, Firsts(order, answers, NO_ARRAY))
    elif length <= BY_LANES:
        rows.run(launch_plan(by_lanes, launcher, lying, question, aligned), *arguments)
    elif lying.are_columns:
        for part, places in _turned(rows):
            find_ranks(part, wanted.behind(places))
    else:
        plan = launch_plan(by_teams, launcher, lying, question)
        spaces = _spaces(rows) if plan.together else NO_ARRAY
        rows.run(plan, *arguments, spaces, plan.room, WIDE_ERRORS)


def find_firsts(rows: KeyRows, wanted: Firsts) -> None:
    """Find the first keys of rows, and their places."""
    launcher, lying, order = rows.keys.launcher, rows.lying, wanted.order
    length, aligned = lying.length, not rows.pointer % LOAD
    if order.number == 1:
        _find_ends(rows, wanted)
    elif length <= BY_LANES:
        plan = launch_plan(by_lanes, launcher, lying, order, aligned)
        rows.run(plan, order.number, wanted.values, wanted.places)
    elif lying.are_columns:
        for part, places in _turned(rows):
            find_firsts(part, wanted.behind(places, launcher.raw.itemsize))
    elif not is_many(length, order.number):
        _gather(rows, wanted)
    elif length <= sorts.THREADS * sorts.ITEMS[launcher.raw.itemsize]:
        plan = launch_plan(by_digits, launcher, lying, order)
        rows.run(plan, order.number, wanted.values, wanted.places)
    elif order.in_order:
        _sort_gathered(rows, wanted)
    else:
        _gather(rows, wanted)


def _find_ends(rows: KeyRows, wanted: Firsts, known: int = NO_ARRAY) -> None:
    """Find the first key of each row, and its place if there is an address for places.

    Pieces of rows are answered as (pieces, rows), which are columns with `known` places then.
    """
    launcher, keys, lying = rows.keys.launcher, rows.keys, rows.lying
    plan = launch_plan(by_ends, launcher, lying, wanted.order, not rows.pointer % LOAD)
    pieces, number = plan.pieces, lying.number
    values, places = wanted.values, wanted.places
    if pieces > 1:
        values = keys.scratch(pieces * number * launcher.raw.itemsize)
        places = keys.scratch(8 * pieces * number) if places else NO_ARRAY
    rows.run(plan, 1, values, places, pieces, known)
    if pieces > 1:
        columns = Lying(1, pieces, number, (0, number, 1))
        _find_ends(KeyRows(keys, values, columns, (number, number)), wanted, places)


def _gather(rows: KeyRows, wanted: Firsts, codes: int = NO_ARRAY, at: int = NO_ARRAY) -> None:
    """Find first keys of long rows: in order, if they are few; or their codes and places."""
    launcher, lying, order = rows.keys.launcher, rows.lying, wanted.order
    plan = launch_plan(by_teams, launcher, lying, order)
    scratch = NO_ARRAY
    if not is_many(lying.length, order.number):
        entry = max(launcher.raw.itemsize, 4) + 4
        scratch = rows.keys.scratch(plan.grid[0] * plan.grid[1] * plan.room * entry)
    spaces = _spaces(rows) if plan.together else NO_ARRAY
    arguments = order.number, wanted.values, wanted.places, codes, at, scratch
    rows.run(plan, *arguments, spaces, WIDE_ERRORS)


def _spaces(rows: KeyRows) -> int:
    """Return the address of what teams of blocks share; they are no more than multiprocessors."""
    return rows.keys.zeroed("rows", SPACE * rows.keys.launcher.processors)


def _sort_gathered(rows: KeyRows, wanted: Firsts) -> None:
    """Gather many first keys, and sort them digit by digit; as many rows at a time as fit."""
    launcher, lying, count = rows.keys.launcher, rows.lying, wanted.order.number
    itemsize, (outer_step, *_) = launcher.raw.itemsize, lying.steps
    together = max(1, min(lying.outer, PART // (4 * count * lying.inner)))
    size = together * lying.inner * count
    codes, at = Pairs(rows.keys, size, itemsize), Pairs(rows.keys, size, 4)
    for start in range(0, lying.outer, together):
        here = min(together, lying.outer - start)
        pointer = rows.pointer + start * outer_step * itemsize
        some = rows._replace(pointer=pointer, lying=lying._replace(outer=here))
        answers = wanted.behind(start * rows.answer_steps[0], itemsize)
        _gather(some, answers, codes.one, at.one)
        each = some.lying.number
        found = sort_digits(launcher, (each, count), codes, at, raw=False)
        macros = wanted.order._replace(highest=False).macros  # the places are real ones
        arguments = count, answers.values, answers.places, *found, 0, NO_ARRAY
        some.run_each("firsts_written", each * count, *arguments, KEPT=0, SOFT=0, **macros)


def _turned(rows: KeyRows) -> Iterator[tuple[KeyRows, int]]:
    """Copy rows of distant keys part by part; yield the copies, and where their answers begin."""
    outer, length, inner, (outer_step, _, inner_step) = rows.lying
    across = max(1, min(inner, PART // length))
    down = max(1, min(outer, PART // (length * across))) if across == inner else 1
    itemsize = rows.keys.launcher.raw.itemsize
    copy = rows.keys.scratch(down * across * length * itemsize)
    for start in range(0, outer, down):
        for at in range(0, inner, across):
            here, there = min(down, outer - start), min(across, inner - at)
            pointer = rows.pointer + (start * outer_step + at * inner_step) * itemsize
            lying = rows.lying._replace(outer=here, inner=there)
            turn(rows._replace(pointer=pointer, lying=lying), copy)
            near = Lying(here, length, there, (there * length, 1, length))
            yield rows._replace(pointer=copy, lying=near), start * rows.answer_steps[0] + at


def turn(rows: KeyRows, to: int) -> None:
    """Copy rows to (outer, inner, length), without gaps."""
    outer, length, inner, steps = rows.lying
    launcher = rows.keys.launcher
    itemsize = launcher.raw.itemsize
    all_bytes = (length | inner | steps[0] | steps[1]) * itemsize | rows.pointer | to
    wide = 1 if all_bytes % LOAD or steps[2] != 1 else LOAD // itemsize
    across, down = (8 * wide, 2 * TURNED) if wide > 1 else (LANES, TURNED)
    kernel = launcher.kernel("rows_turned", WIDE=wide, ACROSS=across, DOWN=down)
    blocks = outer * -(-inner // across) * -(-length // down)
    launcher.launch(kernel, (blocks,), THREADS, (rows.pointer, length, inner, *steps, to))


def find_places(rows: KeyRows, wanted: int, places: int, *, highest: bool) -> None:
    """Find where each row has its wanted key; both are addresses of (outer, inner)."""
    launcher, lying = rows.keys.launcher, rows.lying
    runtime.memsetAsync(places, 0 if highest else 0xFF, 8 * lying.number, rows.keys.stream)
    threads = min(-(-lying.number * lying.length // 8), 16 * THREADS * launcher.processors)
    rows.run_each("row_places", threads, wanted, places, HIGHEST=int(highest))


def write_kept(rows: KeyRows, firsts: Firsts, kept: int, to: int, *, soft: bool) -> None:
    """Write `kept` of some first keys to their places in an array of zeros, as `threshold` does."""
    size = rows.lying.number * rows.lying.length * rows.keys.launcher.raw.itemsize
    runtime.memsetAsync(to, 0, size, rows.keys.stream)
    if kept:
        arguments = firsts.order.number, firsts.values, firsts.places, NO_ARRAY, NO_ARRAY, kept, to
        macros = {"KEPT": 1, "SOFT": int(soft), "BY": firsts.order.by}
        rows.run_each("firsts_written", rows.lying.number * kept, *arguments, **macros)
