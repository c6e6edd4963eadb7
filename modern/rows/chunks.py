"""Rows copied chunk by chunk, which bounds the memory and stays in a cache, by several threads.

NumPy releases the interpreter's lock while it copies, sorts and partitions, so threads work at the
same time. NumPy itself uses one.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from shadersort.keys.types import Keys
from shadersort.sorting.external.schedule import cores

CHUNK = 1 << 17
"""Keys copied at a time, if a row has no more."""

WORTH = 1 << 19
"""With fewer keys, to start threads costs more than they save."""

MOST_THREADS = 8
"""More threads mostly wait for the interpreter's lock, or for memory."""

LINE = 64
"""Bytes of a line of the CPU's cache: columns are copied by whole lines."""

BLOCK = 1 << 9
"""Columns are turned into rows by this many keys at a time, whose lines stay in a cache."""

Chunk = tuple[slice, slice]
"""Which outer and which inner places; with all places along a row, that is some rows."""


def each_chunk(keys: Keys, do: Callable[[Chunk, Keys], None], own: bool = True) -> None:
    """Call a function with every chunk of the rows of (outer, length, inner), and its rows.

    The rows are an array of two dimensions: a copy that the function may change, if `own`.
    """

    def done(chunk: Chunk) -> None:
        do(chunk, rows_of_chunk(keys, chunk, own))

    outer, length, inner = keys.shape
    chunks = list(_chunks(outer, length, inner, keys.itemsize)) if keys.size else []
    threads = min(cores(), MOST_THREADS, len(chunks)) if keys.size >= WORTH else 1
    if threads <= 1:
        for chunk in chunks:
            done(chunk)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(done, chunks):
            pass  # an error of a chunk is raised here


def _chunks(outer: int, length: int, inner: int, itemsize: int) -> Iterator[Chunk]:
    """Yield chunks that hold all rows: of many outer places, or of some inner ones."""
    at_once = max(CHUNK // max(length, 1), 1)
    if inner <= at_once:
        step = at_once // max(inner, 1)
        for start in range(0, outer, step):
            yield slice(start, min(start + step, outer)), slice(0, inner)
        return
    step = max(at_once, LINE // itemsize)
    for place in range(outer):
        for start in range(0, inner, step):
            yield slice(place, place + 1), slice(start, min(start + step, inner))


def rows_of_chunk(keys: Keys, chunk: Chunk, own: bool) -> Keys:
    """Return the rows of a chunk as a contiguous array (rows, length); a copy if `own`.

    Examples
    --------
    >>> rows_of_chunk(np.arange(12).reshape(2, 3, 2), (slice(1, 2), slice(0, 2)), own=True)
    array([[ 6,  8, 10],
           [ 7,  9, 11]])
    """
    part = keys[chunk[0], :, chunk[1]]
    outer, length, inner = part.shape
    if inner == 1:
        flat = part[:, :, 0]
        return np.array(flat, order="C") if own else np.ascontiguousarray(flat)
    rows = np.empty((outer, inner, length), keys.dtype)
    for start in range(0, length, BLOCK):
        rows[:, :, start : start + BLOCK] = part[:, start : start + BLOCK].transpose(0, 2, 1)
    return rows.reshape(outer * inner, length)


def put(found: Keys, chunk: Chunk, values: Keys) -> None:
    """Write what was found for the rows of a chunk, (rows, r), into (outer, r, inner)."""
    part = found[chunk[0], :, chunk[1]]
    outer, r, inner = part.shape
    part[...] = values.reshape(outer, inner, r).transpose(0, 2, 1)


def rows_in(values: Keys, chunk: Chunk) -> Keys:
    """Return what the rows of a chunk have in (outer, r, inner), as (rows, r)."""
    part = values[chunk[0], :, chunk[1]]
    return part.transpose(0, 2, 1).reshape(-1, values.shape[1])
