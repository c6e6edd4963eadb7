"""Reading a stream ahead: threads fill the next arrays while a summary works on one.

A source is a file whose pieces can be read from any place (several threads read them at once), a
pipe or another file that is read from its beginning, or an iterator of arrays. Numbers that need no
parsing are read straight into memory that the sorter gives (`Sorter.room`): a GPU copies fastest
from memory that the system does not move.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, ValuesMismatch
from shadersort.keys.reading.opening import is_standard
from shadersort.keys.reading.reader import Reader
from shadersort.keys.reading.request import Request
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.opening import is_in_pieces, source_of
from shadersort.selection.files.source import Source
from shadersort.sorting.external.schedule import cores
from shadersort.streams.raw_pipe import RawPipe
from shadersort.streams.sorters.protocol import Sorter

AHEAD = 2
"""Arrays that are filled in advance, while one is in use."""
READERS = 8
"""The most threads that read pieces; half of the cores are left to the summary in any case."""
MEMORY = "1GiB"
"""What the pieces of a file may need, if nothing is said."""
END = object()

Fill = Callable[[], Any]
"""Fills memory, and returns the array there; or `END`, if there is nothing more."""


def read_ahead(
    source: Any,
    sorter: Sorter,
    *,
    column: str | int | None = None,
    dtype: npt.DTypeLike | None = None,
    offset: int = 0,
    memory: int | str = MEMORY,
) -> Generator[Any]:
    r"""Yield the numbers of a source as arrays; the next ones are read meanwhile.

    An array is overwritten once the next one is asked for. `WindowedSummary.update_from` has the
    sources and the options.

    Examples
    --------
    >>> import tempfile
    >>> from shadersort.streams import NumPySorter
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "times.csv")
    ...     _ = path.write_text("name,ms\na,12\nb,7\n")
    ...     [array.tolist() for array in read_ahead(path, NumPySorter(), column="ms")]
    [[12, 7]]
    """
    stored = None if dtype is None else np.dtype(dtype)
    if isinstance(source, str | os.PathLike):
        path, request = Path(source), Request(dtype=stored, column=column, offset=offset)
        if is_in_pieces(path, stored):
            options: Any = {"column": column, "dtype": dtype, "offset": offset}
            return _of_pieces(source_of(path, _budget(memory), **options), sorter)
        if is_standard(path) or path.is_file() or stored is None or column is not None:
            return _one_by_one(joined(Reader([path], request).numbers(), sorter.batch))
        return _of_fifo(path, sorter, stored, offset)
    if hasattr(source, "readinto"):
        _refuse(column is not None, "column= is for files with columns")
        return _of_pipe(RawPipe(source, stored, offset), sorter)
    given = column is not None or stored is not None or offset
    _refuse(given, "column=, dtype= and offset= are for files; arrays say their own type")
    if isinstance(source, np.ndarray):
        return _of_pieces(source_of(source, _budget(memory)), sorter)
    return _one_by_one(iter(source))


def joined(arrays: Iterable[Keys], most: int) -> Iterator[Keys]:
    """Yield arrays joined to longer ones of one type, each of about so many keys.

    Examples
    --------
    >>> list(joined([np.arange(2), np.arange(2), np.arange(3), np.ones(1)], 4))
    [array([0, 1, 0, 1]), array([0, 1, 2]), array([1.])]
    """
    some: list[Keys] = []
    for array in arrays:
        if some and (sum(map(len, some)) >= most or array.dtype != some[0].dtype):
            yield np.concatenate(some)
            some = []
        some.append(array)
    if some:
        yield np.concatenate(some)


def in_step(x: Iterator[Any], y: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield arrays of equal lengths; the iterators may cut their streams differently.

    Raises ValuesMismatch if one stream is longer than the other.

    Examples
    --------
    >>> list(in_step(iter([np.arange(3)]), iter([np.ones(2), np.zeros(1)])))
    [(array([0, 1]), array([1., 1.])), (array([2]), array([0.]))]
    """
    some_x: Any = ()
    some_y: Any = ()
    while True:
        some_x = some_x if len(some_x) else _next(x)
        some_y = some_y if len(some_y) else _next(y)
        count = min(len(some_x), len(some_y))
        if not count:
            break
        yield some_x[:count], some_y[:count]
        some_x, some_y = some_x[count:], some_y[count:]
    if len(some_x) or len(some_y):
        raise ValuesMismatch(f"there are more {'x' if len(some_x) else 'y'} than the other ones")


