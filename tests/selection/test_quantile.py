"""Quantiles and medians by selection, against NumPy's.

NumPy before 2.4 gave some results another type, so these tests need 2.4; what they test does not.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection import median, quantile
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.quantile_plan import QUANTILE_METHODS, plan
from tests.expected import expected
from tests.selection.inputs import ANY_NUMBERS, TYPES, awkward

SHARES = [0, 0.01, 0.25, 1 / 3, 0.5, 0.9, 1]
ANY_SHARES = st.one_of(
    st.sampled_from([0, 1, 0.0, 1.0, 0.5, 0.25, 1 / 3, 0.1, 1e-300, 1 - 2**-53]),
    st.floats(0, 1),
    st.floats(0, 1).map(np.float64),
    st.floats(0, 1, width=32).map(np.float32),
    st.floats(0, 1).map(np.asarray),
    st.lists(st.floats(0, 1), max_size=5),
    hnp.arrays(np.float64, hnp.array_shapes(max_dims=2, max_side=3), elements=st.floats(0, 1)),
    hnp.arrays(np.float32, 3, elements=st.floats(0, 1, width=32)),
)
ROUND = st.sampled_from(["float32", "float64"]).flatmap(
    lambda t: hnp.arrays(t, st.integers(1, 20), elements={"min_value": -2, "max_value": 2})
)


def agree(found: Any, expected: Any) -> None:
    """Check value, kind, shape and type; a partition may leave either zero at a rank."""
    np.testing.assert_array_equal(found, expected)
    assert type(found) is type(expected)
    assert np.shape(found) == np.shape(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


def compare(keys: Keys, q: Any, methods: Any = QUANTILE_METHODS, **options: Any) -> None:
    """Compare quantiles with NumPy's, with and without NaNs."""
    some = NumPyPrimitives(keys)
    for method in methods:
        for nan, ours, numpys in (
            (False, modern.quantile, np.quantile),
            (True, modern.nanquantile, np.nanquantile),
        ):
            wanted = expected(numpys, keys, q, method=method)
            agree(expected(ours, keys, q, method=method, **options), wanted)
            agree(expected(quantile, some, q, nan=nan, method=method, **options), wanted)


@pytest.mark.parametrize("dtype", TYPES)
def test_awkward_keys(dtype: str) -> None:
    for n in (1, 2, 33):
        for keys in awkward(n, dtype).values():
            compare(keys, SHARES)


@settings(max_examples=60)
@given(st.one_of(ANY_NUMBERS, ROUND), ANY_SHARES)
def test_any_keys(keys: Keys, q: Any) -> None:
    compare(keys, q)
    agree(expected(modern.nanmedian, keys), expected(np.nanmedian, keys))
    for method in ("auto", "bisection"):
        agree(expected(modern.median, keys, method=method), expected(np.median, keys))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 9, 100, 101, 1024])
def test_every_rank_and_between(n: int) -> None:
    exact, inverse = np.arange(n) / max(n - 1, 1), np.arange(n + 1) / n
    shares = np.concatenate([exact, inverse, np.linspace(0, 1, 37)])
    for dtype in ("float32", "float64", "int32", "uint64"):
        keys = np.random.default_rng(n).integers(0, n, n).astype(dtype)
        for q in (shares, 0, 1, 0.0, 0.5, 1.0):
            compare(keys, q)


def test_every_selector() -> None:
    for selector in ("bucket", "radix", "quickselect", "cutting-plane"):
        keys = np.random.default_rng(1).normal(size=20_000)
        for _ in range(2):
            compare(keys, SHARES, ["linear"], selector=selector)
            wanted = expected(np.nanmedian, keys)
            agree(expected(modern.nanmedian, keys, method=selector), wanted)
            keys[::7] = np.nan


def test_ranks_are_few_ascending_and_in_range() -> None:
    shares: list[Any] = [0.5, [0.0, 1.0], np.linspace(0, 1, 11)]
    for method, n, q in product(QUANTILE_METHODS, (1, 2, 5, 1000, 2**33 + 7), shares):
        made = plan(n, q, method)
        assert made.ranks.dtype == np.intp
        assert len(made.ranks) <= 2 * np.size(q)
        assert np.all(np.diff(made.ranks) > 0)
        assert 0 <= made.ranks[0] <= made.ranks[-1] <= n - 1
        # in float32 the last rank of 2^25 + 1 keys rounds to one that does not exist
        assert plan(2**25 + 3, np.float32(1), method).ranks[-1] <= 2**25 + 2


def test_all_nan_warns() -> None:
    keys = NumPyPrimitives(np.full(3, np.nan, np.float32))
    with pytest.warns(RuntimeWarning, match="All-NaN slice"):
        median(keys, nan=True)
    for q in (0.5, [0.1, 0.2]):
        with pytest.warns(RuntimeWarning, match="NaN"):
            quantile(keys, q, nan=True)


def test_options_reach_the_method() -> None:
    keys = np.arange(100.0)
    assert modern.quantile(keys, 0.5, selector="radix-inplace", width=8) == 49.5
    with pytest.raises(errors.BadOption, match="'radix' has no option 'digits'"):
        modern.quantile(keys, 0.5, selector="radix", digits=3)


BAD: list[tuple[Any, Any, dict[str, Any], type[Exception], str | None]] = [
    (["a"], 0.5, {}, errors.UnsupportedKeys, None),
    (np.zeros(()), 0.5, {"axis": 0}, errors.KeysNotFlat, None),
    *(
        ([1.0], q, {}, errors.QuantileOutOfRange, "from 0 to 1")
        for q in (-0.1, 1.0000001, [0.5, 2], np.inf, 50, np.nan, [0.5, np.nan], np.float32("nan"))
    ),
    *(
        ([1.0], q, {}, errors.QuantileNotNumber, "from 0 to 1")
        for q in ("0.5", None, 0.5j, [0.5, "x"])
    ),
    ([1.0], 0.5, {"method": "excel"}, errors.UnknownName, "'hazen'"),
    ([1.0], 0.5, {"selector": "cubic"}, errors.UnknownName, None),
]


def test_bad_input() -> None:
    for (keys, q, options, error, says), find in product(
        BAD, (modern.quantile, modern.nanquantile)
    ):
        with pytest.raises(error, match=says):
            find(keys, q, **options)
