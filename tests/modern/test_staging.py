"""Parts of an array of the host on their way to a device; what stands in for it, and for CuPy."""

import ctypes
import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from modern.streams.device_rooms import SLOT, RoomsAsNeeded
from shadersort.errors import OutOfDeviceMemory
from shadersort.streams.pairs import Pairs
from shadersort.streams.rooms import HostRooms
from tests.modern.pretended_device import Link

staging: Any = pytest.importorskip("modern.streams.staging")


@pytest.mark.parametrize("pinned", [False, True])
def test_parts_arrive_in_their_order(pinned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short parts stay on the host."""
    links: list[Link] = []

    def link() -> Link:
        links.append(Link(late=True, pinned=pinned))
        return links[-1]

    monkeypatch.setattr(staging, "is_pinned", lambda keys: pinned)
    monkeypatch.setattr(staging, "CuPyLink", link)
    keys = np.random.default_rng(1).random(1 << 19, np.float32)
    for ends in ([], [1 << 18], [10, 100_000, 100_100, 200_000, 300_000, 400_000, 524_280]):
        parts = np.split(keys, ends)
        bounds = zip([0, *ends], [*ends, len(keys)], strict=True)
        for part, found in zip(parts, staging.staged(keys, bounds), strict=True):
            np.testing.assert_array_equal(found, part)
            assert np.shares_memory(found, keys) == (part.nbytes < staging.FEW)
        assert links[-1].closed
        assert (not links[-1].slots) == pinned
    assert [len(each.rooms) for each in links] == [1, 2, 2 if pinned else 4]
    few = keys[:100]
    assert all(np.shares_memory(each, few) for each in staging.staged(few, [(0, 50), (50, 100)]))
    assert len(links) == 3


def test_a_stream_that_is_left_early_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    link = Link(late=True)
    monkeypatch.setattr(staging, "is_pinned", lambda keys: False)
    monkeypatch.setattr(staging, "CuPyLink", lambda: link)
    parts = staging.staged(np.arange(1 << 18), [(0, 1 << 17), (1 << 17, 1 << 18)])
    next(parts)
    parts.close()
    assert link.closed


class Bytes(np.ndarray):
    """Memory whose address is told as CuPy tells it."""

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)


class Stream:
    """A stream in which everything is done at once."""

    ptr = 0

    def __init__(self, non_blocking: bool = False) -> None:
        self.awaited: list[Any] = []

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def record(self, event: Any) -> Any:
        return event

    def wait_event(self, event: Any) -> None:
        self.awaited.append(event)

    def synchronize(self) -> None:
        pass


def cupy_of(work: Stream) -> Any:
    """What a link asks of CuPy, with NumPy's arrays as the memory of the device."""

    def copy(target: int, source: int, size: int, kind: int, stream: int) -> None:
        ctypes.memmove(target, source, size)

    runtime = SimpleNamespace(
        memcpyAsync=copy,
        memcpyHostToDevice=1,
        memoryTypeHost=1,
        pointerGetAttributes=lambda address: SimpleNamespace(type=0),
        CUDARuntimeError=RuntimeError,
    )
    cuda = SimpleNamespace(
        Device=lambda: SimpleNamespace(use=lambda: None),
        Event=lambda block=False, disable_timing=False: SimpleNamespace(synchronize=lambda: None),
        Stream=Stream,
        get_current_stream=lambda: work,
        alloc_pinned_memory=bytearray,
        memory=SimpleNamespace(OutOfMemoryError=MemoryError),
    )

    def empty(size: int, dtype: Any) -> Bytes:
        return np.empty(size, dtype).view(Bytes)

    return SimpleNamespace(cuda=cuda, runtime=runtime, empty=empty)


def test_a_link_asks_cupy_for_copies_and_events(monkeypatch: pytest.MonkeyPatch) -> None:
    from modern.streams import link

    work = Stream()
    pretended = cupy_of(work)
    monkeypatch.setattr(link, "cupy", pretended)
    monkeypatch.setattr(link, "runtime", pretended.runtime)
    keys = np.random.default_rng(1).random(1 << 20)
    for turn, part in enumerate(staging.staged(keys, [(0, 1 << 18), (1 << 18, 1 << 20)])):
        np.testing.assert_array_equal(part, np.split(keys, [1 << 18])[turn])
    assert len(work.awaited) > 2  # one for each copy
    made = link.CuPyLink()
    assert len(made.slot(link.TOO_MANY)) == link.TOO_MANY  # not pinned


def test_too_little_memory_of_a_device_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from modern.streams import link

    def empty(size: int, dtype: Any) -> Any:
        raise MemoryError("17 bytes")

    pretended = cupy_of(Stream())
    pretended.empty = empty
    monkeypatch.setattr(link, "cupy", pretended)
    monkeypatch.setattr(link, "runtime", pretended.runtime)
    with pytest.raises(OutOfDeviceMemory, match="a smaller batch"):
        link.CuPyLink().room(17)


def test_long_arrays_of_known_types_go_to_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    from modern.streams import link, supplied

    monkeypatch.setattr(supplied, "has_gpu", lambda: True)
    monkeypatch.setattr(link, "CuPyLink", lambda: Link(late=True))
    sorter, count = supplied.SuppliedSorter(), 1 << 18
    rooms = sorter.rooms(3, count, np.dtype(np.float16), 1 << 10, 2)
    assert (rooms.turns, rooms.piece) == (3, 1 << 10)
    assert sorter.rooms(1, count, np.dtype(np.int64), count << 9, 2).piece == SLOT // 8
    assert isinstance(sorter.rooms_as_needed(2, None), RoomsAsNeeded)
    others = (100, "f4"), (count, ">f4"), (count, "?"), (0, "f8"), (sorter.batch + 1, "i1")
    for length, dtype in others:
        assert isinstance(sorter.rooms(3, length, np.dtype(dtype), 1 << 10, 2), HostRooms)
    for cores, readers in ((1, 1), (2, 1), (16, 14), (64, 16)):
        monkeypatch.setattr(supplied, "cores", lambda cores=cores: cores)
        assert sorter.readers == readers


def test_keys_that_wait_are_joined_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    from modern.streams import link, supplied

    monkeypatch.setitem(
        sys.modules,
        "cupy",
        SimpleNamespace(asarray=list, concatenate=lambda parts: [*parts[0], *parts[1]]),
    )
    monkeypatch.setattr(link, "memory_told", nullcontext)
    sorter, waiting = supplied.SuppliedSorter(), np.arange(3)
    assert sorter.together(waiting, np.arange(9)) is None
    assert sorter.together(waiting, [7, 8]) == [0, 1, 2, 7, 8]
    pairs = Pairs(waiting, waiting / 2).packed()
    found = sorter.together(pairs, Pairs([5], [6.5]))
    assert (found.x, found.y) == ([0, 1, 2, 5], [0, 0.5, 1, 6.5])
    assert sorter.together(pairs, Pairs(waiting, waiting / 2)) is None
