"""Rooms: memory of a device for the next parts of a stream, which are copied there ahead of use.

A thread takes a slot, which is pinned memory, fills it with keys, and begins its copy to a room;
the slot is filled again once that copy has ended. So the next parts are copied while the device
works on one. All copies are on a stream of their own. An event follows each copy, and the work on a
part waits for those of its room (`arrive`). A room is overwritten after the work that was requested
before the part was given back (`release`).

**Memory.** On the device: the rooms, each as long as the longest part. On the host: two slots for
each thread.

`Link` is all that is known of the device, so the rules are tested without one.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from itertools import cycle, islice
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

import numpy as np

from shadersort.keys.types import Keys

R = TypeVar("R")

SLOT = 8 << 20
"""The most bytes of a slot, and of one copy from it: small copies can come in between."""

LANES = 8
"""Threads that copy one array into slots: one alone is slower than the link."""

FEW = 1 << 16
"""Fewer bytes stay on the host: most of them only wait for a window to fill."""


class Event(Protocol):
    """Follows a copy."""

    def synchronize(self) -> None:
        """Wait until the copy has ended."""


class Link(Protocol):
    """Memory of a device, and copies to it on a stream of their own."""

    def room(self, size: int) -> Any:
        """Return uninitialised bytes on the device, which work before may still use."""

    def slot(self, size: int) -> Keys:
        """Return bytes of the host: pinned, if there are enough."""

    def is_pinned(self, keys: Keys) -> bool:
        """Whether an array of the host is in pinned memory."""

    def copy(self, target: Any, source: Keys) -> Event:
        """Begin a copy of bytes to the device; return what follows it."""

    def await_copy(self, event: Event) -> None:
        """Let the work that is asked for next begin after a copy."""

    def await_work(self) -> None:
        """Let the next copies begin after all work that was asked for."""

    def close(self) -> None:
        """Wait for all copies."""


class Slot:
    """Memory of the host, taken at its first use, from which one copy after the other begins."""

    def __init__(self, link: Link, size: int) -> None:
        self._link, self._size = link, size
        self._data: Keys | None = None
        self.copy: Event | None = None

    def free(self) -> Keys:
        """Return the memory, once it is not being copied."""
        if self.copy is not None:
            self.copy.synchronize()
        if self._data is None:
            self._data = self._link.slot(self._size)
        return self._data


class DeviceRooms:
    """Rooms on a device; threads call `bring`, and one thread all else.

    Parameters
    ----------
    link
        Copies to the device.
    turns
        How many rooms there are.
    count, dtype
        The keys of the longest part, and their type.
    slot
        Bytes of a slot.
    threads
        How many threads fill rooms.
    """

    def __init__(
        self, link: Link, turns: int, count: int, dtype: np.dtype[Any], slot: int, threads: int
    ) -> None:
        self._link, self._dtype, self._slot = link, dtype, slot
        self._rooms = [link.room(count * dtype.itemsize) for _ in range(turns)]
        link.await_work()  # memory that was freed before may still be in use by it
        self._copies: list[list[Event]] = [[] for _ in range(turns)]
        self._slots: SimpleQueue[Slot] = SimpleQueue()
        for _ in range(2 * max(threads, 1)):
            self._slots.put(Slot(link, slot))

    @property
    def turns(self) -> int:
        """How many rooms there are."""
        return len(self._rooms)

    @property
    def piece(self) -> int:
        """How many keys a slot has room for."""
        return self._slot // self._dtype.itemsize

    def bring(self, turn: int, begin: int, keys: Keys) -> None:
        """Begin the copies of keys of the host, through slots if they are not pinned."""
        pinned = keys.flags.c_contiguous and self._link.is_pinned(keys)
        for start in range(0, len(keys), self.piece):
            part, place = keys[start : start + self.piece], begin + start
            if pinned:
                self._copied(turn, place, part)
            else:
                self._fill(turn, place, part)

    def _fill(self, turn: int, begin: int, part: Keys) -> None:
        """Copy keys to a slot, and begin the copy of it to a part of a room."""
        slot = self._slots.get()  # the one whose copy began first: it has most often ended
        try:
            keys = slot.free()[: part.nbytes].view(self._dtype)
            keys[:] = part
            slot.copy = self._copied(turn, begin, keys)
        finally:
            self._slots.put(slot)

    def _copied(self, turn: int, begin: int, keys: Keys) -> Event:
        """Begin a copy to a room; work on its part will wait for it."""
        first = begin * self._dtype.itemsize
        target = self._rooms[turn][first : first + keys.nbytes]
        event = self._link.copy(target, keys.view(np.uint8))
        self._copies[turn].append(event)
        return event

    def arrive(self, turn: int) -> None:
        """Let the work that is asked for next begin after all copies into a room."""
        for event in self._copies[turn]:
            self._link.await_copy(event)
        self._copies[turn] = []

    def release(self, turn: int) -> None:
        """Let the next copies into a room begin after all work that was requested."""
        self._link.await_work()

    def array(self, turn: int) -> Any:
        """Return a room."""
        return self._rooms[turn].view(self._dtype)

    def close(self) -> None:
        """Wait for all copies, so that no memory is freed before they end."""
        self._link.close()


Job = Callable[[DeviceRooms, int], Any]
"""Does a part of the work of filling a room, given its number."""


def filled(
    rooms: DeviceRooms, parts: Iterable[Sequence[Job]], threads: int
) -> Generator[tuple[int, list[Any]]]:
    """Yield the number of each room with what its jobs have returned, in the order of the parts.

    Each part has the jobs that fill one room; a room is filled again once the next one is asked
    for. Threads do the jobs of the next parts; with no threads, they are done at once. What a job
    raises is raised here, in the place of its room.
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
                rooms.release(turn)
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
