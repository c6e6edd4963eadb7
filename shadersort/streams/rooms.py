"""Rooms: memory for the next arrays of a stream, which threads fill while a summary works on one.

`filled` begins as many arrays as there are rooms. A room is filled again once the summary has asked
for the array after it. Where rooms are is up to the sorter (`Sorter.rooms`): on the host, or on a
device to which the pieces of an array are copied as soon as they are read.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from itertools import cycle, islice
from sys import maxsize
from typing import Any, Protocol, TypeVar

import numpy as np

from shadersort.keys.types import Keys

R = TypeVar("R")

Read = Callable[[Keys], int]
"""Fills an array of the host from its beginning; returns how many keys it has filled."""


class Rooms(Protocol):
    """Memory for arrays by turns; threads call `fill`, `bring` and `kept`, and one the others."""

    @property
    def turns(self) -> int:
        """How many rooms there are; they are numbered from 0."""

    @property
    def piece(self) -> int:
        """The most keys that `fill` takes at once."""

    def fill(self, turn: int, begin: int, end: int, read: Read) -> int:
        """Let a function fill the keys of a room from `begin` on; return what it returns."""

    def bring(self, turn: int, begin: int, keys: Keys) -> None:
        """Put keys of the host into a room; they are converted to its type."""

    def kept(self, turn: int, values: Any) -> Any:
        """Return values of any kind, as they are or as an array in a room."""

    def arrive(self, turn: int) -> None:
        """Let the work that is asked for next begin after all copies into a room."""

    def freed(self, turn: int) -> None:
        """Let the next copies into a room begin after all work that was asked for."""

    def array(self, turn: int) -> Any:
        """Return a room as an array."""

    def close(self) -> None:
        """Wait for all copies, so that no memory is freed before they end."""


Job = Callable[[Rooms, int], Any]
"""Does a part of the work of filling a room, given its number."""


def filled(
    rooms: Rooms, parts: Iterable[Sequence[Job]], threads: int
) -> Generator[tuple[int, list[Any]]]:
    """Yield the number of each room with what its jobs have returned, in the order of the parts.

    Each part has the jobs that fill one room. Threads do the jobs of the next parts; with no
    threads, they are done at once. What a job raises is raised here, in the place of its room.
    """
    more, waiting = iter(parts), deque[list[Future[Any]]]()
    with closing(rooms), _executor(threads) as pool:
        try:
            for turn, jobs in enumerate(islice(more, rooms.turns)):
                waiting.append([pool.submit(job, rooms, turn) for job in jobs])
            for turn in cycle(range(rooms.turns)):
                if not waiting:
                    return
                found = [each.result() for each in waiting.popleft()]
                rooms.arrive(turn)
                yield turn, found
                rooms.freed(turn)
                for jobs in islice(more, 1):
                    waiting.append([pool.submit(job, rooms, turn) for job in jobs])
        finally:
            pool.shutdown(cancel_futures=True)


def _executor(threads: int) -> Executor:
    return ThreadPoolExecutor(threads) if threads else AtOnce()


class AtOnce(Executor):
    """Calls a function when it is submitted.

    Examples
    --------
    >>> AtOnce().submit(max, 3, 5).result()
    5
    """

    def submit(self, function: Callable[..., R], /, *given: Any, **options: Any) -> Future[R]:
        """Return the result of a function, or what it raised."""
        future: Future[R] = Future()
        try:
            future.set_result(function(*given, **options))
        except Exception as error:
            future.set_exception(error)
        return future


class HostRooms:
    """Rooms that are arrays of NumPy, and are filled without a copy.

    Examples
    --------
    >>> rooms = HostRooms(1, 3, np.dtype(np.int64))
    >>> rooms.bring(0, 1, np.array([7, 8]))
    >>> rooms.array(0)[1:]
    array([7, 8])
    """

    piece = maxsize

    def __init__(self, turns: int, count: int, dtype: np.dtype[Any]) -> None:
        self._arrays = [np.empty(count, dtype) for _ in range(turns)]

    @property
    def turns(self) -> int:
        """How many rooms there are."""
        return len(self._arrays)

    def fill(self, turn: int, begin: int, end: int, read: Read) -> int:
        """Let a function fill a part of a room."""
        return read(self._arrays[turn][begin:end])

    def bring(self, turn: int, begin: int, keys: Keys) -> None:
        """Copy keys into a room."""
        self._arrays[turn][begin : begin + len(keys)] = keys

    def kept(self, turn: int, values: Any) -> Any:
        """Return the values as they are."""
        return values

    def arrive(self, turn: int) -> None:
        """Do nothing: copies have ended when they return."""

    def freed(self, turn: int) -> None:
        """Do nothing: work has ended when it returns."""

    def array(self, turn: int) -> Keys:
        """Return a room."""
        return self._arrays[turn]

    def close(self) -> None:
        """Do nothing: nothing is under way."""
