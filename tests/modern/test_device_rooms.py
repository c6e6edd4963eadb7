"""Arrays of a stream on their way to a device that is not there, which checks every rule."""

import io
import itertools
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.streams import device_rooms
from modern.streams.device_rooms import LANES, DeviceRooms, RoomsAsNeeded
from shadersort.errors import NaNRefused, OutOfDeviceMemory, TruncatedFile
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.streams import CorrelatedSum, FrequencySummary, NumPySorter
from shadersort.streams.rooms import HostRooms, Job, Rooms, filled
from tests.modern.pretended_device import Link, PretendedSorter, UsedRooms
from tests.streams.every import MAKERS, stream_for

BATCH = 3_000


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pieces of 1,000 bytes, arrays of a few of them; no thread is left in the end."""
    budget = Budget(1 << 24, 3, largest=1_000)
    monkeypatch.setattr(Budget, "of", lambda memory, threads: budget)
    monkeypatch.setattr(device_rooms, "FEW", 100)
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def jobs_of(part: Keys, piece: int) -> list[Job]:
    """Jobs that fill a room with a part, a piece at a time."""

    def job(begin: int, rooms: Rooms, turn: int) -> int:
        some = part[begin : begin + piece]

        def read(room: Keys) -> int:
            room[:] = some
            return len(some)

        return rooms.fill(turn, begin, begin + len(some), read)

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

    def job(rooms: Rooms, turn: int) -> None:
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

    def job(rooms: Rooms, turn: int) -> None:
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
    def fails(rooms: Rooms, turn: int) -> None:
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


def test_arrays_of_an_iterator_are_brought_if_they_suit() -> None:
    link = Link(late=True)
    rooms = RoomsAsNeeded(link, 2, 500, None)
    whole = np.arange(400, dtype=np.int32)
    others: list[Any] = [
        *(np.arange(20, dtype=np.int32), np.arange(501, dtype=np.int32), np.zeros((20, 20), "i4")),
        *(np.arange(300.0), whole.astype(">i4"), np.ma.masked_array(whole), whole.astype("U9")),
        *(7, [1, 2], "text", whole.astype(bool), None),
    ]
    given: list[Any] = [whole, *others, whole[::2], whole + 1]
    values = iter(given)
    jobs = itertools.repeat([lambda rooms, turn: rooms.kept(turn, next(values))], len(given))
    for (turn, (found,)), expected in zip(filled(rooms, jobs, 1), given, strict=True):
        brought = found is not expected
        assert brought == (
            type(expected) is np.ndarray
            and expected.shape in [(400,), (200,)]
            and expected.dtype == np.int32
        )
        if brought:
            np.testing.assert_array_equal(found, expected)
            assert np.shares_memory(found, rooms.array(turn))
    assert len(link.slots) <= 2 * LANES
    assert link.closed


def test_pinned_arrays_of_an_iterator_are_held_until_they_are_copied() -> None:
    """Without a reference, their memory could be pinned for something else."""
    link, values = Link(late=True, pinned=True), np.arange(400)
    rooms = RoomsAsNeeded(link, 1, 500, None)
    for turn in (0, 0):
        rooms.kept(turn, values)
        rooms.arrive(turn)
        rooms.freed(turn)
    assert link.waited == [1]
    rooms.close()


NUMBERS = [
    name
    for name in MAKERS
    if "words" not in name and not isinstance(stream_for(name, 1)[0], np.str_)
]
"""The names of summaries of numbers."""


def sources(path: Path, values: Keys) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The same values in all kinds of sources."""
    np.save(path, values)
    yield path, {}
    yield io.BytesIO(values.tobytes()), {"dtype": values.dtype}
    yield values, {}
    yield np.load(path, mmap_mode="r"), {}
    yield iter(np.array_split(values, 11)), {}


