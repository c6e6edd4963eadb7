"""Arrays and iterators of host memory for a summary on a GPU: the bytes are those of NumPy."""

import numpy as np
import pytest

from modern import Sorter
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, NumPySorter, QuantileSummary, SlidingFrequencies
from tests.modern.references import pinned

BATCH = 1 << 15


def stream_of(n: int) -> Keys:
    return np.minimum(np.random.default_rng(n).zipf(1.3, n), 1 << 15).astype(np.float32)


@pytest.mark.gpu
def test_arrays_and_iterators_of_any_memory_are_summarised_as_by_numpy() -> None:
    values = stream_of(300_000)
    for make in (
        lambda sorter: QuantileSummary(0.01, sorter=sorter),
        lambda sorter: FrequencySummary(0.001, sorter=sorter),
        lambda sorter: SlidingFrequencies(0.1, 8_000, sorter=sorter),
    ):
        whole = make(NumPySorter(batch=BATCH)).update(values).to_bytes()
        for array in (values, pinned(values)):
            assert make(Sorter(BATCH)).update(array).to_bytes() == whole
        cut = np.array_split(values, [10, 30_000, 90_000, 100_000])
        cut.insert(2, values[:0])
        parts = make(NumPySorter(batch=BATCH)).update(iter(cut)).to_bytes()
        for given in (
            cut,
            map(pinned, cut),
            [pinned(a) if i % 2 else a for i, a in enumerate(cut)],
        ):
            assert make(Sorter(BATCH)).update(iter(given)).to_bytes() == parts


@pytest.mark.gpu
@pytest.mark.parametrize("on_a_stream", [False, True])
def test_parts_on_a_gpu_are_neither_read_nor_written_too_early(on_a_stream: bool) -> None:
    """The device works long on each part, and the host never waits for it."""
    import cupy

    from modern.streams.staging import stage_parts
    from modern.streams.transfers import CuPyLink

    keys = np.random.default_rng(1).random(12 << 22, np.float32)
    bounds = [(part << 22, (part + 1) << 22) for part in range(12)]
    stream = cupy.cuda.Stream(non_blocking=True) if on_a_stream else cupy.cuda.Stream.null
    for given in (keys, pinned(keys)):
        with stream:
            busy, found = cupy.random.random(1 << 26, np.float32), []
            for part in stage_parts(given, bounds, CuPyLink()):
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
