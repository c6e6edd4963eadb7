"""Launches that answer rows on a device (modern/kernels/rows/).

| rows | kernel | reads and writes |
|---|---|---|
| the first or the last key of a row | row_ends | one read |
| of up to 1,024 keys; columns through a tile | rows_by_lanes | one read |
| longer ones | rows_by_team | one read for each rank or pair of neighbours, and a sample |
| their first keys, up to 2,048 | firsts_by_team | one read, and a sample |
| more first keys of up to 8,192 | firsts_by_digits | one read |
| more first keys | firsts_by_team, a radix sort | two to six reads; the answers several times |

Longer rows whose keys are no neighbours are copied to rows first (rows_turned), part by part.
Nothing waits for the device.
"""

from collections.abc import Iterator
from typing import NamedTuple

from cupy.cuda import runtime

from modern.device_arrays import DeviceKeys, Sizes
from modern.rows import sorts
from modern.rows.plans import (
    LANES,
    LOAD,
    THREADS,
    Lying,
    Order,
    Plan,
    Question,
    new_plan,
)
from shadersort.selection.top_keys import MAGNITUDE

SELECT, MEDIAN, NANMEDIAN, NUMBERS = range(4)
"""What is asked: keys of ranks; the mean of the middle keys, NaN if any key is; that of the
numbers; how many keys are numbers. As in middle.cuh and rows.cuh."""

PART = 1 << 28
"""Keys that are copied at a time, or those of a row."""

MOST_KEPT = 1 << 10
"""Plans of a launcher, at most."""

NO_ARRAY = 0
"""The null pointer."""

SPACE = 16 + 3 * 4 * 4096
"""Bytes that a team of blocks shares: `Space` in team.cuh."""