def fed(summary: Any, source: Any, options: Any, y: Keys) -> bytes:
    """The bytes of a summary of a source; y belongs to pairs."""
    if isinstance(summary, CorrelatedSum):
        summary.update_from(source, y, of_x=options)
    else:
        summary.update_from(source, **options)
    found: bytes = summary.to_bytes()
    return found


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", NUMBERS)
def test_every_summary_of_every_source(name: str, late: bool, tmp_path: Path) -> None:
    """It has the bytes that it has without a device, and memory has the bounds that are stated."""
    for n in (0, 1, 9_000):
        values = stream_for(name, n)
        y, path = np.cos(values.astype(np.float64)), tmp_path / f"{n}.npy"
        sorter = PretendedSorter(batch=BATCH, late=late)
        for (one, options), (other, _) in zip(
            sources(path, values), sources(path, values), strict=True
        ):
            expected = fed(MAKERS[name](sorter=NumPySorter(batch=BATCH)), one, options, y)
            assert fed(MAKERS[name](sorter=sorter), other, options, y) == expected
        for link in sorter.links:
            assert link.closed
            assert max(map(len, link.rooms), default=0) <= 8 * BATCH
            assert len(link.slots) <= 2 * max(3, LANES)
        assert n < BATCH or all(link.work > 2 for link in sorter.links)


def test_a_source_that_fails_leaves_a_summary_as_it_was(tmp_path: Path) -> None:
    values = stream_for("frequencies", 20_000)
    np.save(path := tmp_path / "whole.npy", values)
    (tmp_path / "short.npy").write_bytes(path.read_bytes()[:-3])
    finite = np.nan_to_num(values)

    def broken() -> Iterator[Keys]:
        yield from np.array_split(finite, 7)
        raise OSError("the network is gone")

    sorter = PretendedSorter(batch=BATCH, late=True)
    summary = FrequencySummary(0.1, nan="raise", sorter=sorter).update(finite[:10])
    before = summary.to_bytes()
    fails: list[tuple[Any, type[Exception], dict[str, Any]]] = [
        (path, NaNRefused, {}),
        (tmp_path / "short.npy", TruncatedFile, {}),
        (io.BytesIO(finite.tobytes()[:-1]), TruncatedFile, {"dtype": "f4"}),
        (broken(), OSError, {}),
    ]
    for source, error, options in fails:
        with pytest.raises(error):
            summary.update_from(source, **options)
        assert summary.to_bytes() == before
        assert sorter.links[-1].closed
    summary.update_from(finite)
    assert summary.n == 20_010


def test_values_of_another_type_are_converted_on_the_host(tmp_path: Path) -> None:
    np.save(path := tmp_path / "stream.npy", np.arange(9_000, dtype=np.int32))
    for dtype, slots in (("float64", False), ("int64", True), ("int16", False)):
        sorter = PretendedSorter(batch=BATCH, late=True)
        summary = FrequencySummary(0.1, dtype=dtype, sorter=sorter).update_from(path)
        assert summary.update_from(np.arange(99, dtype=np.int8)).n == 9_099
        expected = FrequencySummary(0.1, dtype=dtype).update(np.arange(9_000))
        assert summary.to_bytes() == expected.update(np.arange(99)).to_bytes()
        assert any(link.slots for link in sorter.links) == (slots or dtype == "int16")
    summary = FrequencySummary(0.1, dtype="float64", sorter=(sorter := PretendedSorter()))
    assert summary.update_from(iter([np.arange(9_000)])).n == 9_000
    assert not any(link.slots for link in sorter.links)


def test_narrow_columns_of_pairs_become_wide_on_their_way() -> None:
    x, y = np.arange(9_000, dtype=np.float32), np.cos(np.arange(9_000, dtype=np.float32))
    sorter = PretendedSorter(batch=BATCH, late=True)
    found = CorrelatedSum(0.1, sorter=sorter).update_from(x, y)
    assert found.to_bytes() == CorrelatedSum(0.1).update(x, y).to_bytes()
    assert [len(link.rooms[0]) // BATCH for link in sorter.links] == [4, 8]  # bytes of a key


def test_too_little_memory_is_an_error_that_leaves_a_summary_as_it_was() -> None:
    def room(self: Link, size: int) -> Keys:
        raise OutOfDeviceMemory("there is no room")

    sorter = PretendedSorter(batch=BATCH)
    summary = FrequencySummary(0.1, sorter=sorter).update(np.arange(2_000.0))
    before = summary.to_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Link, "room", room)
        for source in (np.arange(9_000.0), iter([np.arange(2_000.0)])):
            with pytest.raises(OutOfDeviceMemory):
                summary.update_from(source)
            assert summary.to_bytes() == before


def test_rooms_on_the_host_are_filled_without_a_copy() -> None:
    rooms = HostRooms(2, 9, np.dtype(np.int64))
    for turn, counts in filled(rooms, [jobs_of(np.arange(9), 4)] * 5, 2):
        np.testing.assert_array_equal(rooms.array(turn), np.arange(9))
        assert counts == [4, 4, 1]
