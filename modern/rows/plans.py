"""Plans of launches for rows: which kernel, in what shape. They are kept: planning takes time."""

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

from modern.launching.launch import Launcher
from modern.rows import sorts
from shadersort.errors import UnsupportedKeys
from shadersort.selection.top_keys import MAGNITUDE

THREADS, LANES = 256, 32

LOAD = 16
"""Bytes of a load."""

BY_THREAD, BY_THREAD_FEW_BITS = 32, 64
"""Keys of the longest rows that a thread sorts; of columns of at most 32 bits without places."""

BY_LANES, KEYS_OF_LANE = 1 << 10, 32
"""Keys of the longest rows that lanes of a warp sort, and of each lane."""

HELD = 1 << 16
"""Bytes of the codes of the longest rows that a block holds."""

ENDS_THREADS = 1 << 12
"""Threads for each multiprocessor that find first keys, if rows are long enough."""

WIDE = 4.25
"""Standard errors between a rank and the ends of its bracket; misses take several reads."""

PART_OF_BLOCK = 1 << 14
"""Bytes of a row that a block reads at least, if several blocks have the row."""

KEYS_OF_THREAD = 32
"""Keys of a row that each thread of a block reads, about: shorter rows get fewer threads."""

MOST_SAMPLED, MOST_NEEDED = 8, 64
"""Loads that each thread samples, at most: as a rule, and where more keys are staged than fit."""

MOST_ENTRIES = 1 << 12
"""Keys with places that a block gathers, at most."""

MOST_FIRSTS = 1 << 11
"""First keys that a block gathers and sorts, at most."""

LEAST_MANY = 1 << 9
"""From a quarter of a row on, more first keys than these are not found by a sample."""

PLACES_OF_16_BITS = 1 << 16

SPACE = 16 + 3 * 4 * 4096
"""Bytes that a team of blocks shares: `Space` in team.cuh."""

STATIC = 2 << 10
"""Bytes of shared memory that a block needs beside its lists."""

MOST_KEPT = 1 << 10  # plans of a launcher

EQUAL = 3
"""The order in which keys that equal a key that is sought come first; only of one key."""


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

    @property
    def are_columns(self) -> bool:
        """Whether neighbours in memory are keys of neighbouring rows."""
        return self.inner > 1 and self.steps[1] != 1


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


Planner = Callable[[Launcher, Lying, Any, bool], Plan]


def launch_plan(
    make: Planner, launcher: Launcher, lying: Lying, asked: Any, aligned: bool = False
) -> Plan:
    """Return the plan of a planner; the launcher, which no other thread has, keeps it.

    `aligned`: the first key is where a load of 16 bytes begins.
    """
    plans = launcher.plans
    found: Plan | None = plans.get((make, lying, asked, aligned))
    if found is None:
        if len(plans) >= MOST_KEPT:
            plans.clear()
        found = plans[make, lying, asked, aligned] = make(launcher, lying, asked, aligned)
    return found


