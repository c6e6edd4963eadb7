"""How rows are given to threads, warps and blocks: shapes of launches (modern/kernels/rows/)."""

from functools import cache
from math import ceil, sqrt
from typing import NamedTuple

LANES = 32
LOAD = 16
"""Bytes of a load."""

BY_THREAD, BY_THREAD_FEW_BITS = 32, 64
"""Keys of the longest rows that a thread sorts; of columns of at most 32 bits without places."""

BY_WARP = 1 << 10
"""Keys of the longest rows that a warp holds."""

STREAMED, WARPS_STREAMED = 1 << 13, 16
"""Keys of the longest rows that warps read in memory, if each multiprocessor has so many rows."""

SHORT_STREAMED = 5000
ITEMS_STREAMED = {True: 48, False: 64}
"""Codes that a lane stages then, of rows of up to SHORT_STREAMED keys, and of longer ones: for a
rank in the middle, about a fifth of the keys are staged."""

FIRSTS_STREAMED = 128
"""First keys that a warp then finds, at most: for more, fewer warps would run at once."""

PLACES_OF_16_BITS = 1 << 16

WIDE = 4.25
"""Standard errors between a rank and the ends of its bracket; misses take several reads."""

PART_OF_BLOCK = 1 << 14
"""Bytes of a row that a block reads at least, if several blocks have the row."""

KEYS_OF_THREAD = 32
"""Keys of a row that each thread of a block reads, about: shorter rows get fewer threads."""

MOST_SAMPLED, MOST_NEEDED = 8, 64
"""Loads that each thread samples, at most: as a rule, and where more keys are staged than fit."""

MOST_ENTRIES = 1 << 12
"""Keys with places that a block sorts, at most."""

MOST_FIRSTS = 1 << 11
"""First keys that a block finds and sorts, at most."""

ENDS_AHEAD = 8
"""Keys in flight of a thread that finds the first key of a row."""

ENDS_THREADS = 4096
"""Such threads for each multiprocessor, if rows are long enough: some wait for others' end."""

LEAST_MANY = 1 << 9
"""Up to this many, a block sorts them, even if they are most of the row."""

SPACE = 16 + 3 * 4 * 4096
"""Bytes that a team of blocks shares: `Space` in team.cuh."""

STATIC = 2 << 10
"""Bytes of shared memory that a block needs beside its lists."""


class EndsShape(NamedTuple):
    """How rows are given to threads that find the first key of each."""

    group: int  # threads of one row, or of one piece of it
    pieces: int


