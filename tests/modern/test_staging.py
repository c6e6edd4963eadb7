"""Parts of a stream on their way to a device that is not there, which checks every rule.

NumPy's arrays are its memory. Copies begin when they are asked for, and end at once or, with
`late`, only when somebody waits for them: so a slot that is filled too early, or an array that is
used too early, has wrong bytes.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.streams import staging
from shadersort.keys.types import Keys
from tests.modern.references import pinned

POISON = 0x41  # what bytes hold that nobody may read


class Link:
    """A `CuPyLink` to no device; the copy of number `fails` fails."""

    def __init__(self, *, late: bool, pinned: bool = False, fails: int = -1) -> None:
        self.buffers: list[Keys] = []
        self.slots: list[Keys] = []
        self.begun, self.fails = threading.Semaphore(0), fails  # `begun` counts copies
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


@pytest.fixture(autouse=True)
def threads_end() -> Iterator[None]:
    """No thread is left in the end."""
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def staged(keys: Keys, ends: list[int], link: Any) -> Any:
    """The parts of keys between some ends, staged."""
    return staging.stage_parts(keys, zip([0, *ends], [*ends, len(keys)], strict=True), link)


@given(
    ends=st.lists(st.integers(0, 1000), max_size=12),
    piece=st.integers(1, 90),
    threads=st.integers(1, 5),
    pinned=st.booleans(),
    late=st.booleans(),
)
def test_parts_arrive_whole_and_in_their_order(
    ends: list[int], piece: int, threads: int, pinned: bool, late: bool
) -> None:
    """Each is used in full as soon as it arrives, and spoilt when the next one is asked for."""
    keys, link = np.arange(1000, dtype=np.float32), Link(late=late, pinned=pinned)
    sizes: Any = {
        "SLOT": 4 * piece,
        "PIECE": 4 * piece,
        "PIECES": 2,
        "FEW": 40,
        "WORTH_A_THREAD": 1,
    }
    with patch.multiple(staging, THREADS=threads, **sizes):
        parts = np.split(keys, sorted(ends))
        for part, found in zip(parts, staged(keys, sorted(ends), link), strict=True):
            np.testing.assert_array_equal(found, part)
            assert np.shares_memory(found, keys) == (0 < part.nbytes < 40)
            if part.nbytes >= 40:
                link.use(found)
                found.view(np.uint8)[:] = POISON
    assert link.closed
    assert {each.nbytes for each in link.buffers} == {4 * max(map(len, parts))}
    assert len(link.buffers) == min(len(parts), 2 if pinned else 4)
    assert len(link.slots) <= (0 if pinned else 2 * threads)
    assert all(each.nbytes == 4 * piece for each in link.slots)


def test_few_keys_and_strided_ones() -> None:
    few = np.arange(100)
    assert all(np.shares_memory(each, few) for each in staged(few, [50], None))
    apart, link = np.arange(1 << 18)[::3], Link(late=True, pinned=True)
    (found,) = staged(apart, [], link)  # through slots, as a copy takes bytes side by side
    np.testing.assert_array_equal(found, apart)
    assert link.slots


def test_the_next_parts_are_copied_while_one_is_in_use() -> None:
    keys, link = np.arange(12 << 15), Link(late=False)
    with patch.object(staging, "THREADS", 1):
        parts = staged(keys, [part << 15 for part in range(1, 12)], link)
        for used in range(5):
            next(parts)
            for _ in range(4 if used == 0 else 1):  # three parts ahead of the one in use
                assert link.begun.acquire(timeout=60)
            assert not link.begun.acquire(blocking=False)
    parts.close()
    assert link.closed


@pytest.mark.parametrize("pinned", [False, True])
def test_a_copy_that_fails_ends_all(pinned: bool) -> None:
    for fails in range(1, 6):
        link = Link(late=True, pinned=pinned, fails=fails)
        with pytest.raises(OSError, match="gone"):
            list(staged(np.arange(6 << 16), [part << 16 for part in range(1, 6)], link))
        assert link.closed


@pytest.mark.gpu
@pytest.mark.parametrize("on_a_stream", [False, True])
def test_parts_on_a_gpu_are_neither_read_nor_written_too_early(on_a_stream: bool) -> None:
    """The device works long on each part, and the host never waits for it."""
    import cupy

    from modern.streams.transfers import CuPyLink

    keys = np.random.default_rng(1).random(12 << 22, np.float32)
    bounds = [(part << 22, (part + 1) << 22) for part in range(12)]
    stream = cupy.cuda.Stream(non_blocking=True) if on_a_stream else cupy.cuda.Stream.null
    for each in (keys, pinned(keys)):
        with stream:
            busy, found = cupy.random.random(1 << 26, np.float32), []
            for part in staging.stage_parts(each, bounds, CuPyLink()):
                cupy.sort(busy)
                found.append(part.copy())
            np.testing.assert_array_equal(cupy.concatenate(found).get(), keys)


@pytest.mark.gpu
def test_pinned_memory_is_known() -> None:
    from modern.streams.transfers import CuPyLink

    link = CuPyLink()
    assert link.is_pinned(pinned(np.zeros(1000))[3:-3])
    assert not link.is_pinned(np.zeros(1000))
    assert not link.is_pinned(np.zeros(0))
    for size in (1, 1000, 8 << 20):
        slot = link.slot(size)
        assert (slot.size, slot.dtype.name) == (size, "uint8")
        assert link.is_pinned(slot)
        slot[:] = 7
