"""Rows sorted on a GPU. Every test needs one."""

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.keys.types import Keys
from tests.helpers import bits
from tests.selection.inputs import awkward

pytestmark = pytest.mark.gpu

TYPES = ["float16", "float32", "int64", "uint8"]
SHAPES = [
    *((1, 1), (3, 2), (5, 31), (7, 255), (2, 256), (1000, 257)),
    *((9, 4096), (5, 4097), (3, 8191), (4, 8192), (3, 8193), (2, 16_385), (1, 1_000_003)),
]


def in_order(rows: Keys) -> Keys:
    """Sort rows on the GPU."""
    import cupy

    from modern.streams.windows import rows_in_order

    given = cupy.asarray(rows)
    found = rows_in_order(given).get()
    np.testing.assert_array_equal(bits(given.get()), bits(rows))
    return np.asarray(found)


def assert_sorted(rows: Keys) -> None:
    found = in_order(rows)
    assert found.dtype == rows.dtype
    np.testing.assert_array_equal(found, np.sort(rows, axis=1, kind="stable"))
    np.testing.assert_array_equal(np.sort(bits(found), axis=1), np.sort(bits(rows), axis=1))


def test_rows_of_any_bits() -> None:
    for shape in SHAPES:
        for dtype in TYPES:
            raw = np.dtype(f"u{np.dtype(dtype).itemsize}")
            any_bits = np.random.default_rng(5).integers(
                0, np.iinfo(raw).max, shape, raw, endpoint=True
            )
            rows = any_bits.view(dtype)
            if rows.dtype.kind == "f":
                rows[np.isnan(rows)] = -0.0
            assert_sorted(rows)


def test_awkward_rows() -> None:
    for dtype in TYPES:
        for keys in awkward(20_000, dtype).values():
            numbers = keys[keys == keys]
            for length in (10, 1000, numbers.size):
                assert_sorted(numbers[: numbers.size // length * length].reshape(-1, length))


def test_every_data_set() -> None:
    for data in datasets.DATASETS:
        keys = datasets.make(data, 60_000, dtype="float32", seed=1)
        for length in (600, 20_000):
            assert_sorted(keys.reshape(-1, length))


def test_no_rows_and_empty_ones() -> None:
    for shape in ((0, 5), (5, 0)):
        assert in_order(np.empty(shape, np.float32)).shape == shape
