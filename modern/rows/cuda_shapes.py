"""How the kernels of rows are launched: threads, samples and shared memory."""

from functools import cache
from math import sqrt
from typing import NamedTuple

from modern.primitives.one_read import capacity_of
from shadersort.selection.primitives.one_read import LOAD

WIDE = 3.0
"""Standard errors between a rank and the ends of its bracket."""

SHARE = 256
"""An end of the bracket has at most 1 in so many keys of the sample: SHARE in the kernel."""

EACH = 64
"""A block of few threads takes this many keys of a row for each thread."""

MOST_SAMPLES = 16
"""Loads that each thread samples, at most."""


class Blocks(NamedTuple):
    """How rows are given to blocks: threads, entries of their lists, sampled loads, memory."""

    threads: int
    capacity: int
    samples: int
    shared: int


@cache
def blocks_for(length: int, rows: int, itemsize: int, processors: int, shared: int) -> Blocks:
    """Return the shape of blocks that take a row each; no samples if the rows are too long.

    `shared` is the most bytes of shared memory that a block may have.

    Examples
    --------
    >>> blocks_for(1 << 17, 1 << 10, 4, 132, 227 << 10)
    Blocks(threads=512, capacity=36, samples=4, shared=81920)
    >>> blocks_for(1 << 24, 16, 4, 132, 227 << 10).samples
    0
    """
    most = 512 if rows >= 2 * processors and length <= 1 << 18 else 1024
    threads = 128
    while threads < most and (threads * EACH < length or rows * threads < 1024 * processors):
        threads *= 2
    capacity = capacity_of(shared, itemsize)
    samples = 1
    while samples <= MOST_SAMPLES and staged(length, threads * samples * LOAD // itemsize) > (
        threads * capacity / 2.5
    ):
        samples *= 2
    memory = threads * (16 + capacity * itemsize)
    return Blocks(threads, capacity, samples if samples <= MOST_SAMPLES else 0, memory)


def staged(length: int, sampled: int, wide: float = WIDE, share: int = SHARE) -> float:
    """Return how many keys of a row are staged for a rank in the middle, as a rule.

    An end of the bracket is `wide` standard errors away, or up to 1 in `share` keys of the sample
    further.

    Examples
    --------
    >>> staged(1 << 17, 1 << 13)
    5656.46...
    """
    taken = (2 * (wide * sqrt(sampled / 4) + wide**2)) / sampled + 2 / share
    return length * min(taken, 1.0)