def _next(arrays: Iterator[Any]) -> Any:
    """Return the next array that is not empty; an empty one at the end."""
    return next((array for array in arrays if len(array)), ())


def _refuse(wrong: object, why: str) -> None:
    """Raise BadOption, with a reason, if something is wrong."""
    if wrong:
        raise BadOption(why)


def _budget(memory: int | str) -> Budget:
    """Return a budget for pieces and for the threads that read them."""
    return Budget.of(memory, max(1, min(READERS, cores() // 2)))


def _filled(threads: int, parts: Iterator[Sequence[Fill]]) -> Generator[list[Any]]:
    """Yield what the fills of each part return, until one returns `END`; threads do the next ones.

    A part is begun once the one `AHEAD` + 1 before it is no longer in use.
    """
    waiting: deque[list[Future[Any]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            more = AHEAD + 1
            while True:
                for fills in islice(parts, more):
                    waiting.append([pool.submit(fill) for fill in fills])
                found = [each.result() for each in waiting.popleft()] if waiting else [END]
                if found[-1] is END:
                    return
                yield found
                more = 1
        finally:
            pool.shutdown(cancel_futures=True)


def _one_by_one(arrays: Iterator[Any]) -> Generator[Any]:
    """Yield the arrays of an iterator; one thread asks for the next ones."""
    for (array,) in _filled(1, cycle([[partial(next, arrays, END)]])):
        yield array


def _of_fifo(path: Path, sorter: Sorter, dtype: np.dtype[Any], offset: int) -> Generator[Keys]:
    """Yield raw numbers of a pipe that has a name."""
    with path.open("rb", buffering=0) as file:
        yield from _of_pipe(RawPipe(file, dtype, offset), sorter)


def _of_pipe(pipe: RawPipe, sorter: Sorter) -> Generator[Keys]:
    """Yield the numbers of a pipe: one thread reads."""
    rooms = [sorter.room(sorter.batch, pipe.dtype) for _ in range(AHEAD + 1)]

    def fill(room: Keys) -> Any:
        array = pipe.read_into(room)
        return array if len(array) else END

    for (array,) in _filled(1, cycle([[partial(fill, room)] for room in rooms])):
        yield array


def _of_pieces(source: Source, sorter: Sorter) -> Generator[Keys]:
    """Yield the numbers of a source whose pieces several threads read."""
    parts = list(grouped(source.sizes, sorter.batch))
    longest = max((sum(source.sizes[place] for place in part) for part in parts), default=0)
    rooms = [sorter.room(longest, source.dtype) for _ in parts[: AHEAD + 1]]
    fills, arrays = [], []
    for part, room in zip(parts, cycle(rooms), strict=False):
        ends = np.cumsum([0, *(source.sizes[place] for place in part)]).tolist()
        targets = (room[begin:end] for begin, end in pairwise(ends))
        reads = zip(part, targets, strict=True)
        fills.append([partial(source.read_into, place, target) for place, target in reads])
        arrays.append(room[: ends[-1]])
    for turn, _ in enumerate(_filled(source.threads, iter(fills))):
        yield arrays[turn]
    source.check()


def grouped(sizes: Sequence[int], most: int) -> Iterator[range]:
    """Yield neighbouring places whose sizes have a sum of at most `most`, but one place at least.

    Examples
    --------
    >>> list(grouped([3, 3, 3, 9, 1], 6))
    [range(0, 2), range(2, 3), range(3, 4), range(4, 5)]
    """
    first = total = 0
    for place, size in enumerate(sizes):
        if place > first and total + size > most:
            yield range(first, place)
            first, total = place, 0
        total += size
    if sizes:
        yield range(first, len(sizes))
