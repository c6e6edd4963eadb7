"""How long rows are divided among all blocks of a GPU, and when that is faster (cuda_long.py)."""

from functools import cache
from math import sqrt
from typing import NamedTuple

from modern.primitives.one_read import BINS, STATIC, THREADS, UNROLL
from shadersort.selection.primitives.one_read import LOAD

LEAST = 1 << 15
"""Keys of the shortest rows that blocks share."""

ALONE, EACH = 80.0, 27.0
"""Thousands of bytes that a block reads in a microsecond: alone, and beside all others."""

SLOWER = 1.1
"""How much longer a block that has a row takes than its read: a sample, and the last keys."""

LAUNCHES, PASSAGE = 20.0, 3.0
"""Microseconds of the launches beside the read, and of a block's step from one row to the next."""

HOST = 80.0
"""Microseconds that the host takes for the launches: fewer keys are read meanwhile."""

MOST_SAMPLES = 8
"""Loads that each thread samples, at most."""

SPARSE = 8
"""At most 1 in so many keys is sampled, if rows are long."""

FIRST_WIDE = 3.5
"""Standard errors between the rank of the last of the first keys and the bound."""

HELD = 1 << 11
"""Staged keys with places that a block holds: HELD in the kernels."""

PIECE = UNROLL * THREADS * LOAD
"""Bytes of a piece of a row: PIECE in the kernels, in keys."""


class Shape(NamedTuple):
    """How rows are divided: sampled loads, keys of a sample, pieces of a row; and the grids.

    There are `readers` blocks that read, and `columns` of `parts` blocks that find.
    """

    samples: int
    sampled: int
    pieces: int
    readers: int
    columns: int
    parts: int


@cache
def suits(length: int, rows: int, itemsize: int, processors: int) -> bool:
    """Whether blocks that share rows are faster than blocks that have one row after the other.

    Examples
    --------
    >>> [suits(1 << 28 - n, 1 << n, 4, 132) for n in (4, 8, 10, 14)]
    [True, True, False, False]
    """
    if length < LEAST:
        return False
    size, turns = length * itemsize / 1e3, -(-rows // processors)
    alone = turns * size / min(ALONE, EACH * processors / min(rows, processors))
    shared = rows * size / (EACH * processors) + LAUNCHES + PASSAGE * (1 + rows / processors)
    return SLOWER * alone > max(shared, HOST)


@cache
def shape_of(
    length: int, rows: int, jobs: int, itemsize: int, processors: int, most_shared: int
) -> Shape:
    """Return how `rows` rows are divided that have `jobs` jobs in all.

    Examples
    --------
    >>> shape_of(1 << 24, 16, 16, 4, 132, 227 << 10)
    Shape(samples=8, sampled=32768, pieces=2048, readers=132, columns=16, parts=8)
    >>> shape_of(1 << 20, 256, 768, 4, 132, 227 << 10)
    Shape(samples=8, sampled=32768, pieces=128, readers=44, columns=132, parts=1)
    """
    each, samples = THREADS * LOAD, MOST_SAMPLES
    while samples > 1 and (
        samples * each // itemsize > length // SPARSE
        or BINS + samples * each + STATIC > most_shared
    ):
        samples //= 2
    parts, pieces = max(1, processors // jobs), max(1, length * itemsize // PIECE)
    return Shape(
        samples,
        samples * each // itemsize,
        pieces,
        max(1, min(processors * rows // jobs, rows * pieces)),
        min(jobs, processors // parts),
        parts,
    )


def first_room(length: int, count: int, sampled: int) -> int:
    """Return for how many staged keys of a row there is room, given those of its sample.

    Examples
    --------
    >>> first_room(1 << 24, 64, 1 << 15), first_room(1 << 16, 64, 1 << 13)
    (19777, 2622)
    """
    middle = count * sampled / length
    aimed = middle + FIRST_WIDE * sqrt(middle) + FIRST_WIDE**2
    return min(length, int(2 * (1.125 * aimed + 2) * length / sampled) + HELD)
