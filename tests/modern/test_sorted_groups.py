"""Groups sorted by `modern.Sorter`: the same bytes as with NumPy, wherever keys and values are."""

from typing import Any

import numpy as np
import pytest

from modern import Sorter
from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary
from tests.modern.references import ALL_TYPES


def on_host(array: Keys) -> Any:
    return array


def on_device(array: Keys) -> Any:
    import cupy

    return cupy.asarray(array)


@pytest.mark.parametrize("place", [on_host, pytest.param(on_device, marks=pytest.mark.gpu)])
@pytest.mark.parametrize("dtype", [dtype for dtype in ALL_TYPES if np.dtype(dtype).kind in "iuf"])
def test_groups_are_those_of_numpy(place: Any, dtype: str) -> None:
    random = np.random.default_rng(9)
    keys, values = random.integers(-4, 40, 20_000), random.integers(0, 99, 20_000).astype(dtype)
    weights = random.integers(0, 4, 20_000)
    one = QuantileSummary.grouped(keys, values, 0.05)
    other = QuantileSummary.grouped(place(keys), place(values), 0.05, sorter=Sorter())
    assert one == other
    one.update(keys, values, weights)
    other.update(place(keys), place(values), place(weights))
    assert one == other
    assert one.merge(one) == other.merge(other)
