"""The kernels of stream summaries: each does to stacks of summaries what NumPy's loops do."""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from typing import Any

import numpy as np
import pytest

from modern import Sorter
from shadersort.errors import NotFinite, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import CorrelatedSum, NumPySorter
from shadersort.streams.correlated.mass_summaries import SUMMED, window_sums
from shadersort.streams.quantiles.gk_summaries import COLUMNS, GKSummaries, bring_to_host, rank_type
from shadersort.streams.sliding.tallies import COLUMNS as TALLIES
from shadersort.streams.sliding.tallies import Tallies
from tests.helpers import bits, random_bits
from tests.modern.references import back, put_on_gpu
from tests.selection.inputs import awkward

pytestmark = pytest.mark.gpu

TYPES = "float16", "int8", "uint32", "float64"


def moved(host: GKSummaries) -> Any:
    """Summaries of the host on the GPU."""
    from modern.streams.gk_summaries import GKSummariesOnGPU

    ranks = rank_type(host.size)
    smallest, before = (put_on_gpu(each.astype(ranks)) for each in (host.smallest, host.before))
    values = put_on_gpu(np.ascontiguousarray(host.values))  # kernels read rows
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


def test_summaries_are_merged_and_compressed_alike() -> None:
    """Also those that stand for more values than 32 bits count."""
    for dtype, wide in product(TYPES, (1, 1 << 30, 1 << 31)):
        for host, there, step in kernels_of(dtype, 5, wide):
            pairs = there[:4].merge_pairs(), host[:4].merge_pairs()
            after = pairs[0].prepend(pairs[1]), pairs[1].prepend(pairs[1])
            again = tuple(each[:1].prepend(each[:1]) for each in pairs)
            first = there[4:].prepend(there[:1], host[1:4]), host[4:].prepend(host[:4])
            fewer = tuple(each.compress(2 * host.size, step) for each in after)
            sooner = tuple(each.compress(host.size, step) for each in (there[1:], host[1:]))
            both = pairs, after, again, first, fewer, sooner, (there, host)
            fetched = bring_to_host(dict(enumerate([*(found for found, _ in both), host])))
            assert fetched[len(both)] is host
            for at, (found, expected) in enumerate(both):
                assert (found.entries, found.size) == (expected.entries, expected.size)
                assert_alike(fetched[at], expected)
            none = there[:0].merge_pairs()
            assert none.to_host({7: none})[7].values.shape == (0, 2 * host.entries)


def assert_alike(found: Any, expected: Any, columns: tuple[str, ...] = COLUMNS) -> None:
    for name in columns:
        one, other = getattr(found, name), getattr(expected, name)
        np.testing.assert_array_equal(one, other, strict=True)


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


def test_tallies_are_merged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    from modern.streams import item_counts

    monkeypatch.setattr(item_counts, "FEW", -1)  # all stay on the device
    for dtype in TYPES:
        windows = (np.random.default_rng(3).zipf(1.2, (64, 100)) % 50).astype(dtype)
        above = np.random.default_rng(4).integers(0, 4, 64)
        found = Sorter().tallies(windows, above, 32, lambda operation: nullcontext())
        expected: Any = NumPySorter().tallies(windows, above, 32, lambda operation: nullcontext())
        assert isinstance(found, item_counts.TalliesOnGPU)
        for _ in range(5):
            assert_tallies(found.to_host(), expected)
            assert_tallies(found[1:].to_host(), expected[1:])
            limits = np.arange(len(expected))
            assert_tallies(found.above(limits).to_host(), expected.above(limits))
            assert_tallies(found.above(3).to_host(), expected.above(3))
            found, expected = found.merge_pairs(), expected.merge_pairs()


def assert_tallies(found: Tallies, expected: Tallies) -> None:
    assert found.blocks == expected.blocks
    assert_alike(found, expected, TALLIES)


def test_pairs_that_are_not_finite() -> None:
    x, y = np.arange(5_000.0), np.full(5_000, 5e304)
    y[::2] *= -1
    for of_y, many in ((y, 10), (np.where(x == 4_000, np.inf, 0), 1)):
        sums = CorrelatedSum(0.3, sorter=Sorter()).update(x[:10], x[:10])
        before = sums.to_bytes()
        with pytest.raises(NotFinite):
            sums.update(*(put_on_gpu(np.tile(each, many)) for each in (x, of_y)))
        assert sums.to_bytes() == before


def test_sums_of_rows() -> None:
    from modern.streams import mass_summaries

    random = np.random.default_rng(8)
    for dtype in TYPES:
        for length in (SUMMED, 65 * SUMMED, 156 * SUMMED):
            rows = random.integers(0, 100, (3, length)).astype(dtype)
            found = mass_summaries.window_sums(put_on_gpu(rows))
            np.testing.assert_array_equal(found, window_sums(rows))


def test_keys_are_converted_on_the_device_without_a_change() -> None:
    """Denormals, too; what might change goes through the host, which refuses what it must."""
    tiny = np.finfo(np.float32).smallest_subnormal
    for dtype in ("float32", "float64", "float16", "int8", "uint32", "int64", "uint64"):
        keys = np.array([0, 1, 3, 100], dtype)
        if keys.dtype.kind == "f":
            keys = np.concatenate([keys, np.array([-tiny, 5 * tiny, -0.0, np.inf], dtype)])
        for of in (np.float64, np.int64):
            try:
                expected = NumPySorter().accept(keys, np.dtype(of))
            except UnsupportedKeys:
                continue
            found = back(Sorter().accept(put_on_gpu(keys), np.dtype(of)))
            assert found.tobytes() == expected.tobytes()
    with pytest.raises(UnsupportedKeys):
        Sorter().accept(put_on_gpu(np.array([2**53 + 1])), np.dtype(np.float64))


SHAPES = [
    *((0, 5), (5, 0), (1, 1), (3, 2), (5, 31), (7, 255), (2, 256), (1000, 257)),
    *((9, 4096), (5, 4097), (3, 8191), (4, 8192), (3, 8193), (2, 16_385), (1, 1_000_003)),
]


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "uint8"])
def test_sorted_rows(dtype: str) -> None:
    """Of random bits, and awkward ones of several lengths."""
    for shape in SHAPES:
        rows = random_bits(5, shape, dtype)
        assert_sorted(np.where(rows == rows, rows, rows.dtype.type(-0.0)))
    for keys in awkward(20_000, dtype).values():
        numbers = keys[keys == keys]
        for length in (10, 1000, numbers.size):
            assert_sorted(numbers[: numbers.size // length * length].reshape(-1, length))


def assert_sorted(rows: Keys) -> None:
    from modern.streams.windows import rows_in_order

    given = put_on_gpu(rows)
    found = rows_in_order(given).get()
    np.testing.assert_array_equal(bits(given.get()), bits(rows))
    np.testing.assert_array_equal(found, np.sort(rows, axis=1, kind="stable"), strict=True)
    np.testing.assert_array_equal(np.sort(bits(found), axis=1), np.sort(bits(rows), axis=1))