@cache
def ends_shape(
    length: int, outer: int, inner: int, itemsize: int, processors: int, *, columns: bool
) -> EndsShape:
    """Return how many threads have a row, and in how many pieces rows are cut.

    Examples
    --------
    >>> ends_shape(1 << 20, 256, 1, 4, 132, columns=False)
    EndsShape(group=256, pieces=9)
    >>> ends_shape(1 << 10, 1, 1 << 18, 4, 132, columns=True)
    EndsShape(group=8, pieces=1)
    """
    if columns:
        group = max(8, 256 // (1 << (inner - 1).bit_length()))
        group = min(group, 1 << max(0, (length // ENDS_AHEAD).bit_length() - 1))
    else:
        loads = -(-length * itemsize // LOAD)
        group = 256 if loads >= 1 << 11 else min(LANES, 1 << max(0, (loads // 4).bit_length() - 1))
    wanted = -(-ENDS_THREADS * processors // (outer * inner * group))
    least = 4 * group * (ENDS_AHEAD if columns else 4 * LOAD // itemsize)
    return EndsShape(group, max(1, min(wanted, length // least)))


class TeamShape(NamedTuple):
    """How long rows are given to teams of blocks."""

    blocks: int  # of a team
    teams: int
    threads: int  # of a block
    samples: int  # loads that each thread samples
    room: int  # codes, or codes with places, in the shared memory of a block


def is_many(length: int, firsts: int) -> bool:
    """Whether this number of first keys is sorted digit by digit, in launches of its own.

    Examples
    --------
    >>> is_many(1 << 17, 2048), is_many(1 << 12, 2048), is_many(1 << 17, 2049)
    (False, True, True)
    """
    return firsts > MOST_FIRSTS or (firsts > LEAST_MANY and 4 * firsts > length)


def items_of(length: int) -> int:
    """Return how many keys of a row a lane holds: up to 8 a power of two, then a multiple of 4.

    Examples
    --------
    >>> items_of(32), items_of(33), items_of(300), items_of(1000)
    (1, 2, 12, 32)
    """
    items = -(-length // LANES)
    return 1 << (items - 1).bit_length() if items <= 8 else -(-items // 4) * 4


def warp_bytes(items: int, itemsize: int, firsts: int, *, columns: bool) -> int:
    """Return the bytes of shared memory of a warp: `ROOM` in rows_by_warp.cu, and entries."""
    code = max(itemsize, 4)
    return ((items + 1) * LANES + (LANES + 1) * columns) * code + firsts * (code + 4)


@cache
def warps_of(items: int, itemsize: int, firsts: int, columns: int, most: int) -> int:
    """Return how many warps a block has, for rows, or for neighbouring columns if there are some.

    Twice as many have columns, so that keys of at least 4 bytes are read by 64 neighbouring bytes.
    `most` is the most shared memory that a block may have.

    Examples
    --------
    >>> warps_of(32, 4, 0, 0, 227 << 10), warps_of(32, 4, 0, 100, 227 << 10)
    (8, 16)
    """
    warps = 4 if itemsize > 4 or firsts > 512 else 8
    if columns:
        warps = min(2 * warps, 1 << (columns - 1).bit_length())
    while warps > 1 and warps * warp_bytes(items, itemsize, firsts, columns=columns > 0) > most:
        warps //= 2
    return warps


@cache
def team_shape(
    length: int, rows: int, itemsize: int, processors: int, most: int, firsts: int = 0
) -> TeamShape:
    """Return how rows are given to teams, for ranks, or for some first keys.

    Teams of several blocks have one row each, and all of their blocks run at once.

    Examples
    --------
    >>> team_shape(1 << 17, 1 << 10, 4, 132, 227 << 10)
    TeamShape(blocks=1, teams=1024, threads=512, samples=4, room=12288)
    >>> team_shape(1 << 17, 1, 4, 132, 227 << 10, 50)
    TeamShape(blocks=32, teams=1, threads=512, samples=4, room=1024)
    """
    blocks = 1
    if rows <= processors // 2:
        blocks = max(1, min(processors // rows, length * itemsize // PART_OF_BLOCK))
    part = -(-length // blocks)
    most_threads = 1024 if (blocks > 1 and part >= 1 << 14) or part > 1 << 18 else 512
    if blocks == 1 and length <= 1 << 16:
        most_threads = 256
    if rows < processors and blocks == 1:
        most_threads = 1024
    threads = 128
    while threads < most_threads and (threads * KEYS_OF_THREAD < part or blocks > 1):
        threads *= 2
    each = LOAD // itemsize
    samples = _samples(length, threads * each)
    if firsts:
        room = MOST_ENTRIES
        while (
            room > 1 << 10 and _staged_firsts(length, samples * threads * each, firsts) < room / 3
        ):
            room //= 2
        while samples < MOST_NEEDED and (
            _staged_firsts(length, samples * threads * each, firsts) > room * 0.95
        ):
            samples *= 2
    else:
        limit = (most - STATIC - 16 * threads) // max(itemsize, 4)
        while samples < MOST_NEEDED and (
            1.2 * part * _staged_share(samples * threads * each) > limit
        ):
            samples *= 2
        staged = part * _staged_share(samples * threads * each)
        room = min(limit, 1 << ceil(1.3 * staged + 512).bit_length(), _room_for(staged))
    teams = rows if blocks > 1 else min(rows, 64 * processors)
    return TeamShape(blocks, teams, threads, samples, room)


def _room_for(staged: float) -> int:
    """Return room for the codes that are staged as a rule, and some more: whole KiB."""
    return -(-int(1.5 * staged + 1024) // 1024) * 1024


def _samples(length: int, keys: int) -> int:
    """Return how many loads each thread samples, if a block loads so many keys at once."""
    samples = 1
    while samples < MOST_SAMPLED and 32 * samples * keys <= length:
        samples *= 2
    return samples


def _staged_share(sampled: int) -> float:
    """Return which share of the keys is staged for a rank in the middle, as a rule."""
    share = 1024 if sampled >= 1 << 14 else 256
    return min(1.0, 2 * (WIDE * sqrt(sampled / 4) + WIDE**2 / 3) / sampled + 2 / share)


def _staged_firsts(length: int, sampled: int, firsts: int) -> float:
    """Return how many keys are staged for some first keys, as a rule."""
    middle = firsts * sampled / length
    aimed = middle + WIDE * sqrt(middle) + WIDE**2 / 3
    return length * min(1.0, (1.125 * aimed + 4 * sqrt(aimed)) / sampled)
