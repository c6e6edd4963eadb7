"""Plans of launches for rows: which kernel, in what shape. They are kept: planning takes time."""

from collections.abc import Callable
from typing import Any, NamedTuple

from modern.launching.launch import Launcher
from modern.rows.shapes import (
    BY_WARP,
    ENDS_AHEAD,
    FIRSTS_STREAMED,
    ITEMS_STREAMED,
    LANES,
    LOAD,
    MOST_ENTRIES,
    MOST_FIRSTS,
    PLACES_OF_16_BITS,
    SHORT_STREAMED,
    STREAMED,
    WARPS_STREAMED,
    ends_shape,
    is_many,
    items_of,
    team_shape,
    warp_bytes,
    warps_of,
)
from shadersort.errors import UnsupportedKeys
from shadersort.selection.top_keys import MAGNITUDE

THREADS = 256

MOST_KEPT = 1 << 10  # plans of a launcher


class Lying(NamedTuple):
    """How rows lie: (outer, length, inner), and the steps between neighbours, in keys."""

    outer: int
    length: int
    inner: int
    steps: tuple[int, ...]

    @property
    def number(self) -> int:
        """How many rows there are."""
        return self.outer * self.inner


class Order(NamedTuple):
    """Which first keys come first, how many, and how: as `Rows.first` has them."""

    by: int
    number: int
    in_order: bool
    highest: bool

    @property
    def macros(self) -> dict[str, int]:
        """The macros of kernels."""
        magnitude = int(self.by == MAGNITUDE)
        return {"BY": self.by, "MAGNITUDE": magnitude, "HIGHEST": int(self.highest)}


class Question(NamedTuple):
    """What is asked, and whether a row that has a NaN gets NaN for every rank."""

    ask: int
    unless_nan: bool = False

    @property
    def macros(self) -> dict[str, int]:
        """The macros of kernels."""
        return {"ASK": self.ask, "UNLESS_NAN": int(self.unless_nan)}


class Plan(NamedTuple):
    """A launch, without its arguments."""

    kernel: Any
    grid: tuple[int, ...]
    threads: int
    shared: int = 0
    together: bool = False
    room: int = 0  # codes, or codes with places, in the shared memory of a block
    pieces: int = 1  # of each row
    many: bool = False  # whether there are more first keys than a block sorts


Planner = Callable[[Launcher, Lying, Any, bool], Plan]


def launch_plan(
    make: Planner, launcher: Launcher, lying: Lying, asked: Any, flag: bool = False
) -> Plan:
    """Return the plan of a planner; the launcher, which no other thread has, keeps it."""
    plans = launcher.plans
    found: Plan | None = plans.get((make, lying, asked, flag))
    if found is None:
        if len(plans) >= MOST_KEPT:
            plans.clear()
        found = plans[make, lying, asked, flag] = make(launcher, lying, asked, flag)
    return found


