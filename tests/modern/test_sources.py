"""Files, pipes and iterators that a summary on a GPU reads ahead: the bytes are those of NumPy."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modern import Sorter
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    NumPySorter,
    QuantileSummary,
    SlidingFrequencies,
)
from shadersort.streams.rooms import filled
from tests.modern.test_sorter import MAKERS

BATCH = 1 << 15


def pinned(values: Keys) -> Keys:
    import cupyx

    found: Keys = cupyx.empty_pinned(values.shape, values.dtype)
    found[:] = values
    return found


def stream_of(n: int) -> Keys:
    return np.minimum(np.random.default_rng(n).zipf(1.3, n), 1 << 15).astype(np.float32)


@pytest.fixture
def short_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 40,000 bytes, so that there are many arrays."""
    budget = Budget(1 << 24, 4, largest=40_000)
    monkeypatch.setattr(Budget, "of", lambda memory, threads: budget)


@pytest.mark.gpu
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.usefixtures("short_arrays")
def test_sources_are_summarised_on_a_gpu_as_by_numpy(name: str, tmp_path: Path) -> None:
    """No array is overwritten while a GPU still needs it."""
    path = tmp_path / "stream.npy"
    for n in (1, 9_999, 200_000):
        values = stream_of(n)
        np.save(path, values)
        found, expected = (
            [
                MAKERS[name](sorter=sorter).update_from(path),
                MAKERS[name](sorter=sorter).update_from(io.BytesIO(values.data), dtype=np.float32),
                MAKERS[name](sorter=sorter).update_from(iter(np.array_split(values, 9))),
            ]
            for sorter in (Sorter(BATCH), NumPySorter(batch=BATCH))
        )
        assert [each.to_bytes() for each in found] == [each.to_bytes() for each in expected]


@pytest.mark.gpu
@pytest.mark.parametrize("mass", [np.float32, np.float64])
@pytest.mark.usefixtures("short_arrays")
def test_pairs_of_files_are_summarised_on_a_gpu_as_by_numpy(mass: Any, tmp_path: Path) -> None:
    x, y = stream_of(300_000), np.arange(300_000, dtype=mass)
    for name, column in (("x", x), ("y", y)):
        np.save(tmp_path / f"{name}.npy", column)
    found, expected = (
        CorrelatedSum(0.05, sorter=sorter).update_from(tmp_path / "x.npy", tmp_path / "y.npy")
        for sorter in (Sorter(BATCH), NumPySorter(batch=BATCH))
    )
    assert found.to_bytes() == expected.to_bytes()
    points: Any = np.arange(0, 1 << 15, 99)
    np.testing.assert_array_equal(found.rank(points), expected.rank(points))
    np.testing.assert_allclose(found.sum_up_to(points), expected.sum_up_to(points))


@pytest.mark.gpu
@pytest.mark.usefixtures("short_arrays")
def test_arrays_and_iterators_of_any_memory_are_summarised_as_by_numpy() -> None:
    values = stream_of(300_000)
    for make in (
        lambda sorter: QuantileSummary(0.01, sorter=sorter),
        lambda sorter: FrequencySummary(0.001, sorter=sorter),
        lambda sorter: SlidingFrequencies(0.1, 8_000, sorter=sorter),
    ):
        whole = make(NumPySorter(batch=BATCH)).update_from(values).to_bytes()
        for array in (values, pinned(values)):
            assert make(Sorter(BATCH)).update_from(array).to_bytes() == whole
        cut = np.array_split(values, [10, 30_000, 90_000, 100_000])
        cut.insert(2, values[:0])
        parts = make(NumPySorter(batch=BATCH)).update_from(iter(cut)).to_bytes()
        for given in (
            cut,
            map(pinned, cut),
            [pinned(a) if i % 2 else a for i, a in enumerate(cut)],
        ):
            assert make(Sorter(BATCH)).update_from(iter(given)).to_bytes() == parts


@pytest.mark.gpu
@pytest.mark.usefixtures("short_arrays")
def test_heavy_hitters_of_files_are_those_of_numpy(tmp_path: Path) -> None:
    items = stream_of(300_000).astype(np.uint32) * np.uint32(2654435761)
    np.save(tmp_path / "items.npy", items)
    found, expected = (
        HierarchicalHeavyHitters(0.01, sorter=sorter).update_from(tmp_path / "items.npy")
        for sorter in (Sorter(BATCH), NumPySorter(batch=BATCH))
    )
    assert found.to_bytes() == expected.to_bytes()


@pytest.mark.gpu
@pytest.mark.parametrize("on_a_stream", [False, True])
def test_rooms_on_a_gpu_are_neither_read_nor_written_too_early(on_a_stream: bool) -> None:
    """The device works long on each array, and the host never waits for it."""
    import cupy

    from modern.streams.device_rooms import DeviceRooms
    from modern.streams.link import CuPyLink

    parts = [np.random.default_rng(turn).random(1 << 22, np.float32) for turn in range(12)]
    stream = cupy.cuda.Stream(non_blocking=True) if on_a_stream else cupy.cuda.Stream.null

    def jobs(part: Keys) -> list[Any]:
        step = 1 << 18
        each = range(0, len(part), step)
        return [lambda r, t, a=a: r.bring(t, a, part[a : a + step]) for a in each]

    with stream:
        busy, found = cupy.random.random(1 << 26, np.float32), []
        rooms = DeviceRooms(CuPyLink(), 3, 1 << 22, np.dtype(np.float32), 1 << 20, 4)
        for turn, _ in filled(rooms, map(jobs, parts), 4):
            cupy.sort(busy)
            found.append(rooms.array(turn).copy())
        for one, part in zip(found, parts, strict=True):
            np.testing.assert_array_equal(one.get(), part)


@pytest.mark.gpu
def test_slots_are_pinned() -> None:
    from modern.streams.link import CuPyLink, is_pinned

    for size in (1, 1000, 8 << 20):
        slot = CuPyLink().slot(size)
        assert (slot.size, slot.dtype.name) == (size, "uint8")
        assert is_pinned(slot)
        slot[:] = 7
