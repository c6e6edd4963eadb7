"""Rooms on a device: every piece of a stream is copied there as soon as it is read.

A thread that reads takes a slot, which is pinned memory, fills it, and begins its copy to a room;
the slot is filled again once that copy has ended. So pieces of the next arrays are read and copied
while the device works on one array. All copies are on a stream of their own. An event follows each
copy, and the work on an array waits for those of its room (`arrive`). A room is overwritten after
the work that was asked for before the array was given back (`freed`).

**Memory.** On the device: the rooms, each as long as the longest array. On the host: two slots for
each thread, each as long as the longest piece, and at most `SLOT` bytes long.

`Link` is all that is known of the device, so the rules are tested without one.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.rooms import Read

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
    """Rooms on a device; see `Rooms`.

    Parameters
    ----------
    link
        Copies to the device.
    turns
        How many rooms there are.
    count, dtype
        The keys of the longest array, and their type.
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

    def fill(self, turn: int, begin: int, end: int, read: Read) -> int:
        """Let a function fill a slot, and begin the copy of it to a part of a room."""
        slot = self._slots.get()  # the one whose copy began first: it has most often ended
        try:
            keys = slot.free()[: (end - begin) * self._dtype.itemsize].view(self._dtype)
            count = read(keys)
            slot.copy = self._copied(turn, begin, keys[:count])
        finally:
            self._slots.put(slot)
        return count

    def bring(self, turn: int, begin: int, keys: Keys) -> None:
        """Begin the copies of keys of the host, through slots if they are not pinned.

        Keys of another type are converted on the way.
        """
        as_they_are = keys.dtype == self._dtype and keys.flags.c_contiguous
        pinned = as_they_are and self._link.is_pinned(keys)
        for start in range(0, len(keys), self.piece):
            part, place = keys[start : start + self.piece], begin + start
            if pinned:
                self._copied(turn, place, part)
            else:
                self.fill(turn, place, place + len(part), partial(_put, part))

    def _copied(self, turn: int, begin: int, keys: Keys) -> Event:
        """Begin a copy to a room; work on its array will wait for it."""
        first = begin * self._dtype.itemsize
        target = self._rooms[turn][first : first + keys.nbytes]
        event = self._link.copy(target, keys.view(np.uint8))
        self._copies[turn].append(event)
        return event

    def kept(self, turn: int, values: Any) -> Any:
        """Return the values as they are: rooms have one length."""
        return values

    def arrive(self, turn: int) -> None:
        """Let the work that is asked for next begin after all copies into a room."""
        for event in self._copies[turn]:
            self._link.await_copy(event)
        self._copies[turn] = []

    def freed(self, turn: int) -> None:
        """Let the next copies into a room begin after all work that was asked for."""
        self._link.await_work()

    def array(self, turn: int) -> Any:
        """Return a room."""
        return self._rooms[turn].view(self._dtype)

    def close(self) -> None:
        """Wait for all copies, so that no memory is freed before they end."""
        self._link.close()


class RoomsAsNeeded(DeviceRooms):
    """Rooms for the arrays of an iterator, which become as long as its arrays.

    Arrays of NumPy with `FEW` bytes or more, with at most `most` keys and of one type are brought
    to the device by several threads: of the type that is given, or else that of the first one. All
    other values stay as they are.
    """

    def __init__(self, link: Link, turns: int, most: int, dtype: np.dtype[Any] | None) -> None:
        super().__init__(link, turns, 0, np.dtype(np.uint8), SLOT // 2, LANES)
        self._most, self._type = most, dtype
        self._held: list[Any] = [None] * turns
        self._ends: list[list[Event]] = [[] for _ in range(turns)]
        self._lanes = ThreadPoolExecutor(LANES)

    def kept(self, turn: int, values: Any) -> Any:
        """Return values as they are, or begin their copies and return the array in the room."""
        if not self._suits(values):
            return values
        for event in self._ends[turn]:
            event.synchronize()  # then the array that was copied before is not needed any more
        self._type = self._dtype = values.dtype
        self._held[turn] = keys = np.ascontiguousarray(values)
        if self._rooms[turn].nbytes < keys.nbytes:
            self._rooms[turn] = self._link.room(keys.nbytes)
            self._link.await_work()
        parts = range(0, len(keys), self.piece)
        list(self._lanes.map(lambda at: self.bring(turn, at, keys[at : at + self.piece]), parts))
        self._ends[turn] = list(self._copies[turn])
        return self.array(turn)[: len(keys)]

    def _suits(self, values: Any) -> bool:
        """Whether values are an array that is worth a copy, and of the right type."""
        return (
            isinstance(values, np.ndarray)
            and type(values) in (np.ndarray, np.memmap)  # others have masks, say
            and values.ndim == 1
            and values.nbytes >= FEW
            and len(values) <= self._most
            and is_known(values.dtype)
            and (self._type is None or values.dtype == self._type)
        )

    def close(self) -> None:
        """Wait for all copies, and end the threads."""
        self._lanes.shutdown()
        super().close()


def is_known(dtype: np.dtype[Any]) -> bool:
    """Whether arrays on the device may have a type.

    Examples
    --------
    >>> is_known(np.dtype(np.float16)), is_known(np.dtype(">f4")), is_known(np.dtype(bool))
    (True, False, False)
    """
    return dtype.kind in "iuf" and dtype.isnative and dtype.itemsize <= 8


def _put(keys: Keys, room: Keys) -> int:
    """Copy keys to an array; return how many they are."""
    room[:] = keys
    return len(keys)
