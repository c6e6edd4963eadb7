"""Weights of many equal keys: two ways to put them in order, and both say the same."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from modern.rows import weighted_search
from shadersort.keys.types import Keys
from shadersort.selection.rows.top import has_few_values

Q = np.linspace(0, 1, 41)


def tied(seed: int, shape: tuple[int, int], dtype: str) -> tuple[Keys, Keys]:
    """Keys of a few values, zeros of both signs among them, and weights of which some are equal."""
    rng = np.random.default_rng(seed)
    keys = rng.choice(np.array([-1, 0, 1, 5]), shape).astype(dtype)
    if keys.dtype.kind == "f":
        keys[keys == 0] = rng.choice([0.0, -0.0], np.count_nonzero(keys == 0))
    weights = rng.random(shape)
    weights[rng.random(shape) < 0.2] = 0.25
    return keys, weights


@given(
    *(st.integers(0, 1 << 20), st.sampled_from([1, 3])),
    st.sampled_from([2, 255, 256, 257, 3000]),
    st.sampled_from(["float16", "float32", "int8", "int32", "float64", "int64"]),
)
def test_the_order_of_keys_does_not_matter(seed: int, rows: int, length: int, dtype: str) -> None:
    keys, weights = tied(seed, (rows, length), dtype)
    order = np.random.default_rng(seed).permutation(length)
    options: Any = {"axis": 1, "method": "averaged_inverted_cdf"}
    found = modern.quantile(keys, Q, weights=weights, **options)
    again = modern.quantile(keys[:, order], Q, weights=weights[:, order], **options)
    np.testing.assert_array_equal(found, again)


@pytest.mark.parametrize("dtype", ["float16", "float32", "uint16", "int32"])
def test_both_ways_give_the_same_order(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    keys, weights = tied(7, (3, 2000), "float32")
    keys = np.abs(keys).astype(dtype)
    assert has_few_values(keys[0])
    one = weighted_search._in_order(np, keys.copy(), weights.copy())
    monkeypatch.setattr(weighted_search, "has_few_values", lambda row: False)
    other = weighted_search._in_order(np, keys.copy(), weights.copy())
    for mine, others in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine, others)
    assert (np.diff(one[0].astype(float), axis=1) >= 0).all()
    equal = one[0][:, 1:] == one[0][:, :-1]
    assert (np.diff(one[1], axis=1)[equal] >= 0).all()
