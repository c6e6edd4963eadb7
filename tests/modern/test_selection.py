"""`modern.select` and its relatives over NumPy: what `auto` runs, medians, bad input."""

from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import EmptyInput, KeysNotFlat, UnsupportedKeys
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


def test_median() -> None:
    for n in (1, 2, 3, 8, 9, 5000):
        for keys in (np.random.default_rng(n).random(n), np.arange(n)):
            for method in ("auto", "bisection"):
                found = modern.median(keys, method=method)
                assert found == np.median(keys)
                assert type(found) is type(np.median(keys))
        assert np.isnan(modern.median(np.append(np.arange(n), np.nan)))


def test_bad_input() -> None:
    bad: list[tuple[Any, type[Exception]]] = [
        ([], EmptyInput),
        (["a"], UnsupportedKeys),
        (np.zeros((2, 2)), KeysNotFlat),
    ]
    for keys, error in bad:
        with pytest.raises(error):
            modern.select(keys, 0)
        with pytest.raises(error):
            modern.median(keys)
