"""Parts of a stream on their way to a device that is not there, which checks every rule."""

import itertools
import threading
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.streams.device_rooms import DeviceRooms, Job, filled
from shadersort.keys.types import Keys
from tests.modern.pretended_device import Link, UsedRooms


@pytest.fixture(autouse=True)
def threads_end() -> Iterator[None]:
    """No thread is left in the end."""
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def jobs_of(part: Keys, piece: int) -> list[Job]:
    """Jobs that fill a room with a part, a piece at a time."""

    def job(begin: int, rooms: DeviceRooms, turn: int) -> int:
        some = part[begin : begin + piece]
        rooms.bring(turn, begin, some)
        return len(some)

    return [partial(job, begin) for begin in range(0, len(part), piece)]


@given(
    lengths=st.lists(st.integers(0, 300), max_size=12),
    turns=st.integers(1, 4),
    piece=st.integers(1, 90),
    threads=st.integers(0, 5),
    late=st.booleans(),
)
def test_arrays_arrive_whole_and_in_their_order(
    lengths: list[int], turns: int, piece: int, threads: int, late: bool
) -> None:
    stream = np.arange(sum(lengths), dtype=np.float32)
    parts = np.split(stream, np.cumsum(lengths)[:-1]) if lengths else []
    link, longest = Link(late=late), max(lengths, default=0)
    rooms = UsedRooms(link, turns, longest, stream.dtype, 4 * piece, threads)
    found = [
        (rooms.array(turn)[: len(part)].copy(), sum(counts))
        for part, (turn, counts) in zip(
            parts, filled(rooms, (jobs_of(part, piece) for part in parts), threads), strict=True
        )
    ]
    for (array, count), part in zip(found, parts, strict=True):
        np.testing.assert_array_equal(array, part)
        assert count == len(part)
    assert link.closed
    assert sum(each.nbytes for each in link.rooms) == turns * 4 * longest
    assert len(link.slots) <= 2 * max(threads, 1)
    assert all(each.nbytes == 4 * piece for each in link.slots)


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("pinned", [False, True])
def test_keys_of_the_host_are_brought(pinned: bool, late: bool) -> None:
    """Pinned keys are copied from where they are, others through slots."""
    keys, link = np.arange(10_000), Link(late=late, pinned=pinned)
    rooms = DeviceRooms(link, 2, len(keys), keys.dtype, 800, 3)

    def job(rooms: DeviceRooms, turn: int) -> None:
        rooms.bring(turn, 0, keys)

    for turn, _ in filled(rooms, [[job]] * 5, 3):
        np.testing.assert_array_equal(rooms.array(turn), keys)
    assert len(link.slots) == (0 if pinned else 6)
    apart = np.arange(30)[::3]
    rooms = DeviceRooms(Link(late=late, pinned=pinned), 1, 10, apart.dtype, 800, 1)
    for turn, _ in filled(rooms, [[lambda rooms, turn: rooms.bring(turn, 0, apart)]], 1):
        np.testing.assert_array_equal(rooms.array(turn), apart)


def test_the_next_arrays_are_filled_while_one_is_in_use() -> None:
    keys, link, begun = np.arange(100), Link(late=False), threading.Semaphore(0)

    def job(rooms: DeviceRooms, turn: int) -> None:
        rooms.bring(turn, 0, keys)
        begun.release()

    rooms = DeviceRooms(link, 3, len(keys), keys.dtype, 800, 2)
    arrays = filled(rooms, itertools.repeat([job]), 2)
    for used in range(5):
        next(arrays)
        for _ in range(3 if used == 0 else 1):  # two arrays ahead of the one in use
            assert begun.acquire(timeout=60)
        assert not begun.acquire(blocking=False)
    arrays.close()
    assert link.closed


def test_a_job_that_fails_ends_all() -> None:
    def fails(rooms: DeviceRooms, turn: int) -> None:
        raise OSError("the network is gone")

    for threads in (0, 3):
        for good in range(5):
            link = Link(late=True)
            rooms = DeviceRooms(link, 2, 50, np.dtype(np.int64), 80, threads)
            parts = [jobs_of(np.arange(50), 10) for _ in range(good)]
            arrays = filled(rooms, [*parts, [*jobs_of(np.arange(9), 3), fails], *parts], threads)
            for _ in range(good):
                next(arrays)
            with pytest.raises(OSError, match="network"):
                next(arrays)
            assert link.closed
