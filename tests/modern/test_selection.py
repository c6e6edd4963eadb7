"""`modern.select` and its relatives over NumPy: what `auto` runs."""

import numpy as np

import modern
from shadersort.selection import METHODS, SelectionTrace


def test_every_method_has_its_name() -> None:
    assert tuple(METHODS) == modern.METHODS
    assert {"fused-radix", "radix", "bucket", "sort-choose", "auto"} <= set(modern.METHODS)


def test_auto() -> None:
    for n in (1, 10, 16_384, 16_385, 100_000):
        keys = np.random.default_rng(n).normal(size=n).astype(np.float32)
        answer, trace = modern.select(keys, n // 3, return_trace=True)
        assert answer == np.partition(keys, n // 3)[n // 3]
        assert isinstance(trace, SelectionTrace)
        assert trace.method == ("sort-choose" if n <= 16_384 else "randomized")
