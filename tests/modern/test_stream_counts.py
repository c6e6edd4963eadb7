"""Summaries on a GPU: counts of prefixes and of blocks, and sums of pairs, as NumPy has them."""

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from modern import Sorter
from shadersort.errors import NotFinite, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import (
    CorrelatedSum,
    HierarchicalHeavyHitters,
    NumPySorter,
    SlidingFrequencies,
)
from shadersort.streams.correlated.mass_summaries import SUMMED, window_sums
from shadersort.streams.sliding.tallies import COLUMNS, Tallies

pytestmark = pytest.mark.gpu

TYPES = ["float16", "float32", "int64", "uint8"]

BATCH = 1 << 14
"""Few keys at once, so that many batches follow each other."""


def values(kind: str, n: int, seed: int) -> Keys:
    """A stream as int64: with few items, without any, with items that go by, and Zipf's."""
    random = np.random.default_rng(seed)
    made = {
        "equal": np.full(n, 7),
        "spread": random.integers(0, 1 << 40, n),
        "drifting": np.arange(n) // 7 * 7919,
        "zipf": np.minimum(random.zipf(1.2, n), 1 << 30) * 2654435761 % (1 << 40),
    }
    return made[kind].astype(np.int64)


KINDS = ["equal", "spread", "drifting", "zipf"]


def there(array: Keys, part: int) -> Any:
    """Every third part stays on the host."""
    import cupy

    return array if part % 3 == 2 else cupy.asarray(array)


@pytest.mark.parametrize("kind", KINDS)
def test_prefixes_of_all_levels(kind: str) -> None:
    shapes: list[dict[str, Any]] = [
        {"hierarchy": "ipv4"},
        {"hierarchy": "bits", "digits": 40, "step": 16},
    ]
    for shape in shapes:
        for epsilon in (0.3, 0.02):
            limit = {"ipv4": 1 << 32, "bits": 1 << 40}
            stream = values(kind, 70_000, 1) % limit[shape["hierarchy"]]
            made = [
                HierarchicalHeavyHitters(epsilon, **shape, sorter=sorter)
                for sorter in (NumPySorter(), Sorter(BATCH))
            ]
            typed = stream.astype(made[0].dtype)
            for part, some in enumerate(np.array_split(typed, 4)):
                made[0].update(some)
                made[1].update(there(some, part))
            assert made[0].to_bytes() == made[1].to_bytes()


@pytest.mark.parametrize("dtype", TYPES)
def test_blocks_of_a_sliding_window(dtype: Any) -> None:
    """Tallies with few entries are merged on the host."""
    for kind in KINDS:
        stream = (values(kind, 70_000, 2) % 120 - 3).astype(dtype)
        if stream.dtype.kind == "f":
            stream *= -1  # −0.0, too
        for epsilon, window, shortest in ((0.1, 10_000, 1), (0.02, 30_000, 30_000)):
            made = [
                SlidingFrequencies(epsilon, window, shortest=shortest, sorter=sorter)
                for sorter in (NumPySorter(), Sorter(BATCH))
            ]
            for part, some in enumerate(np.array_split(stream, 4)):
                made[0].update(some)
                made[1].update(there(some, part))
            assert made[0].to_bytes() == made[1].to_bytes()


def test_tallies_are_merged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    from modern.streams import item_counts

    monkeypatch.setattr(item_counts, "FEW", -1)  # all stay on the device
    for dtype in TYPES:
        windows = (values("zipf", 64 * 100, 3) % 50).astype(dtype).reshape(64, 100)
        above = np.random.default_rng(4).integers(0, 4, 64)
        found = Sorter().tallies(windows, above, 32, lambda operation: nullcontext())
        expected: Any = NumPySorter().tallies(windows, above, 32, lambda operation: nullcontext())
        assert isinstance(found, item_counts.TalliesOnGPU)
        for _ in range(5):
            assert_tallies_alike(found.to_host(), expected)
            assert_tallies_alike(found[1:].to_host(), expected[1:])
            limits = np.arange(len(expected))
            assert_tallies_alike(found.above(limits).to_host(), expected.above(limits))
            assert_tallies_alike(found.above(3).to_host(), expected.above(3))
            found, expected = found.merge_pairs(), expected.merge_pairs()


def assert_tallies_alike(found: Tallies, expected: Tallies) -> None:
    assert found.blocks == expected.blocks
    for name in COLUMNS:
        one, other = getattr(found, name), getattr(expected, name)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dtype", TYPES[1:3])
def test_sums_of_pairs(dtype: Any) -> None:
    random = np.random.default_rng(5)
    for kind in KINDS:
        x = (values(kind, 60_000, 6) % 120 - 3).astype(dtype)
        if x.dtype.kind == "f":
            x *= -1  # −0.0, too
        ys = random.standard_normal(x.size), np.exp(random.uniform(-50, 50, x.size))
        for y in (*ys, np.where(np.arange(x.size) == 99, 1e9, -0.0)):
            made = [CorrelatedSum(0.05, sorter=each) for each in (NumPySorter(), Sorter(BATCH))]
            for part in range(4):
                some = slice(part * 15_000, (part + 1) * 15_000)
                made[0].update(x[some], y[some])
                made[1].update(there(x[some], part), there(y[some], 3 * (part // 2)))
            assert made[0].to_bytes() == made[1].to_bytes()


def test_pairs_that_are_not_finite() -> None:
    import cupy

    x, y = np.arange(5_000.0), np.full(5_000, 5e304)
    y[::2] *= -1
    for of_y, many in ((y, 10), (np.where(x == 4_000, np.inf, 0), 1)):
        sums = CorrelatedSum(0.3, sorter=Sorter()).update(x[:10], x[:10])
        before = sums.to_bytes()
        with pytest.raises(NotFinite):
            sums.update(cupy.asarray(np.tile(x, many)), cupy.asarray(np.tile(of_y, many)))
        assert sums.to_bytes() == before
    x[7] = np.inf
    x[70] = -np.inf
    y[9], x[11] = np.nan, np.nan
    y /= 1e300
    one, other = (CorrelatedSum(0.3, sorter=each) for each in (NumPySorter(), Sorter()))
    one.update(x, y)
    other.update(cupy.asarray(x), cupy.asarray(y))
    assert one.to_bytes() == other.to_bytes()
    assert other.nans == 2


def test_sums_of_rows() -> None:
    import cupy

    from modern.streams import mass_summaries

    random = np.random.default_rng(8)
    for dtype in TYPES:
        for length in (SUMMED, 65 * SUMMED, 156 * SUMMED):
            rows = random.integers(0, 100, (3, length)).astype(dtype)
            found = mass_summaries.window_sums(cupy.asarray(rows))
            np.testing.assert_array_equal(found, window_sums(rows))


def test_keys_are_converted_on_the_device_without_a_change() -> None:
    """Denormals, too; what might change goes through the host, which refuses what it must."""
    import cupy

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
            found = cupy.asnumpy(Sorter().accept(cupy.asarray(keys), np.dtype(of)))
            assert found.tobytes() == expected.tobytes()
    with pytest.raises(UnsupportedKeys):
        Sorter().accept(cupy.asarray([2**53 + 1]), np.dtype(np.float64))
