"""Options of rows: a q of each row, and what is done with NaN."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors
from tests.modern.test_axes import agree


def test_q_of_each_row() -> None:
    rng = np.random.default_rng(9)
    x = rng.integers(0, 50, (4, 6, 5)).astype(np.float64)
    x[0, 2, 1] = np.nan
    weights, q = rng.integers(1, 5, x.shape), rng.random((2, 4, 5))
    for keys, axis in ((x, 1), (np.asfortranarray(x), 1), (x.transpose(1, 0, 2), 0)):
        heavy = weights if axis else weights.transpose(1, 0, 2)
        more: Any = ({}, {"weights": heavy, "method": "inverted_cdf"})
        for options in more:
            for call in (modern.quantile, modern.nanquantile):
                found = call(keys, q, axis=axis, q_per_row=True, **options)
                each = call(keys, q.ravel(), axis=axis, **options).reshape(2, 4, 5, 4, 5)
                agree(found, np.einsum("aijij->aij", each))
    kept = modern.quantile(x, q[0], axis=1, q_per_row=True, keepdims=True)
    assert kept.shape == (4, 1, 5)
    agree(modern.quantile(x[1], 0.5, q_per_row=True), np.quantile(x[1], 0.5))


def test_nan_policies() -> None:
    for x in (np.array([3.0, np.nan, 1.0]), np.array([3, "NaT", 1], "m8[s]")):
        assert np.isnan(modern.median(x))
        agree(modern.median(x, nan_policy="omit"), modern.nanmedian(x))
        agree(modern.quantile(x, 0.3, nan_policy="omit"), modern.nanquantile(x, 0.3))
        calls: tuple[Any, ...] = (modern.median, partial(modern.quantile, q=0.5))
        for call in calls:
            with pytest.raises(errors.NaNRefused, match="The input contains nan values"):
                call(x, nan_policy="raise")
    agree(modern.median([1, 2, 4], nan_policy="raise"), np.float64(2))
    agree(modern.quantile(np.ones((2, 2)), 0.5, axis=0, nan_policy="raise"), np.ones(2))
