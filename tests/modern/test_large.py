"""More keys than 31 or 32 bits can count, on a GPU; every answer is known in advance."""

from typing import Any

import numpy as np
import pytest

import modern
from shadersort.names import SelectionMethod

pytestmark = pytest.mark.gpu

PERIOD = 1 << 24
"""float32 holds all whole numbers below this; each occurs once in a period."""

STEP = 0x9E3779
"""Odd, so its multiples are all numbers below the period, in an order that looks random."""

METHODS: tuple[SelectionMethod, ...] = (
    *("auto", "randomized", "radix", "radix-inplace", "bucket", "cutting-plane", "quickselect"),
)


def keys_of(n: int) -> Any:
    """Return n keys on the GPU."""
    import cupy

    keys = cupy.empty(n, cupy.float32)
    for start in range(0, n, PERIOD):
        places = cupy.arange(start, min(start + PERIOD, n), dtype=cupy.int64)
        keys[start : start + PERIOD] = (places * STEP % PERIOD).astype(cupy.float32)
    return keys


def expected(n: int, ks: Any) -> Any:
    """Return the keys of some ranks: all numbers occur equally often, except for the last few."""
    periods, rest = divmod(n, PERIOD)
    counts = np.full(PERIOD, periods, np.int64)
    counts[np.arange(rest) * STEP % PERIOD] += 1
    return np.searchsorted(np.cumsum(counts), ks, side="right").astype(np.float32)


@pytest.mark.parametrize("n", [(1 << 31) + 7, 1 << 32])
def test_more_keys_than_32_bits_count(n: int) -> None:
    import cupy

    if cupy.cuda.Device().mem_info[0] < 6 * n:
        pytest.skip(f"{n} keys and a copy of some need {6 * n / 2**30:.0f} GiB")
    keys = keys_of(n)
    for k in (n // 3, n - 1):
        answers = {method: float(modern.select(keys, k, method=method)) for method in METHODS}
        assert answers == dict.fromkeys(METHODS, float(expected(n, k)))
    ks = np.linspace(0, n - 1, 101).astype(np.int64)
    for method in ("bucket", "radix", "auto"):
        found: Any = modern.multiselect(keys, ks, method=method)
        np.testing.assert_array_equal(found.get(), expected(n, ks))


def test_top_k_and_thresholds() -> None:
    import cupy

    n = (1 << 31) + 7
    x = cupy.zeros(n, cupy.float32)
    x[[5, n - 3, n - 1]] = cupy.asarray([2, 3, 1], cupy.float32)
    assert modern.topk(x, 3).indices.get().tolist() == [n - 3, 5, n - 1]
    kept = modern.threshold(x, 2)
    assert cupy.flatnonzero(kept).get().tolist() == [5, n - 3]
