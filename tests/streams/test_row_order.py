"""The order of rows: NumPy's stable one, for every type."""

import numpy as np
import pytest

from shadersort.streams import NumPySorter

TYPES = ["float16", "float32", "float64", "int8", "int32", "int64", "uint16", "uint64"]


@pytest.mark.parametrize("dtype", TYPES)
def test_rows_are_ordered_as_by_numpy(dtype: str) -> None:
    random = np.random.default_rng(7)
    for length in (0, 1, 2, 3, 511, 512, 513):
        for few in (1, 3, 100, 1 << 40):
            most = min(few, 100) if np.dtype(dtype).itemsize < 4 else few
            typed = random.integers(0, most, (4, length)).astype(dtype)
            if typed.dtype.kind == "f":
                typed *= random.choice(np.array([-1, 1, 0], dtype), typed.shape)
                typed[:, :1] = np.inf
                typed[:, 1:2] = np.finfo(typed.dtype).smallest_subnormal
            else:
                typed[:, :1] = np.iinfo(typed.dtype).min
            found = NumPySorter().order(typed)
            np.testing.assert_array_equal(found, np.argsort(typed, axis=1, kind="stable"))
            assert found.dtype == np.int64


def test_equal_upper_halves_keep_the_order_of_the_lower_ones() -> None:
    some = np.array([5, 3, 1 << 40, 3, (1 << 40) - 1, 1 << 40], np.uint64)
    rows = np.tile(some, 1 << 11).reshape(2, -1)
    found = NumPySorter().order(rows)
    np.testing.assert_array_equal(found, np.argsort(rows, axis=1, kind="stable"))
