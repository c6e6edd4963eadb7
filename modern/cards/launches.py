"""Launches on several cards, one host thread, no wait: events order them.

A *step* is a launch on every card, or on the first one. All that cards share is in memory of the
first one, `Launcher.grow`'s: other cards may not be allowed to write that of a pool.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import cupy
from cupy.cuda import runtime

from modern.device_arrays import DeviceKeys, out_of_memory
from modern.launching.launch import this_thread
from shadersort.errors import MethodUnavailable

MOST = 16
"""Pieces of a launch, which are passed by value: as in piece.cuh."""

REACHED_ALREADY = 704
"""What the runtime says of a peer that can be reached."""


class Card:
    """Some pieces on one device, and how kernels are launched for them."""

    def __init__(self, keys: DeviceKeys, pieces: Sequence[int]) -> None:
        self.keys, self.launcher = keys, keys.launcher
        self.pieces = len(pieces) // 3, *pieces  # how many; of each its address, keys, keys before

    def launch(
        self, name: str, macros: dict[str, int], shared: int, *arguments: int, blocks: int = 0
    ) -> None:
        """Launch a kernel, by default one block for each multiprocessor, all at the same time."""
        launcher = self.launcher
        grid = (blocks or launcher.processors,)
        kernel = launcher.kernel(name, **macros)
        launcher.launch(kernel, grid, macros["THREADS"], arguments, shared, not blocks)


class Cards:
    """The pieces of one row of keys, on one card or several.

    A card may be there several times, each time with up to `MOST` pieces.
    """

    def __init__(self, pieces: Sequence[DeviceKeys]) -> None:
        if any(each.launcher.is_captured() for each in pieces):
            raise MethodUnavailable(
                "a CUDA graph cannot capture a selection from several arrays, as later calls use "
                "its memory, too: call it before the capture"
            )
        start, tables, first = 0, dict[int, list[int]](), dict[int, DeviceKeys]()
        for each in pieces:
            first.setdefault(each.device, each)
            table = tables.setdefault(each.device, [])
            if size := each.shape[0]:
                table += each.pointer, size, start
            start += size
        self.size, self.home = start, Card(pieces[0], ())
        self.all = [
            Card(first[device], table[at : at + 3 * MOST])
            for device, table in tables.items()
            for at in range(0, max(len(table), 1), 3 * MOST)
        ]
        for each in pieces:  # of two libraries on one device, for example
            order(each, first[each.device])
        self._pieces, self._first = pieces, first
        self.all.reverse()  # the first card comes last, as the others have the longer way

    def share(self, size: int) -> int:
        """Return the address of bytes on the first card that all cards may write."""
        try:
            return self.home.launcher.grow("cards", size)
        except runtime.CUDARuntimeError as error:
            raise out_of_memory(error) from error

    def clear(self, address: int, size: int) -> None:
        """Set bytes of the first card to 0, when its stream gets there."""
        with cupy.cuda.Device(self.home.keys.device):
            runtime.memsetAsync(address, 0, size, self.home.keys.stream)

    def gather(self) -> None:
        """Let the first card wait for what the others have been given so far."""
        for keys in self._first.values():
            order(keys, self.home.keys)

    def spread(self) -> None:
        """Let the other cards wait for what the first one has been given so far."""
        for keys in self._first.values():
            order(self.home.keys, keys)

    def meet(self) -> None:
        """Let all cards wait for what the others have been given so far."""
        events = {device: record(keys) for device, keys in self._first.items()}
        for device, keys in self._first.items():
            for other, event in events.items():
                if other != device:
                    wait_for(event, keys)

    def release(self) -> None:
        """Let the streams of all pieces wait: they may change or free the keys."""
        for each in self._pieces:
            order(self._first[each.device], each)


def order(before: DeviceKeys, after: DeviceKeys) -> None:
    """Let the stream of some keys wait for what that of others has been given so far."""
    if (before.device, before.stream) != (after.device, after.stream):
        wait_for(record(before), after)


def record(keys: DeviceKeys) -> Any:
    """Return an event that happens when the stream of some keys gets there."""
    events = this_thread.events
    with cupy.cuda.Device(keys.device):
        if keys.device not in events:
            events[keys.device] = runtime.eventCreateWithFlags(runtime.eventDisableTiming)
        runtime.eventRecord(events[keys.device], keys.stream)
    return events[keys.device]


def wait_for(event: Any, keys: DeviceKeys) -> None:
    """Let the stream of some keys wait for an event."""
    with cupy.cuda.Device(keys.device):
        runtime.streamWaitEvent(keys.stream, event)


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
            if error.status != REACHED_ALREADY:
                raise
        return True