class KeyRows(NamedTuple):
    """Rows in memory."""

    keys: DeviceKeys
    pointer: int
    lying: Lying
    answer_steps: tuple[int, int]  # between outer places of answers, and between answers of a row

    def run(self, plan: Plan, *arguments: int) -> None:
        """Launch a kernel with these rows and other arguments."""
        _, kernel, grid, threads, shared, *_ = plan
        outer, length, inner, steps = self.lying
        rows = self.pointer, outer * inner, length, inner, *steps, *self.answer_steps
        together = len(grid) > 1 and grid[0] > 1
        self.keys.launcher.launch(kernel, grid, threads, rows + arguments, shared, together)

    def run_each(self, name: str, count: int, *arguments: int, **macros: int) -> None:
        """Launch a kernel with a thread for each of some things."""
        kernel = self.keys.launcher.kernel(name, **macros)
        self.run(Plan("once", kernel, (-(-count // THREADS),)), *arguments)


class Wanted(NamedTuple):
    """What is asked of each row, and where the answers go, as kernels take it."""

    asked: Question | Order
    numbers: Sizes
    addresses: Sizes
    sizes: Sizes  # bytes of what is at the addresses for each answer

    def behind(self, places: int) -> "Wanted":
        """Return the question with answers so many places further on."""
        pairs = zip(self.addresses, self.sizes, strict=True)
        return self._replace(addresses=tuple(at + size * places for at, size in pairs))


def ranks_of(
    question: Question, answers: int, size: int, numbers: Sizes = (0, 1, 0), ranks: int = NO_ARRAY
) -> Wanted:
    """Return a question about ranks: the first one, their number, and 1 if each row has its own.

    They are neighbours, unless they have an address. Ranks of each row lie as its answers do.
    """
    return Wanted(question, numbers, (ranks, answers), (8 * numbers[2], size))


def firsts_of(order: Order, values: int, places: int, itemsize: int) -> Wanted:
    """Return a question about first keys, and their places; one key may do without its place."""
    return Wanted(order, (order.number,), (values, places), (itemsize, 8))


def find(rows: KeyRows, wanted: Wanted, known: int = NO_ARRAY, sought: int = NO_ARRAY) -> None:
    """Find what is wanted of each row.

    With Order.by = EQUAL, keys that equal the row's `sought` key come first. The first keys of
    columns may have `known` places.
    """
    keys, pointer, lying, _ = rows
    plans, key = keys.launcher.plans, (lying, wanted.asked, not pointer % LOAD)
    plan: Plan | None = plans.get(key)
    if plan is None:
        if len(plans) >= MOST_KEPT:
            plans.clear()
        plan = plans[key] = new_plan(keys.launcher, *key)
    if plan.way == "once":
        rows.run(plan, *wanted.numbers, *wanted.addresses, *plan.last)
    elif plan.way == "ends" and plan.last == (1,):
        rows.run(plan, 1, *wanted.addresses, 1, known, sought)
    elif plan.way == "ends":
        _find_in_pieces(rows, wanted, plan, sought)
    elif plan.way == "team":
        _ask_teams(rows, wanted, plan)
    elif plan.way == "sort":
        _sort_gathered(rows, wanted)
    else:
        _turn_first(rows, wanted)


def _find_in_pieces(rows: KeyRows, wanted: Wanted, plan: Plan, sought: int) -> None:
    """Find the first key of each piece of rows: (pieces, rows), columns for a second launch."""
    keys, number, (pieces,) = rows.keys, rows.lying.number, plan.last
    values = keys.scratch(pieces * number * keys.launcher.raw.itemsize)
    places = keys.scratch(8 * pieces * number) if wanted.addresses[1] else NO_ARRAY
    rows.run(plan, 1, values, places, pieces, NO_ARRAY, sought)
    columns = Lying(1, pieces, number, (0, number, 1))
    find(KeyRows(keys, values, columns, (number, number)), wanted, places, sought)


def _ask_teams(
    rows: KeyRows, wanted: Wanted, plan: Plan, codes: int = NO_ARRAY, at: int = NO_ARRAY
) -> None:
    """Answer long rows; many first keys that need an order get only to `codes` and places."""
    keys, (blocks, teams), (room,), spaces = rows.keys, plan.grid, plan.last, NO_ARRAY
    if blocks > 1:
        spaces = keys.zeroed("rows", SPACE * keys.launcher.processors)
    if isinstance(wanted.asked, Question):
        last: Sizes = spaces, room
    elif codes:
        last = spaces, codes, at
    else:
        sizes = teams * room * max(keys.launcher.raw.itemsize, 4), teams * room * 4
        last = spaces, *map(keys.scratch, sizes)
    rows.run(plan, *wanted.numbers, *wanted.addresses, *last)


def _sort_gathered(rows: KeyRows, wanted: Wanted) -> None:
    """Gather many first keys, and sort them digit by digit; as many rows at a time as fit."""
    keys, (count,), launcher = rows.keys, wanted.numbers, rows.keys.launcher
    itemsize, together = launcher.raw.itemsize, max(1, PART // (4 * count))
    size = min(together, rows.lying.number) * count
    codes, at = sorts.Pairs(keys, size, itemsize), sorts.Pairs(keys, size, 4)
    for part, places in _parts(rows, together):
        answers, number = wanted.behind(places), part.lying.number
        plan = new_plan(launcher, part.lying, wanted.asked, False)
        _ask_teams(part, answers, plan, codes.one, at.one)
        found = sorts.sort_digits(launcher, (number, count), codes, at, (0, 8 * itemsize))
        arguments = count, *answers.addresses, *found, 0, NO_ARRAY
        macros = {"KEPT": 0, "SOFT": 0} | wanted.asked.macros | {"HIGHEST": 0}  # real places
        part.run_each("firsts_written", number * count, *arguments, **macros)


def _turn_first(rows: KeyRows, wanted: Wanted) -> None:
    """Copy columns to rows, part by part, and ask these."""
    keys, length = rows.keys, rows.lying.length
    together = max(1, PART // length)
    copy = keys.scratch(min(together, rows.lying.number) * length * keys.launcher.raw.itemsize)
    for part, places in _parts(rows, together):
        outer, _, inner, _ = part.lying
        turn(part, copy)
        near = Lying(outer, length, inner, (inner * length, 1, length))
        find(part._replace(pointer=copy, lying=near), wanted.behind(places))


def _parts(rows: KeyRows, most: int) -> Iterator[tuple[KeyRows, int]]:
    """Yield parts of at most so many rows, and where their answers begin."""
    outer, _, inner, (outer_step, _, inner_step) = rows.lying
    across = min(inner, most)
    down = min(outer, most // across) if across == inner else 1
    for start in range(0, outer, down):
        for at in range(0, inner, across):
            here, there = min(down, outer - start), min(across, inner - at)
            keys = start * outer_step + at * inner_step
            pointer = rows.pointer + keys * rows.keys.launcher.raw.itemsize
            lying = rows.lying._replace(outer=here, inner=there)
            yield rows._replace(pointer=pointer, lying=lying), start * rows.answer_steps[0] + at


def turn(rows: KeyRows, to: int) -> None:
    """Copy rows to (outer, inner, length), without gaps."""
    outer, length, inner, steps = rows.lying
    launcher = rows.keys.launcher
    itemsize = launcher.raw.itemsize
    bits = (length | inner | steps[0] | steps[1]) * itemsize | rows.pointer | to
    wide = 1 if bits % LOAD or steps[2] != 1 else LOAD // itemsize
    across, down = (8 * wide, 4 * LANES) if wide > 1 else (LANES, 2 * LANES)
    while wide < across >= 2 * inner:
        across, down = across // 2, down * 2
    kernel = launcher.kernel("rows_turned", WIDE=wide, ACROSS=across, DOWN=down)
    blocks = outer * -(-inner // across) * -(-length // down)
    launcher.launch(kernel, (blocks,), THREADS, (rows.pointer, length, inner, *steps, to))


def write_kept(rows: KeyRows, firsts: Wanted, kept: int, to: int, *, soft: bool) -> None:
    """Write `kept` of some first keys to their places in an array of zeros, as `threshold` does."""
    size = rows.lying.number * rows.lying.length * rows.keys.launcher.raw.itemsize
    runtime.memsetAsync(to, 0, size, rows.keys.stream)
    if kept:
        arguments = *firsts.numbers, *firsts.addresses, NO_ARRAY, NO_ARRAY, kept, to
        macros = {"KEPT": 1, "SOFT": int(soft), "BY": MAGNITUDE}
        rows.run_each("firsts_written", rows.lying.number * kept, *arguments, **macros)
