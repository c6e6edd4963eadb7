"""Notes of what a call launches, so that a like call can launch the same again.

Only launches that are `pure` are noted: they read keys and write rooms, and use nothing that other
launches leave behind. A call with any other launch is not noted.
"""

import threading
from typing import Any, NamedTuple, Self

_local = threading.local()


class Launched(NamedTuple):
    """A launch: its kernel, blocks and threads, arguments, and bytes of shared memory."""

    kernel: Any
    grid: tuple[int, ...]
    threads: tuple[int, ...]
    arguments: tuple[Any, ...]
    shared: int


class Notes:
    """Pure launches of the calls in a `with` block, in this thread, and the arrays they were given.

    Attributes
    ----------
    launches
        The launches in order; none if another launch was not pure.
    rooms
        The uninitialised arrays that were made.
    fixed
        Arrays on the device that nobody changes.
    pure
        Whether all launches so far were pure.

    Examples
    --------
    >>> with Notes() as notes:
    ...     note_room("room")
    ...     note_launch(Launched("kernel", (1,), (256,), ("room",), 0))
    >>> len(notes.launches), notes.rooms, now() is None
    (1, ['room'], True)
    """

    def __init__(self) -> None:
        self.launches: list[Launched] = []
        self.rooms: list[Any] = []
        self.fixed: list[Any] = []
        self.pure = True

    def __enter__(self) -> Self:
        self._outer = now()
        if self._outer is not None:
            self._outer.spoil()  # it would not see what this one notes
        _local.now = self
        return self

    def __exit__(self, *error: object) -> None:
        _local.now = self._outer

    def spoil(self) -> None:
        """Forget everything, and note nothing more: memory that is held here is free again."""
        self.pure = False
        self.launches, self.rooms, self.fixed = [], [], []


def now() -> Notes | None:
    """Return the notes of this thread that are taken now, or None."""
    found: Notes | None = getattr(_local, "now", None)
    return found


def note_room(room: Any) -> None:
    """Note an uninitialised array."""
    notes = now()
    if notes is not None and notes.pure:
        notes.rooms.append(room)


def note_fixed(array: Any) -> None:
    """Note an array that nobody changes."""
    notes = now()
    if notes is not None and notes.pure:
        notes.fixed.append(array)


def note_launch(launched: Launched, *, pure: bool = True) -> None:
    """Note a launch."""
    notes = now()
    if notes is None or not notes.pure:
        return
    if pure:
        notes.launches.append(launched)
    else:
        notes.spoil()