def by_lanes(launcher: Launcher, lying: Lying, asked: Order | Question, aligned: bool) -> Plan:
    """Plan some lanes of a warp for each row, which sort its keys in their registers."""
    length, itemsize, firsts = lying.length, launcher.raw.itemsize, 0
    number, thread = max(itemsize, 4), BY_THREAD
    if isinstance(asked, Order):
        firsts = 1 << (asked.number - 1).bit_length()
        number *= 1 + (itemsize > 2)
    elif lying.are_columns and itemsize <= 4:
        thread = BY_THREAD_FEW_BITS
    group, each = 1, length
    if length > thread:
        group, each = 1 << (-(-length // KEYS_OF_LANE) - 1).bit_length(), KEYS_OF_LANE
    tiled = lying.are_columns and group > 1
    threads, kept = THREADS << (tiled and group == LANES), firsts or group * each

    def shared(threads: int) -> int:
        apart = group * each + max(1, LANES * group // threads) * max(1, 4 // itemsize)
        slots = (kept + kept // each) | 1
        return threads // group * max(slots * number, tiled * apart * itemsize)

    while shared(threads) > launcher.most_shared:
        threads //= 2
    near = not lying.are_columns and _are_loads(lying, itemsize, aligned)
    kernel = launcher.kernel(
        "rows_by_lanes",
        **{"THREADS": threads, "GROUP": group, "EACH": each, "WHOLE": int(length == group * each)},
        **{"TILED": int(tiled), "ALIGNED": int(near), "FIRSTS": firsts},
        **asked.macros,
    )
    return Plan(kernel, (-(-lying.number * group // threads),), threads, shared(threads))


def _are_loads(lying: Lying, itemsize: int, aligned: bool) -> bool:
    """Whether keys that are neighbours in memory are whole loads of 16 bytes."""
    steps = lying.steps[0] | (lying.inner | lying.steps[1] if lying.are_columns else lying.length)
    return aligned and not steps * itemsize % LOAD


def by_ends(launcher: Launcher, lying: Lying, order: Order, aligned: bool) -> Plan:
    """Plan threads that find the first key of each row, or of pieces of it.

    Warps read at least 128 neighbouring bytes, if there are so many.
    """
    length, itemsize, columns = lying.length, launcher.raw.itemsize, lying.are_columns
    wide = 1 if columns and not _are_loads(lying, itemsize, aligned) else LOAD // itemsize
    loads, items = -(-length // wide), lying.number
    threads = ENDS_THREADS * launcher.processors
    if columns:
        loads, items, across = length, items // wide, lying.inner // wide
        group = min(LANES, max(1, threads // items))
        group = max(group, THREADS >> (across - 1).bit_length())
    else:
        group = THREADS if loads >= 1 << 11 else LANES
    group = 1 << (max(1, min(group, loads // 8)).bit_length() - 1)
    ahead = min(4 if wide > 1 else 8, 1 << (loads - 1).bit_length())
    each = -(-length // max(1, min(-(-threads // (items * group)), loads // (32 * group))))
    pieces = -(-length // each)
    macros = {"COLUMNS": int(columns), "WIDE": wide, "GROUP": group, "AHEAD": ahead}
    kernel = launcher.kernel("row_ends", **macros, **order.macros)
    return Plan(kernel, (-(-items * pieces * group // THREADS),), THREADS, pieces=pieces)


def by_digits(launcher: Launcher, lying: Lying, order: Order, _: bool) -> Plan:
    """Plan a block for each row, which sorts it digit by digit."""
    items = 1 << (-(-lying.length // sorts.THREADS) - 1).bit_length()
    macros = {"THREADS": sorts.THREADS, "ITEMS": items} | order.macros
    return Plan(launcher.kernel("firsts_by_digits", **macros), (lying.number,), sorts.THREADS)


def is_many(length: int, firsts: int) -> bool:
    """Whether this number of first keys is sorted digit by digit.

    Examples
    --------
    >>> is_many(1 << 17, 2048), is_many(1 << 12, 2048), is_many(1 << 17, 2049)
    (False, True, True)
    """
    return firsts > MOST_FIRSTS or (firsts > LEAST_MANY and 4 * firsts > length)


def by_teams(launcher: Launcher, lying: Lying, asked: Order | Question, _: bool) -> Plan:
    """Plan a block, or a team of blocks, for each row; they count its keys in 32 bits.

    Teams of several blocks have one row each, and all of their blocks run at once.
    """
    length, rows, processors = lying.length, lying.number, launcher.processors
    if length >> 32:
        raise UnsupportedKeys(f"a row of {length:,} keys is too long here: use modern.Parts")
    itemsize, code = launcher.raw.itemsize, max(launcher.raw.itemsize, 4)
    ranks = isinstance(asked, Question)
    held = ranks and length * code <= HELD
    blocks = 1
    if rows <= processors // 2 and not held:
        blocks = max(1, min(processors // rows, length * itemsize // PART_OF_BLOCK))
    part = -(-length // blocks)
    threads, most = 128, 512
    if (blocks > 1 and part >= 1 << 14) or (blocks == 1 and rows < processors) or part > 1 << 18:
        most = 1024
    elif blocks == 1 and length <= 1 << 16:
        most = 256
    while threads < most and (threads * KEYS_OF_THREAD < part or blocks > 1):
        threads *= 2
    keys = threads * (LOAD // itemsize)
    macros = {"THREADS": threads} | asked.macros
    if ranks:
        limit = (launcher.most_shared - STATIC - 16 * threads) // code
        samples, staged = _samples(length, keys, 0, part / length, limit / 1.2)
        room = length if held else min(limit, int(1.5 * staged) + 1024)
        name, entry, macros = "rows_by_team", code, macros | {"HELD": int(held)}
    else:
        name, entry, room = "firsts_by_team", code + 4, MOST_ENTRIES
        many = is_many(length, asked.number)
        samples, staged = _samples(length, keys, min(asked.number, MOST_FIRSTS), 1, room * 0.95)
        while not many and room > 1 << 10 and staged < room / 3:
            room //= 2
        near = itemsize <= 2 and length <= PLACES_OF_16_BITS
        macros |= {"MOST": room, "MANY": int(many), "IN_ORDER": int(asked.in_order)}
        macros |= {"NEAR": int(near)}
    kernel = launcher.kernel(name, **macros, SAMPLES=samples)
    teams = rows if blocks > 1 else min(rows, (64 if ranks else 4) * processors)
    return Plan(
        kernel, (blocks, teams), threads, 16 * threads + room * entry, blocks > 1, room
    )


def _samples(length: int, keys: int, firsts: int, part: float, most: float) -> tuple[int, float]:
    """Return how many loads each thread samples, and how many keys a block then stages, as a rule.

    `keys` are in a load of each thread; a block has a `part` of the row, and room for `most` keys.
    """
    samples = 1
    while True:
        sampled = samples * keys
        if firsts:
            middle = firsts * sampled / length
            aimed = middle + WIDE * sqrt(middle) + WIDE**2 / 3
            share = (1.125 * aimed + 4 * sqrt(aimed)) / sampled
        else:
            ends = 1024 if sampled >= 1 << 14 else 256
            share = 2 * (WIDE * sqrt(sampled / 4) + WIDE**2 / 3) / sampled + 2 / ends
        staged = length * part * min(1.0, share)
        wanted = samples < MOST_SAMPLED and 32 * sampled <= length
        if samples == MOST_NEEDED or not wanted and staged <= most:
            return samples, staged
        samples *= 2