def by_threads(launcher: Launcher, lying: Lying, asked: Order | Question, near: bool) -> Plan:
    """Plan a thread for each row; `near`: the first row begins where a load does."""
    itemsize, outer_step = launcher.raw.itemsize, lying.steps[0]
    bits = (lying.length | outer_step) * itemsize | (lying.length * itemsize)
    aligned = near and lying.inner == 1 and lying.steps[1] == 1 and not bits % LOAD
    aligned = aligned and not outer_step * itemsize % LOAD
    firsts = 1 << (asked.number - 1).bit_length() if isinstance(asked, Order) else 0
    macros = {"LENGTH": lying.length, "ALIGNED": int(aligned), "FIRSTS": firsts} | asked.macros
    kernel = launcher.kernel("rows_by_thread", **macros)
    return Plan(kernel, (-(-lying.number // THREADS),), THREADS)


def by_warps_or_teams(launcher: Launcher, lying: Lying, asked: Order | Question, _: bool) -> Plan:
    """Plan a warp for each row that it can hold, or read in memory if there are many; or a team.

    Only plans of teams have `room`.
    """
    streamed = lying.length <= STREAMED and lying.steps[1] == 1
    streamed = streamed and lying.number >= WARPS_STREAMED * launcher.processors
    if isinstance(asked, Order):
        streamed = streamed and asked.number <= FIRSTS_STREAMED
    make = _by_warps if lying.length <= BY_WARP or streamed else _by_teams
    return make(launcher, lying, asked)


def _by_warps(launcher: Launcher, lying: Lying, asked: Order | Question) -> Plan:
    """Plan a warp for each row."""
    length, itemsize = lying.length, launcher.raw.itemsize
    streamed = length > BY_WARP
    items = ITEMS_STREAMED[length <= SHORT_STREAMED] if streamed else items_of(length)
    firsts = in_order = 0
    if isinstance(asked, Order):
        firsts, in_order = max(LANES, 1 << (asked.number - 1).bit_length()), int(asked.in_order)
    columns = lying.inner if lying.inner > 1 and lying.steps[2] == 1 and not streamed else 0
    warps = warps_of(items, itemsize, firsts, columns, launcher.most_shared)
    kernel = launcher.kernel(
        "rows_by_warp",
        **{"THREADS": warps * LANES, "ITEMS": items, "WHOLE": int(length == items * LANES)},
        **{"COLUMNS": int(columns > 0), "STREAMED": int(streamed)},
        **{"FIRSTS": firsts, "IN_ORDER": in_order},
        **asked.macros,
    )
    blocks = lying.outer * -(-lying.inner // warps) if columns else -(-lying.number // warps)
    shared = warps * warp_bytes(items, itemsize, firsts, columns=columns > 0)
    return Plan(kernel, (blocks,), warps * LANES, shared)


def by_ends(launcher: Launcher, lying: Lying, order: Order, found: bool) -> Plan:
    """Plan threads that find the first key of each row, or with `found`, of its pieces' ones."""
    columns = lying.inner > 1 and lying.steps[2] == 1
    shape = lying.length, lying.outer, lying.inner, launcher.raw.itemsize, launcher.processors
    group, pieces = ends_shape(*shape, columns=columns)
    items = lying.number * pieces
    if found:
        group, items = min(LANES, 1 << (pieces - 1).bit_length()), lying.number
    vectors = lying.inner == 1 and lying.steps[1] == 1
    macros = {"AHEAD": 4 if vectors else ENDS_AHEAD, "VECTORS": int(vectors), "GROUP": group}
    macros |= {"COLUMNS": int(columns), "FOUND": int(found)}
    kernel = launcher.kernel("row_ends", **macros, **order.macros)
    return Plan(kernel, (-(-items * group // THREADS),), THREADS, pieces=pieces)


def _by_teams(launcher: Launcher, lying: Lying, asked: Order | Question) -> Plan:
    """Plan a block, or a team of blocks, for each row; they count its keys in 32 bits."""
    if lying.length >> 32:
        raise UnsupportedKeys(f"a row of {lying.length:,} keys is too long here: use modern.Parts")
    itemsize, code = launcher.raw.itemsize, max(launcher.raw.itemsize, 4)
    sizes = lying.length, lying.number, itemsize, launcher.processors, launcher.most_shared
    many = False
    if isinstance(asked, Question):
        shape = team_shape(*sizes)
        macros = {"THREADS": shape.threads, "SAMPLES": shape.samples} | asked.macros
        name, room, entry, teams = "rows_by_team", shape.room, code, shape.teams
    else:
        many = is_many(lying.length, asked.number)
        shape = team_shape(*sizes, min(asked.number, MOST_FIRSTS))
        name, entry, room = "firsts_by_team", code + 4, MOST_ENTRIES if many else shape.room
        near = itemsize <= 2 and lying.length <= PLACES_OF_16_BITS
        macros = {"THREADS": shape.threads, "SAMPLES": shape.samples, "MOST": room}
        macros |= {"MANY": int(many), "IN_ORDER": int(asked.in_order), "NEAR": int(near)}
        macros |= asked.macros
        teams = min(shape.teams, 4 * launcher.processors) if shape.blocks == 1 else shape.teams
    kernel, shared = launcher.kernel(name, **macros), 16 * shape.threads + room * entry
    together = shape.blocks > 1
    return Plan(kernel, (shape.blocks, teams), shape.threads, shared, together, room, many=many)
