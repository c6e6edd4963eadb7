"""Plans of launches for rows: which kernel, in what shape. They are kept: planning takes time."""

from functools import lru_cache
from typing import Any, NamedTuple

from modern.launching.launch import Launcher
from modern.rows.shapes import (
    BY_WARP,
    ENDS_AHEAD,
    ITEMS_STREAMED,
    LANES,
    LOAD,
    MOST_ENTRIES,
    MOST_FIRSTS,
    PLACES_OF_16_BITS,
    STREAMED,
    WARPS_STREAMED,
    ends_shape,
    items_of,
    team_shape,
    warp_bytes,
    warps_of,
)
from shadersort.selection.top_keys import MAGNITUDE

THREADS = 256

KEPT = lru_cache(maxsize=1024)


class Lying(NamedTuple):
    """How rows lie: (outer, length, inner), and the steps between neighbours, in keys."""

    outer: int
    length: int
    inner: int
    steps: tuple[int, int, int]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.outer * self.inner


class Order(NamedTuple):
    """Which first keys come first, how many, and how: as `Rows.first` has them."""

    by: int
    count: int
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


def is_streamed(launcher: Launcher, lying: Lying) -> bool:
    """Whether warps read rows in memory: rows that are too long to hold, and many."""
    many = lying.count >= WARPS_STREAMED * launcher.processors
    return lying.length <= STREAMED and many and lying.steps[1] == 1


@KEPT
def by_threads(launcher: Launcher, lying: Lying, asked: Order | Question, *, near: bool) -> Plan:
    """Plan a thread for each row; `near`: the first row begins where a load does."""
    itemsize, outer_step = launcher.raw.itemsize, lying.steps[0]
    bits = (lying.length | outer_step) * itemsize | (lying.length * itemsize)
    aligned = near and lying.inner == 1 and lying.steps[1] == 1 and not bits % LOAD
    aligned = aligned and not outer_step * itemsize % LOAD
    firsts = 1 << (asked.count - 1).bit_length() if isinstance(asked, Order) else 0
    macros = {"LENGTH": lying.length, "ALIGNED": int(aligned), "FIRSTS": firsts} | asked.macros
    kernel = launcher.kernel("rows_by_thread", **macros)
    return Plan(kernel, (-(-lying.count // THREADS),), THREADS)


@KEPT
def by_warps(launcher: Launcher, lying: Lying, asked: Order | Question) -> Plan:
    """Plan a warp for each row."""
    length, itemsize = lying.length, launcher.raw.itemsize
    streamed = length > BY_WARP
    items = ITEMS_STREAMED if streamed else items_of(length)
    firsts = in_order = 0
    if isinstance(asked, Order):
        firsts, in_order = max(LANES, 1 << (asked.count - 1).bit_length()), int(asked.in_order)
    columns = lying.inner if lying.inner > 1 and lying.steps[2] == 1 and not streamed else 0
    warps = warps_of(items, itemsize, firsts, columns, launcher.most_shared)
    kernel = launcher.kernel(
        "rows_by_warp",
        **{"THREADS": warps * LANES, "ITEMS": items, "WHOLE": int(length == items * LANES)},
        **{"COLUMNS": int(columns > 0), "STREAMED": int(streamed)},
        **{"FIRSTS": firsts, "IN_ORDER": in_order},
        **asked.macros,
    )
    blocks = lying.outer * -(-lying.inner // warps) if columns else -(-lying.count // warps)
    shared = warps * warp_bytes(items, itemsize, firsts, columns=columns > 0)
    return Plan(kernel, (blocks,), warps * LANES, shared)


@KEPT
def by_ends(launcher: Launcher, lying: Lying, order: Order, *, found: bool) -> Plan:
    """Plan threads that find the first key of each row, or with `found`, of its pieces' ones."""
    columns = lying.inner > 1 and lying.steps[2] == 1
    shape = lying.length, lying.outer, lying.inner, launcher.raw.itemsize, launcher.processors
    group, pieces = ends_shape(*shape, columns=columns)
    items = lying.count * pieces
    if found:
        group, items = min(LANES, 1 << (pieces - 1).bit_length()), lying.count
    macros = {"AHEAD": ENDS_AHEAD, "COLUMNS": int(columns), "GROUP": group, "FOUND": int(found)}
    kernel = launcher.kernel("row_ends", **macros, **order.macros)
    return Plan(kernel, (-(-items * group // THREADS),), THREADS, pieces=pieces)


@KEPT
def by_teams(launcher: Launcher, lying: Lying, asked: Order | Question) -> Plan:
    """Plan a block, or a team of blocks, for each row."""
    itemsize, code = launcher.raw.itemsize, max(launcher.raw.itemsize, 4)
    sizes = lying.length, lying.count, itemsize, launcher.processors, launcher.most_shared
    if isinstance(asked, Question):
        shape = team_shape(*sizes)
        macros = {"THREADS": shape.threads, "SAMPLES": shape.samples} | asked.macros
        name, room, entry, teams = "rows_by_team", shape.room, code, shape.teams
    else:
        shape, many = team_shape(*sizes, min(asked.count, MOST_FIRSTS)), asked.count > MOST_FIRSTS
        name, entry, room = "firsts_by_team", code + 4, MOST_ENTRIES if many else shape.room
        near = itemsize <= 2 and lying.length <= PLACES_OF_16_BITS
        macros = {"THREADS": shape.threads, "SAMPLES": shape.samples, "MOST": room}
        macros |= {"MANY": int(many), "IN_ORDER": int(asked.in_order), "NEAR": int(near)}
        macros |= asked.macros
        teams = min(shape.teams, 4 * launcher.processors) if shape.blocks == 1 else shape.teams
    kernel, shared = launcher.kernel(name, **macros), 16 * shape.threads + room * entry
    together = shape.blocks > 1
    return Plan(kernel, (shape.blocks, teams), shape.threads, shared, together, room)
