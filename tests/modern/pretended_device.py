"""A device that is not there: NumPy's arrays are its memory, and every rule of its use is checked.

Copies begin when they are asked for, and end at once or, with `late`, only when somebody waits for
them: so a slot that is filled too early, or an array that is used too early, has wrong bytes.
"""

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Keys

POISON = 0x41
"""What bytes hold that nobody may read."""


class Link:
    """A link to no device; see `modern.streams.transfers.CuPyLink`.

    Attributes
    ----------
    buffers, slots
        All memory that was taken.
    begun
        Counts the copies that were begun, for those who wait for them.
    fails
        The number of the copy that fails.
    """

    def __init__(self, *, late: bool, pinned: bool = False, fails: int = -1) -> None:
        self.buffers: list[Keys] = []
        self.slots: list[Keys] = []
        self.begun, self.fails = threading.Semaphore(0), fails
        self.closed = False
        self._work = self._awaited = self._copies = self._ended = 0
        self._used: dict[int, int] = {}
        self._late, self._pinned, self._lock = late, pinned, threading.RLock()
        self._waiting: list[tuple[Keys, Keys]] = []

    def buffer(self, size: int) -> Keys:
        self.buffers.append(np.full(size, POISON, np.uint8))
        return self.buffers[-1]

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
            assert used <= self._awaited, "a buffer is overwritten while work needs it"
            self._copies += 1
            if self._copies == self.fails:
                raise OSError("the device is gone")
            self._waiting.append((target, source))
            copy = Copy(self, self._ended + len(self._waiting))
            if not self._late:
                self.end(copy.number)
            self.begun.release()
            return copy

    def await_copy(self, event: Any) -> None:
        self.end(event.number)

    def await_work(self) -> None:
        self._awaited = self._work

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
        self._work += 1
        self._used[id(_memory(array))] = self._work


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
        self.link.end(self.number)
