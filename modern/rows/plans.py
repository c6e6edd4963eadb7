"""Plans of launches for rows: which kernel, in what shape. They are kept: planning takes time."""

from math import sqrt
from typing import Any, Literal, NamedTuple

from modern.launching.launch import Launcher
from shadersort.errors import UnsupportedKeys
from shadersort.selection.top_keys import MAGNITUDE, SMALLEST

THREADS, LANES = 256, 32
LOAD = 16  # bytes

# How rows are given to threads, lanes and blocks. The longest rows are those of so many keys.
BY_THREAD, BY_THREAD_FEW_BITS = 32, 64  # or of columns of at most 32 bits, without places
BY_LANES, KEYS_OF_LANE = 1 << 10, 32
BY_BLOCK = 1 << 13  # and half as many of 64 bits: rows that a block sorts digit by digit
KEYS_OF_THREAD = 32  # of a block, about, or twice as many for ranks of many rows
PART_OF_BLOCK = 1 << 14  # bytes of a row that a block reads at least, if several have the row
ENDS_THREADS = 1 << 12  # for each multiprocessor, if rows are long enough, to find first keys
WIDE = 4.25  # standard errors between a rank and the ends of its bracket, as in finder.cuh
MOST_SAMPLED = 8  # loads of each thread, as a rule
MOST_NEEDED = 64  # and where more keys would be staged than fit
MOST_ENTRIES = 1 << 12  # keys with places that a block gathers
MOST_FIRSTS = 1 << 11  # of which so many may be wanted
LEAST_MANY = 1 << 9  # more are not found by a sample, if they are a large part of the row

SELECT, MEDIAN, NANMEDIAN, NUMBERS = range(4)
"""What is asked: keys of ranks; the mean of the middle keys, NaN if any key is; that of the
numbers; how many keys are numbers. As in middle.cuh and rows.cuh."""

EQUAL = 3
"""The order in which keys that equal a key that is sought come first; only of one key."""

NO_ARRAY = 0
"""The null pointer."""

Sizes = tuple[int, ...]


class Lying(NamedTuple):
    """How rows lie: (outer, length, inner), and the steps between neighbours, in keys."""

    outer: int
    length: int
    inner: int
    steps: Sizes

    @property
    def number(self) -> int:
        """How many rows there are."""
        return self.outer * self.inner

    @property
    def are_columns(self) -> bool:
        """Whether neighbours in memory are keys of neighbouring rows."""
        return self.inner > 1 and self.steps[1] != 1


class Question(NamedTuple):
    """What is asked of each row: about ranks; or first keys in an order, as `Rows.first` has it."""

    ask: int = SELECT
    unless_nan: bool = False  # whether a row that has a NaN gets NaN for every rank
    firsts: int = 0  # how many first keys
    by: int = SMALLEST
    in_order: bool = False
    highest: bool = False

    @property
    def macros(self) -> dict[str, int]:
        """The macros of kernels."""
        if not self.firsts:
            return {"ASK": self.ask, "UNLESS_NAN": int(self.unless_nan)}
        magnitude = int(self.by == MAGNITUDE)
        return {"BY": self.by, "MAGNITUDE": magnitude, "HIGHEST": int(self.highest)}


class Plan(NamedTuple):
    """Launches, without their arguments; or none, if rows are copied first."""

    way: Literal["once", "ends", "sort", "turn"]  # one; one or two; one and a sort; none
    kernel: Any = None
    grid: Sizes = ()
    threads: int = THREADS
    shared: int = 0
    last: Sizes = ()  # arguments; of ends, the pieces of each row
    scratch: Sizes = ()  # bytes of memory whose addresses are arguments before these


def new_plan(launcher: Launcher, lying: Lying, asked: Question, aligned: bool) -> Plan:
    """Plan a question; `aligned`: the first key begins a load."""
    (_, length, inner, steps), itemsize = lying, launcher.raw.itemsize
    apart = steps[0] | (inner | steps[1] if lying.are_columns else length)
    aligned = aligned and not apart * itemsize % LOAD  # whole loads of neighbours
    if asked.firsts == 1:
        return plan_ends(launcher, lying, asked, aligned)
    if length <= BY_LANES:
        return plan_lanes(launcher, lying, asked, aligned)
    if lying.are_columns:
        return Plan("turn")
    many = asked.firsts > LEAST_MANY and 16 * asked.firsts > itemsize * length
    many = many or asked.firsts > MOST_FIRSTS
    if many and length <= BY_BLOCK >> (itemsize > 4):
        return plan_digits(launcher, lying, asked)
    return plan_teams(launcher, lying, asked, many)


