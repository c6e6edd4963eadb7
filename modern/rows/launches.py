"""Launches that answer rows on a device (modern/kernels/rows/).

| rows | kernel | reads and writes |
|---|---|---|
| the first or the last key of a row | row_ends | one read |
| of up to 1,024 keys; columns through a tile | rows_by_lanes | one read |
| longer ones | rows_by_team | one read for each rank or pair of neighbours, and a sample |
| their first keys, up to 2,048 | firsts_by_team | one read, and a sample |
| more first keys of up to 8,192 | firsts_by_digits | one read |
| more first keys | firsts_by_team, a radix sort | two to six reads; the answers several times |

Longer rows whose keys are no neighbours are copied to rows first (turn_rows), part by part.
Nothing waits for the device.
"""

from typing import NamedTuple

from modern.device_arrays import DeviceKeys
from modern.rows.plans import LANES, LOAD, NO_ARRAY, THREADS, Lying, Plan, Question, Sizes, new_plan
from modern.rows.sorts import sort_digits

PART = 1 << 28
"""Keys that are copied at a time, or those of a row."""

MOST_KEPT = 1 << 10
"""Plans of a launcher, at most."""

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
        launcher, together = self.keys.launcher, len(grid) > 1 and grid[0] > 1
        spaces = self.keys.zeros("rows", SPACE * launcher.processors) if together else NO_ARRAY
        rows = self.pointer, outer * inner, length, inner, *steps, *self.answer_steps, spaces
        launcher.launch(kernel, grid, threads, rows + arguments, shared, together)


class Request(NamedTuple):
    """What is asked of each row, and where the answers go, as kernels take it."""

    asked: Question
    addresses: tuple[int, int]  # of ranks, if they have any, and answers; or of keys and places
    sizes: tuple[int, int]  # bytes from what is there for a row to that for the next one
    numbers: Sizes = (0, 1, 0)  # the first rank, how many, 1 if rows have their own; or first keys


def find(rows: KeyRows, request: Request, known: int = NO_ARRAY, sought: int = NO_ARRAY) -> None:
    """Find what is requested of each row.

    Ranks are neighbours, unless they have an address; ranks of each row lie as its answers do. One
    first key may do without its place. In the order EQUAL, keys that equal the row's `sought` key
    come first. The first keys of columns may have `known` places.
    """
    keys, pointer, lying, _ = rows
    plans, key = keys.launcher.plans, (lying, request.asked, not pointer % LOAD)
    plan: Plan | None = plans.get(key)
    if plan is None:
        if len(plans) >= MOST_KEPT:
            plans.clear()
        plan = plans[key] = new_plan(keys.launcher, *key)
    if plan.way == "once":
        scratch = map(keys.scratch, plan.scratch)
        rows.run(plan, *request.numbers, *request.addresses, *scratch, *plan.last)
    elif plan.way == "ends":
        _find_ends(rows, request, plan, known, sought)
    elif plan.way == "sort":
        _sort_firsts(rows, request, plan)
    else:
        _turn_first(rows, request)


def _find_ends(rows: KeyRows, request: Request, plan: Plan, known: int, sought: int) -> None:
    """Find the first key of each row; or of its pieces, and then of these as columns."""
    keys, number, (pieces,) = rows.keys, rows.lying.number, plan.last
    if pieces == 1:
        rows.run(plan, 1, *request.addresses, 1, known, sought)
        return
    values = keys.scratch(pieces * number * keys.launcher.raw.itemsize)
    places = keys.scratch(8 * pieces * number) if request.addresses[1] else NO_ARRAY
    rows.run(plan, 1, values, places, pieces, NO_ARRAY, sought)
    columns = Lying(1, pieces, number, (0, number, 1))
    find(KeyRows(keys, values, columns, (number, number)), request, places, sought)


def _sort_firsts(rows: KeyRows, request: Request, plan: Plan) -> None:
    """Gather many first keys, and sort them digit by digit."""
    keys, number, (count,) = rows.keys, rows.lying.number, request.numbers
    itemsize, size = keys.launcher.raw.itemsize, number * count
    codes, places, moved, moved_places = map(keys.scratch, (size * itemsize, size * 4) * 2)
    rows.run(plan, count, *request.addresses, codes, places)
    moves = (codes, moved, codes), (places, moved_places, places)
    found = sort_digits(keys, (number, count), (0, 8 * itemsize), *moves)
    macros = {"KEPT": 0, "SOFT": 0} | request.asked.macros | {"HIGHEST": 0}  # real places
    write_firsts(rows, request, count, (*found, 0, NO_ARRAY), macros)


def _turn_first(rows: KeyRows, request: Request) -> None:
    """Copy columns to rows, part by part, and ask these."""
    keys, (outer, length, inner, steps) = rows.keys, rows.lying
    itemsize, most = keys.launcher.raw.itemsize, max(1, PART // length)
    across, down = min(inner, most), max(1, most // inner)
    copy = keys.scratch(min(most, rows.lying.number) * length * itemsize)
    for start in range(0, outer, down):
        for at in range(0, inner, across):
            part = Lying(min(down, outer - start), length, min(across, inner - at), steps)
            pointer = rows.pointer + (start * steps[0] + at * steps[2]) * itemsize
            turn(rows._replace(pointer=pointer, lying=part), copy)
            near = part._replace(steps=(part.inner * length, 1, length))
            answer = start * rows.answer_steps[0] + at
            one, other = (x + size * answer for x, size in zip(*request[1:3], strict=True))
            find(rows._replace(pointer=copy, lying=near), request._replace(addresses=(one, other)))


def turn(rows: KeyRows, to: int, *, opposite: bool = False) -> None:
    """Copy rows to (outer, inner, length), without gaps; floats with the other sign if asked."""
    outer, length, inner, steps = rows.lying
    launcher = rows.keys.launcher
    itemsize = launcher.raw.itemsize
    bits = (length | inner | steps[0] | steps[1]) * itemsize | rows.pointer | to
    wide = 1 if bits % LOAD or steps[2] != 1 else LOAD // itemsize
    across, down = (8 * wide, 4 * LANES) if wide > 1 else (LANES, 2 * LANES)
    while wide < across >= 2 * inner:
        across, down = across // 2, down * 2
    macros = {"WIDE": wide, "ACROSS": across, "DOWN": down, "OPPOSITE": int(opposite)}
    kernel = launcher.kernel("turn_rows", **macros)
    blocks = outer * -(-inner // across) * -(-length // down)
    launcher.launch(kernel, (blocks,), THREADS, (rows.pointer, length, inner, *steps, to))


def write_firsts(
    rows: KeyRows, request: Request, each: int, arguments: Sizes, macros: dict[str, int]
) -> None:
    """Launch the kernel that writes, with a thread for each of some first keys of a row."""
    kernel = rows.keys.launcher.kernel("write_firsts", **macros)
    plan = Plan("once", kernel, (-(-rows.lying.number * each // THREADS),))
    rows.run(plan, *request.numbers, *request.addresses, *arguments)
