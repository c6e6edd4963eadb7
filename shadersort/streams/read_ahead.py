"""Reading a stream ahead: threads fill the next arrays while a summary works on one.

A source is a file whose pieces can be read from any place (several threads read them at once), a
pipe or another file that is read from its beginning, or an iterator of arrays. Numbers that need no
parsing are read straight into memory that the sorter gives (`Sorter.rooms`). A sorter on a GPU
copies each piece there as soon as it is read.
"""

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate, repeat
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
from shadersort.streams.raw_pipe import RawPipe
from shadersort.streams.rooms import HostRooms, Job, Read, Rooms, filled
from shadersort.streams.sorters.protocol import Sorter

AHEAD = 2
"""Arrays that are filled in advance, while one is in use."""
PIECE = 8 << 20
"""Bytes of a pipe that are read at once."""
MEMORY = "1GiB"
"""What the pieces of a file may need, if nothing is said."""
END = object()
"""What an iterator gives after its last array."""


def read_ahead(
    source: Any,
    sorter: Sorter,
    *,
    column: str | int | None = None,
    dtype: npt.DTypeLike | None = None,
    offset: int = 0,
    memory: int | str = MEMORY,
    wanted: np.dtype[Any] | None = None,
    sources: int = 1,
) -> Generator[Any]:
    r"""Yield the numbers of a source as arrays; the next ones are read meanwhile.

    An array is overwritten once the next one is asked for. `WindowedSummary.update_from` has the
    sources and the options. If a type is `wanted`, only arrays of it go to a device: others have to
    be converted on the host; pieces that become wider are converted by the threads that read them.
    Several `sources` that are read at the same time share the threads.

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
    readers = max(1, sorter.readers // sources)
    if isinstance(source, str | os.PathLike):
        path, request = Path(source), Request(dtype=stored, column=column, offset=offset)
        if is_in_pieces(path, stored):
            options: Any = {"column": column, "dtype": dtype, "offset": offset}
            found = source_of(path, Budget.of(memory, readers), **options)
            return _of_pieces(found, sorter, wanted)
        if is_standard(path) or path.is_file() or stored is None or column is not None:
            numbers = joined(Reader([path], request).numbers(), sorter.batch)
            return _one_by_one(numbers, sorter, wanted)
        return _of_fifo(path, sorter, stored, offset, wanted)
    if hasattr(source, "readinto"):
        _refuse(column is not None, "column= is for files with columns")
        return _of_pipe(RawPipe(source, stored, offset), sorter, wanted)
    given = column is not None or stored is not None or offset
    _refuse(given, "column=, dtype= and offset= are for files; arrays say their own type")
    if isinstance(source, np.ndarray):
        return _of_pieces(source_of(source, Budget.of(memory, readers)), sorter, wanted)
    return _one_by_one(iter(source), sorter, wanted)


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


def _one_by_one(
    arrays: Iterator[Any], sorter: Sorter, wanted: np.dtype[Any] | None
) -> Generator[Any]:
    """Yield the arrays of an iterator; one thread asks for the next ones."""

    def job(rooms: Rooms, turn: int) -> Any:
        found = next(arrays, END)
        return found if found is END else rooms.kept(turn, found)

    rooms = sorter.rooms_as_needed(AHEAD + 1, wanted)
    with closing(filled(rooms, repeat([job]), 1)) as found:
        for _, (array,) in found:
            if array is END:
                return
            yield array


def _of_fifo(
    path: Path, sorter: Sorter, dtype: np.dtype[Any], offset: int, wanted: np.dtype[Any] | None
) -> Generator[Any]:
    """Yield raw numbers of a pipe that has a name."""
    with path.open("rb", buffering=0) as file:
        yield from _of_pipe(RawPipe(file, dtype, offset), sorter, wanted)


def _of_pipe(pipe: RawPipe, sorter: Sorter, wanted: np.dtype[Any] | None) -> Generator[Any]:
    """Yield the numbers of a pipe: one thread reads."""
    count, piece = sorter.batch, max(1, PIECE // pipe.dtype.itemsize)
    rooms = _rooms(sorter, AHEAD + 1, count, pipe.dtype, piece, 1, wanted)
    read = pipe.reading()
    jobs: list[Job] = [
        partial(_filled, begin=begin, end=min(begin + piece, count), read=read)
        for begin in range(0, count, piece)
    ]
    with closing(filled(rooms, repeat(jobs), 1)) as arrays:
        for turn, counts in arrays:
            if not counts[0]:
                return
            yield rooms.array(turn)[: sum(counts)]


def _filled(rooms: Rooms, turn: int, *, begin: int, end: int, read: Read) -> int:
    """Let a function fill a part of a room; return how many keys it has filled."""
    return rooms.fill(turn, begin, end, read)


def _of_pieces(source: Source, sorter: Sorter, wanted: np.dtype[Any] | None) -> Generator[Any]:
    """Yield the numbers of a source whose pieces several threads read."""
    parts = list(grouped(source.sizes, sorter.batch))
    ends = [sum(source.sizes[place] for place in part) for part in parts]
    longest, piece = max(ends, default=0), max(source.sizes, default=0)
    turns = min(len(parts), AHEAD + 1)
    wider = wanted is not None and is_wider(wanted, source.dtype)
    dtype = wanted if wanted is not None and wider else source.dtype
    rooms = _rooms(sorter, turns, longest, dtype, piece, source.threads, wanted)
    whole = source.in_memory or wider or piece > rooms.piece
    jobs = (list(_reads(source, part, whole)) for part in parts)
    with closing(filled(rooms, jobs, source.threads)) as arrays:
        for (turn, _), end in zip(arrays, ends, strict=True):
            yield rooms.array(turn)[:end]
    source.check()


def is_wider(wanted: np.dtype[Any], stored: np.dtype[Any]) -> bool:
    """Whether a type has all values of another one, of the same kind, and is not the same.

    Examples
    --------
    >>> is_wider(np.dtype("f8"), np.dtype("f4")), is_wider(np.dtype("f8"), np.dtype("i4"))
    (True, False)
    """
    return wanted.kind == stored.kind and wanted.itemsize > stored.itemsize


def _reads(source: Source, places: Sequence[int], whole: bool) -> Iterator[Job]:
    """Yield what reads each of some pieces into a room, one piece behind the other."""
    read = _read_whole if whole else _read_into
    begins = accumulate((source.sizes[place] for place in places), initial=0)
    for place, begin in zip(places, begins, strict=False):
        yield partial(read, source=source, place=place, begin=begin)


def _read_whole(rooms: Rooms, turn: int, *, source: Source, place: int, begin: int) -> None:
    """Read a piece, and bring it to a room: it is in memory, too long, or has to be converted."""
    rooms.bring(turn, begin, source.read(place))


def _read_into(rooms: Rooms, turn: int, *, source: Source, place: int, begin: int) -> None:
    """Let a source fill a part of a room with a piece."""

    def read(room: Keys) -> int:
        source.read_into(place, room)
        return len(room)

    rooms.fill(turn, begin, begin + source.sizes[place], read)


def _rooms(
    sorter: Sorter,
    turns: int,
    count: int,
    dtype: np.dtype[Any],
    piece: int,
    threads: int,
    wanted: np.dtype[Any] | None,
) -> Rooms:
    """Return rooms of a sorter, or on the host if the keys have to be converted there."""
    if wanted is None or wanted == dtype:
        return sorter.rooms(turns, count, dtype, piece, threads)
    return HostRooms(turns, count, dtype)


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