def plan_ends(launcher: Launcher, lying: Lying, asked: Question, aligned: bool) -> Plan:
    """Plan threads that find the first key of each row, or of pieces of it.

    Warps read at least 128 neighbouring bytes, if there are so many.
    """
    length, itemsize, columns = lying.length, launcher.raw.itemsize, lying.are_columns
    wide = LOAD // itemsize if aligned or not columns else 1
    loads, items = -(-length // wide), lying.number
    threads, group = ENDS_THREADS * launcher.processors, THREADS
    if columns:
        loads, items = length, items // wide
        group = max(1, min(LANES, threads // items))
        group = max(group, THREADS >> (lying.inner // wide - 1).bit_length())
    elif loads < 1 << 11:
        group = LANES
    group = 1 << (max(1, min(group, loads // 8)).bit_length() - 1)
    ahead = min(4 if wide > 1 else 8, 1 << (loads - 1).bit_length())
    each = -(-length // max(1, min(-(-threads // (items * group)), loads // (32 * group))))
    pieces = -(-length // each)
    macros = {"COLUMNS": int(columns), "WIDE": wide, "GROUP": group, "AHEAD": ahead}
    kernel = launcher.kernel("row_ends", **macros, **asked.macros)
    return Plan("ends", kernel, (-(-items * pieces * group // THREADS),), last=(pieces,))


def plan_lanes(launcher: Launcher, lying: Lying, asked: Question, aligned: bool) -> Plan:
    """Plan some lanes of a warp for each row, which sort its keys in their registers."""
    length, itemsize, columns = lying.length, launcher.raw.itemsize, lying.are_columns
    number, firsts, thread = max(itemsize, 4), 0, BY_THREAD
    if asked.firsts:
        number, firsts = number << (itemsize > 2), 1 << (asked.firsts - 1).bit_length()
    elif columns and itemsize <= 4:
        thread = BY_THREAD_FEW_BITS
    group, each = 1, length
    if length > thread:
        group, each = 1 << (-(-length // KEYS_OF_LANE) - 1).bit_length(), KEYS_OF_LANE
    tiled = columns and group > 1
    threads, kept = THREADS << (tiled and group == LANES), firsts or group * each

    def shared(threads: int) -> int:
        apart = group * each + max(1, LANES * group // threads) * max(1, 4 // itemsize)
        slots = (kept + kept // each) | 1
        return threads // group * max(slots * number, tiled * apart * itemsize)

    while shared(threads) > launcher.most_shared:
        threads //= 2
    macros = {"THREADS": threads, "GROUP": group, "EACH": each, "FIRSTS": firsts}
    macros |= {"TILED": int(tiled), "ALIGNED": int(aligned and not columns)} | asked.macros
    kernel = launcher.kernel("rows_by_lanes", WHOLE=int(length == group * each), **macros)
    return Plan("once", kernel, (-(-lying.number * group // threads),), threads, shared(threads))


def plan_digits(launcher: Launcher, lying: Lying, asked: Question) -> Plan:
    """Plan a block for each row, which sorts it digit by digit."""
    threads = 512 if lying.length <= 1 << 12 else 1024
    items = 1 << (-(-lying.length // threads) - 1).bit_length()
    kernel = launcher.kernel("firsts_by_digits", THREADS=threads, ITEMS=items, **asked.macros)
    return Plan("once", kernel, (lying.number,), threads)


def plan_teams(launcher: Launcher, lying: Lying, asked: Question, many: bool) -> Plan:
    """Plan a block, or a team of blocks, for each row; they count its keys in 32 bits.

    Teams of several blocks have one row each, and all of their blocks run at once. If first keys
    are many, they are not found by a sample.
    """
    length, rows, processors = lying.length, lying.number, launcher.processors
    if length >> 32:
        raise UnsupportedKeys(f"a row of {length:,} keys is too long here: use modern.Parts")
    itemsize, code = launcher.raw.itemsize, max(launcher.raw.itemsize, 4)
    blocks = 1
    if rows <= processors // 2:
        blocks = max(1, min(processors // rows, length * itemsize // PART_OF_BLOCK))
    part, most = -(-length // blocks), 512
    if part > 1 << 18 or (part >= 1 << 14 if blocks > 1 else rows < processors):
        most = 1024
    elif blocks == 1 and length <= 1 << 16:
        most = 256
    ranks_alone = not asked.firsts and rows >= processors
    threads, each = (64, 2 * KEYS_OF_THREAD) if ranks_alone else (128, KEYS_OF_THREAD)
    while threads < most and (threads * each < part or blocks > 1):
        threads *= 2
    keys, macros = threads * (LOAD // itemsize), {"THREADS": threads} | asked.macros
    if asked.firsts:
        name, room, entry, teams = "firsts_by_team", MOST_ENTRIES, code + 4, 4 * processors
        samples, _ = _samples(length, keys, min(asked.firsts, MOST_FIRSTS), 1, room * 0.95)
        near = itemsize <= 2 and length <= 1 << 16  # places have 16 bits
        macros |= {"MOST": room, "NEAR": int(near)}
        macros |= {"MANY": int(many), "IN_ORDER": int(asked.in_order)}
        scratch: Sizes = (rows * room * code, rows * room * 4) if blocks > 1 else ()
        last: Sizes = () if blocks > 1 else (NO_ARRAY, NO_ARRAY)
    else:
        name, entry, teams = "rows_by_team", code, 64 * processors
        limit = (launcher.most_shared - (2 << 10) - 16 * threads) // code  # 2 KiB are static
        samples, staged = _samples(length, keys, 0, part / length, limit / 1.2)
        room = min(limit, int(1.5 * staged) + 1024)
        scratch, last = (), (room,)
    kernel = launcher.kernel(name, **macros, SAMPLES=samples)
    grid = blocks, rows if blocks > 1 else min(rows, teams)
    way: Literal["once", "sort"] = "sort" if many and asked.in_order else "once"
    return Plan(way, kernel, grid, threads, 16 * threads + room * entry, last, scratch)


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
        if samples == MOST_NEEDED or (staged <= most and not wanted):
            return samples, staged
        samples *= 2
