"""Launches on several cards, one host thread, no wait: events order them.

A *step* is a launch on every card, or on the first one. All that cards share is in memory of the
first card, of a pool of its own: another pool may not allow other cards to write.
"""

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from math import prod
from typing import Any, NamedTuple

import cupy
from cupy.cuda import runtime

from modern.device_arrays import DeviceKeys, out_of_memory, use_stream, write_values

_pool = cupy.cuda.MemoryPool()
"""Memory that all cards write: plain memory of a device, which peers can be allowed to use."""

_local = threading.local()

NO_TIMING = 2
"""The flag of events that only order launches, which are faster."""

REACHED_ALREADY = "PeerAccessAlreadyEnabled"


class Card(NamedTuple):
    """A device with some pieces of the keys."""

    keys: DeviceKeys  # the first of its pieces
    pieces: tuple[int, int]  # the address of their table, and how many they are

    def launch(
        self, name: str, *arguments: int, shared: int = 0, blocks: int = 0, **macros: int
    ) -> None:
        """Launch a kernel, by default one block for each multiprocessor, all at the same time."""
        launcher = self.keys.launcher
        grid = (blocks or launcher.processors,)
        kernel = launcher.kernel(name, **macros)
        launcher.launch(kernel, grid, macros["THREADS"], arguments, shared, not blocks)


class Cards:
    """The pieces of one row of keys, on one card or several."""

    def __init__(self, pieces: Sequence[DeviceKeys]) -> None:
        self.home, self.size, start = pieces[0], sum(prod(each.shape) for each in pieces), 0
        tables: dict[int, list[int]] = {}
        self._streams = {(each.device, each.stream): each for each in pieces}
        keys: dict[int, DeviceKeys] = {}
        for each in pieces:
            each.launcher.check_not_captured("a selection from several arrays")
            size = prod(each.shape)
            keys.setdefault(each.device, each)
            tables.setdefault(each.device, []).extend((each.pointer, size, start) if size else ())
            start += size
        for each in self._streams.values():  # of two libraries on one device, for example
            order(each, keys[each.device])
        self.all: list[Card] = []
        for device, table in tables.items():
            pointer = write_values(keys[device], table) if table else 0
            self.all.append(Card(keys[device], (pointer, len(table) // 3)))
        self.first = self.all[0]

    def allocate(self, size: int) -> Any:
        """Return memory of the first card that all cards may write, as long as it is referenced."""
        try:
            with self.home_stream():
                return _pool.malloc(size)
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise out_of_memory(error) from error

    def home_stream(self) -> AbstractContextManager[Any]:
        """Return a context in which the first card and its stream are CuPy's current ones."""
        return use_stream(self.home.device, self.home.stream)

    def gather(self) -> None:
        """Let the first card wait for what the others have been given so far."""
        for card in self.all[1:]:
            order(card.keys, self.home)

    def spread(self) -> None:
        """Let the other cards wait for what the first one has been given so far."""
        for card in self.all[1:]:
            order(self.home, card.keys)

    def release(self) -> None:
        """Let all streams of pieces wait for their cards, as they may change or free the keys."""
        first = {card.keys.device: card.keys for card in self.all}
        for each in self._streams.values():
            order(first[each.device], each)


def order(before: DeviceKeys, after: DeviceKeys) -> None:
    """Let the stream of some keys wait for what that of others has been given so far."""
    if (before.device, before.stream) == (after.device, after.stream):
        return
    events: dict[int, Any] = _local.__dict__.setdefault("events", {})
    with cupy.cuda.Device(before.device):
        if before.device not in events:
            events[before.device] = runtime.eventCreateWithFlags(NO_TIMING)
        runtime.eventRecord(events[before.device], before.stream)
    with cupy.cuda.Device(after.device):
        runtime.streamWaitEvent(after.stream, events[before.device])


@cache
def can_reach(device: int, home: int) -> bool:
    """Whether kernels on a device may write memory of the first one; allows it if they may."""
    if device == home:
        return True
    with cupy.cuda.Device(device):
        if not runtime.deviceCanAccessPeer(device, home):
            return False
        try:
            runtime.deviceEnablePeerAccess(home)
        except runtime.CUDARuntimeError as error:
            if REACHED_ALREADY not in str(error):
                raise
        return True
