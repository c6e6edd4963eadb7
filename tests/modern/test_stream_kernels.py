"""The kernels of stream summaries: each does to stacks of summaries what NumPy's loops do."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from modern import Sorter
from shadersort.streams import NumPySorter
from shadersort.streams.quantiles.gk_summaries import COLUMNS, GKSummaries, bring_to_host, rank_type

TYPES = "float16", "int8", "uint32", "float64"


def moved(host: GKSummaries) -> Any:
    """Summaries of the host on the GPU."""
    import cupy

    from modern.streams.gk_summaries import GKSummariesOnGPU

    ranks = rank_type(host.size)
    smallest, before = (cupy.asarray(each.astype(ranks)) for each in (host.smallest, host.before))
    values = cupy.asarray(np.ascontiguousarray(host.values))  # kernels read rows
    return GKSummariesOnGPU(host.size, values, smallest, before)


def kernels_of(dtype: str, seed: int, wide: int) -> Iterator[tuple[GKSummaries, Any, int]]:
    """Summaries with ties on the host and on the GPU, and a step; ranks are `wide` apart."""
    import cupy

    random = np.random.default_rng(seed)
    for size in (1, 2, 3, 31, 1000, 4097):
        for few in (1, 2, 100):
            ranks = np.unique([0, size - 1, *random.integers(0, size, size // 3)])
            values = np.sort(random.integers(0, few, (6, size)), axis=1).astype(dtype)
            one = GKSummaries.of_samples(np.ascontiguousarray(values[:, ranks]), ranks, size)
            grown = (each * np.int64(wide) for each in (one.lower, one.upper))
            ranks_of = rank_type(size * wide)
            host = GKSummaries(one.values, *(each.astype(ranks_of) for each in grown))
            there, step = moved(host), int(random.integers(1, 99)) * wide
            yield host, there, step
            rows = (cupy.broadcast_to(each[:1], each.shape) for each in (there.low, there.high))
            shared = type(there)(there.size, there.values, *rows)
            yield host, shared, step


@pytest.mark.gpu
def test_summaries_are_merged_and_compressed_alike() -> None:
    """Also those that stand for more values than 32 bits count."""
    for dtype in TYPES:
        for wide in (1, 1 << 30, 1 << 31):
            for host, there, step in kernels_of(dtype, 5, wide):
                pairs = there[:4].merge_pairs(), host[:4].merge_pairs()
                after = pairs[0].prepend(pairs[1]), pairs[1].prepend(pairs[1])
                again = (
                    pairs[0][:1].prepend(pairs[0][:1]),
                    pairs[1][:1].prepend(pairs[1][:1]),
                )
                first = there[4:].prepend(there[:1], host[1:4]), host[4:].prepend(host[:4])
                fewer = tuple(each.compress(2 * host.size, step) for each in after)
                sooner = tuple(each.compress(host.size, step) for each in (there[1:], host[1:]))
                for found, expected in (pairs, after, again, first, fewer, sooner, (there, host)):
                    (fetched,) = found.to_host({7: found}).values()
                    assert (len(found), found.entries, found.size) == (
                        len(expected),
                        expected.entries,
                        expected.size,
                    )
                    for column in COLUMNS:
                        one, other = getattr(fetched, column), getattr(expected, column)
                        assert (one.dtype, one.shape) == (other.dtype, other.shape)
                        np.testing.assert_array_equal(one, other)
                none = there[:0].merge_pairs()
                assert none.to_host({7: none})[7].values.shape == (0, 2 * host.entries)


@pytest.mark.gpu
def test_summaries_of_all_types_come_to_the_host_together() -> None:
    stacks: dict[str, Any] = {}
    for name, dtype, size in (("a", "int8", 1 << 40), ("b", "float16", 7), ("c", "float64", 99)):
        ranks = np.array([[0, size // 2, size - 1]] * 2)
        values = np.arange(6).reshape(2, 3).astype(dtype)
        stacks[name] = GKSummaries.of_ranks(values, ranks + 1, ranks, size)
    here = GKSummaries(*(getattr(stacks["a"], name) for name in COLUMNS))
    found = bring_to_host({**{name: moved(each) for name, each in stacks.items()}, "here": here})
    assert found["here"] is here
    for name, expected in stacks.items():
        for column in COLUMNS:
            one, other = getattr(found[name], column), getattr(expected, column)
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


@pytest.mark.gpu
def test_item_counts_on_the_device() -> None:
    import cupy

    for dtype in TYPES:
        random = np.random.default_rng(6)
        for shape in ((1, 1), (4, 9), (7, 5_000), (2, 100_000)):
            windows = random.integers(0, 30, shape).astype(dtype)
            windows[0] = 7
            if windows.dtype.kind == "f":
                windows[:, ::3] *= random.choice([-1, 0, 1], windows[:, ::3].shape)  # −0.0, too
            found = Sorter().sorted_windows(cupy.asarray(windows)).item_counts()
            expected = NumPySorter().sorted_windows(windows).item_counts()
            for name in ("items", "counts", "ends"):
                one, other = getattr(found, name), getattr(expected, name)
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other)


@pytest.mark.gpu
def test_ranks_on_the_device_are_of_one_stream() -> None:
    import cupy

    from modern.streams.gk_summaries import ranks_on_device

    ranks = np.arange(0, 100, 7)
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    found = []
    for stream in (*streams, *streams):
        with stream:
            found.append(ranks_on_device(ranks, 100))
    pointers = [each[0].data.ptr for each in found]
    assert pointers[:2] == pointers[2:]
    assert pointers[0] != pointers[1]
