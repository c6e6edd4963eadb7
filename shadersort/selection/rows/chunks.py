"""Rows copied chunk by chunk, which bounds the memory and stays in a cache, by several threads.

NumPy releases the interpreter's lock while it copies, sorts and partitions, so threads work at the
same time. NumPy itself uses one. After each call a thread may have to wait for the lock, which can
take longer than a short call; so chunks of threads are larger than that of one thread.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from threading import Lock, Thread
from typing import TypeVar

import numpy as np

from shadersort.keys.types import Keys
from shadersort.sorting.external.schedule import cores

CHUNK = 1 << 17
"""Keys copied at a time by one thread, if a row has no more."""

WORTH = 1 << 19
"""With fewer keys, to start threads costs more than they save."""


@dataclass(frozen=True)
class Sharing:
    """When threads share the work.

    Attributes
    ----------
    worth
        With fewer keys than this, one thread does all of it.
    most
        Keys of a chunk, if there are several threads.
    """

    worth: int
    most: int


LONG_CALLS, SHORT_CALLS = Sharing(WORTH, 1 << 19), Sharing(1 << 22, 1 << 20)
"""For work that makes a few long calls for each chunk, and for work that makes many short ones."""

MOST_THREADS = 8
"""More threads mostly wait for the interpreter's lock, or for memory."""

LINE = 64
"""Bytes of a line of the CPU's cache: columns are copied by whole lines."""

BLOCK = 1 << 9
"""Columns are turned into rows by this many keys at a time, whose lines stay in a cache."""

Chunk = tuple[slice, slice]
"""Which outer and which inner places; with all places along a row, that is some rows."""

Task = TypeVar("Task")

WHOLE: Chunk = (slice(None), slice(None))
"""The chunk of all rows."""

Do = Callable[[Chunk, Keys], None]
"""Does something with a chunk and its keys."""


def each_chunk(keys: Keys, do: Do) -> None:
    """Call a function with every chunk of the rows of (outer, length, inner), and its rows.

    The function must not change the rows, which may be the given keys.
    """
    each_part(keys, lambda chunk, part: do(chunk, rows_of(part, own=False)))


def each_part(keys: Keys, do: Do, *, short_calls: bool = False) -> None:
    """Call a function with every chunk, and with its part (outer, length, inner) of the keys.

    With `short_calls`, the function makes many short calls of NumPy.
    """
    outer, length, inner = keys.shape
    if keys.size <= CHUNK:
        if keys.size:
            do(WHOLE, keys)
        return
    sharing = SHORT_CALLS if short_calls else LONG_CALLS
    threads = threads_for(keys.size, sharing.worth) if outer * inner > 1 else 1
    most = CHUNK if threads == 1 else max(CHUNK, min(sharing.most, keys.size // threads))
    chunks = _chunks(outer, length, inner, keys.itemsize, most)
    _in_several(chunks, lambda chunk: do(chunk, keys[chunk[0], :, chunk[1]]), threads)


def in_threads(tasks: Iterator[Task], do: Callable[[Task], None], size: int) -> None:
    """Call a function with every task, in several threads if the work of this size is worth it.

    Raises the first error of a thread.

    Examples
    --------
    >>> done = []
    >>> in_threads(iter([1, 2]), done.append, 10)
    >>> done
    [1, 2]
    """
    _in_several(tasks, do, threads_for(size))


def threads_for(size: int, worth: int = WORTH) -> int:
    """Return how many threads share the work on so many keys: one if it is not worth more."""
    return min(cores(), MOST_THREADS) if size >= worth else 1


def _in_several(tasks: Iterator[Task], do: Callable[[Task], None], threads: int) -> None:
    if threads == 1:
        for task in tasks:
            do(task)
        return
    errors: list[BaseException] = []
    lock = Lock()

    def work() -> None:
        try:
            while not errors:
                with lock:
                    some = list(islice(tasks, 1))
                if not some:
                    return
                do(some[0])
        except BaseException as error:
            errors.append(error)

    others = [Thread(target=work) for _ in range(threads - 1)]
    for other in others:
        other.start()
    work()
    for other in others:
        other.join()
    if errors:
        raise errors[0]


def _chunks(outer: int, length: int, inner: int, itemsize: int, most: int) -> Iterator[Chunk]:
    """Yield chunks that hold all rows, of many outer places or of some inner ones.

    A chunk has at most so many keys, or a row, or a line of each column.
    """
    at_once = max(most // length, 1)
    if inner <= at_once:
        step = at_once // inner
        for start in range(0, outer, step):
            yield slice(start, min(start + step, outer)), slice(0, inner)
        return
    step = max(at_once, LINE // itemsize)
    for place in range(outer):
        for start in range(0, inner, step):
            yield slice(place, place + 1), slice(start, min(start + step, inner))


def rows_of(part: Keys, own: bool, room: int = 0) -> Keys:
    """Return the rows of (outer, length, inner) as (rows, length), contiguous; a copy if `own`.

    With room, a copy is that much longer, and has anything there.

    Examples
    --------
    >>> rows_of(np.arange(6).reshape(1, 3, 2), own=True)
    array([[0, 2, 4],
           [1, 3, 5]])
    """
    outer, length, inner = part.shape
    turned = part.transpose(0, 2, 1)
    if not room:
        if inner == 1:
            flat = part[:, :, 0]
            return flat.copy() if own else np.ascontiguousarray(flat)
        if length <= BLOCK:
            return turned.copy().reshape(outer * inner, length)
    rows = np.empty((outer, inner, length + room), part.dtype)
    step = length if inner == 1 else BLOCK
    for start in range(0, length, step):
        end = min(start + step, length)
        rows[:, :, start:end] = turned[:, :, start:end]
    return rows.reshape(outer * inner, length + room)


def put(found: Keys, chunk: Chunk, values: Keys) -> None:
    """Write what was found for the rows of a chunk, (rows, r), into (outer, r, inner)."""
    part = found if chunk is WHOLE else found[chunk[0], :, chunk[1]]
    outer, r, inner = part.shape
    part[...] = values.reshape(outer, inner, r).transpose(0, 2, 1)


def rows_in(values: Keys, chunk: Chunk) -> Keys:
    """Return what the rows of a chunk have in (outer, r, inner), as (rows, r)."""
    part = values[chunk[0], :, chunk[1]]
    return part.transpose(0, 2, 1).reshape(-1, values.shape[1])
