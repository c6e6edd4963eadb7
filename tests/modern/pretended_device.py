"""A device that is not there: NumPy's arrays are its memory, and every rule of its use is checked.

Copies begin when they are asked for, and end at once or, with `late`, only when somebody waits for
them: so a slot that is filled too early, or an array that is used too early, has wrong bytes.
"""

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from modern.streams.device_rooms import DeviceRooms
from shadersort.keys.types import Keys

POISON = 0x41
"""What bytes hold that nobody may read."""


class Link:
    """A link to no device; see `modern.streams.device_rooms.Link`.

    Attributes
    ----------
    rooms, slots
        All memory that was taken.
    work
        How much work was asked for.
    waited
        The numbers of the copies for which the host has waited.
    """

    def __init__(self, *, late: bool, pinned: bool = False) -> None:
        self.rooms: list[Keys] = []
        self.slots: list[Keys] = []
        self.work = self._awaited = 0
        self.waited: list[int] = []
        self.closed = False
        self._used: dict[int, int] = {}
        self._late, self._pinned, self._lock = late, pinned, threading.RLock()
        self._waiting: list[tuple[Keys, Keys]] = []
        self._ended = 0

    def room(self, size: int) -> Keys:
        self.rooms.append(np.full(size, POISON, np.uint8))
        return self.rooms[-1]

    def slot(self, size: int) -> Keys:
        self.slots.append(np.full(size, POISON, np.uint8))
        return self.slots[-1]

    def is_pinned(self, keys: Keys) -> bool:
        return self._pinned

    def copy(self, target: Keys, source: Keys) -> "Copy":
        assert not self.closed
        assert len(target) == len(source)
        with self._lock:
            used = self._used.get(id(_memory(target)), 0)
            assert used <= self._awaited, "a room is overwritten while work needs it"
            self._waiting.append((target, source))
            copy = Copy(self, self._ended + len(self._waiting))
            if not self._late:
                self.end(copy.number)
            return copy

    def await_copy(self, event: Any) -> None:
        self.end(event.number)

    def await_work(self) -> None:
        self._awaited = self.work

    def close(self) -> None:
        self.end(self._ended + len(self._waiting))
        self.closed = True

    def end(self, number: int) -> None:
        """Let the copies up to a number end, in their order."""
        with self._lock:
            while self._ended < number:
                target, source = self._waiting.pop(0)
                target[:] = source
                self._ended += 1

    def use(self, array: Keys) -> None:
        """Ask for work on an array."""
        assert not any(np.shares_memory(array, target) for target, _ in self._waiting)
        self.work += 1
        self._used[id(_memory(array))] = self.work


def _memory(array: Any) -> Any:
    """Return the array that has the memory of a view."""
    while array.base is not None:
        array = array.base
    return array


@dataclass(frozen=True)
class Copy:
    """Follows a copy."""

    link: Link
    number: int

    def synchronize(self) -> None:
        self.link.waited.append(self.number)
        self.link.end(self.number)


class UsedRooms(DeviceRooms):
    """Rooms whose parts are used in full as soon as they arrive, and spoilt when given back."""

    _link: Any

    def arrive(self, turn: int) -> None:
        super().arrive(turn)
        self._link.use(self.array(turn))

    def release(self, turn: int) -> None:
        self.array(turn).view(np.uint8)[:] = POISON
        super().release(turn)
