"""Quantiles by plan, with the order statistics taken from a sorted array, beside NumPy's own.

NumPy before 2.4 gave some results another type, so these tests need 2.4; what they test does not.
"""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from shadersort import errors
from shadersort.selection.quantile_plan import QUANTILE_METHODS, plan
from tests.helpers import random_bits, telling_floats

FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

Array = npt.NDArray[Any]

quantile: Any = np.quantile
nanquantile: Any = np.nanquantile


def by_plan(keys: Array, q: Any, method: str) -> Any:
    made = plan(len(keys), q, method)
    found = np.sort(keys, kind="stable")[made.ranks]
    return made.combine(np.full_like(found, np.nan) if (keys != keys).any() else found)


def assert_same(ours: Any, theirs: Any) -> None:
    """Equal in kind, type, shape and bits, except for the sign of zero and the payload of a NaN.

    A partition, unlike a sort, may leave any of the keys that compare equal at a rank.
    """
    assert type(ours) is type(theirs)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(ours, theirs)


def compare(keys: Array, q: Any, methods: Any = QUANTILE_METHODS) -> None:
    with np.errstate(all="ignore"):
        for method in methods:
            assert_same(by_plan(keys, q, method), quantile(keys, q, method=method))


SHARES = st.one_of(
    st.sampled_from([0, 1, 0.0, 1.0, 0.5, 0.25, 1 / 3, 0.1, 1e-300, 1 - 2**-53]),
    st.floats(0, 1),
    st.floats(0, 1).map(np.float64),
    st.floats(0, 1, width=32).map(np.float32),
    st.floats(0, 1).map(np.asarray),
    st.lists(st.floats(0, 1), max_size=5),
    hnp.arrays(np.float64, hnp.array_shapes(max_dims=2, max_side=3), elements=st.floats(0, 1)),
    hnp.arrays(np.float32, 3, elements=st.floats(0, 1, width=32)),
    hnp.arrays(np.int64, 3, elements=st.integers(0, 1)),
)
"""q as people write it: Python numbers, NumPy scalars, lists, arrays."""


def arrays_of(dtypes: list[str], **elements: Any) -> st.SearchStrategy[Array]:
    options: Any = {"elements": elements or None, "fill": st.nothing()}
    return st.sampled_from(dtypes).flatmap(lambda t: hnp.arrays(t, st.integers(1, 20), **options))


KEYS = st.one_of(
    arrays_of(FLOATS),
    arrays_of(INTEGERS),
    arrays_of(["float32", "float64"], min_value=-2, max_value=2, allow_nan=False),
)
"""Floats of every kind, integers of every size, and finite floats."""


@given(keys=KEYS, q=SHARES)
@settings(max_examples=60)
def test_any_keys(keys: Array, q: Any) -> None:
    compare(keys, q)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 9, 100, 101, 1024])
def test_every_rank_and_between(n: int) -> None:
    exact, inverse = np.arange(n) / max(n - 1, 1), np.arange(n + 1) / n
    shares = np.concatenate([exact, inverse, np.linspace(0, 1, 37)])
    for dtype in ("float32", "float64", "int32", "uint64"):
        keys = np.random.default_rng(n).integers(0, n, n).astype(dtype)
        for q in (shares, 0, 1, 0.0, 0.5, 1.0):
            compare(keys, q)


def test_every_bit_pattern() -> None:
    for dtype in FLOATS:
        compare(telling_floats(dtype), np.linspace(0, 1, 101))
        keys = random_bits(5, 500, dtype)
        compare(keys[np.isfinite(keys)], np.linspace(0, 1, 101))


def test_large_integers_keep_their_last_digit_where_numpy_does() -> None:
    keys = np.array([2**62 + 1, 2**62 + 3, 2**62 + 5, 2**62 + 7])
    for q in (0, 0.0, 1 / 3, 0.5, 1.0, 1):
        compare(keys, q)
        compare(keys.astype(np.uint64) + np.uint64(2**63), q)


@settings(max_examples=40)
@given(keys=arrays_of(FLOATS), q=SHARES)
def test_ignoring_nan(keys: Array, q: Any) -> None:
    """The plan is made for the keys that are not NaN; its ranks hold in the whole array."""
    keys[0] = 1  # one key at least is not NaN
    numbers = np.count_nonzero(~np.isnan(keys))
    for method in QUANTILE_METHODS:
        made = plan(numbers, q, method)
        with np.errstate(all="ignore"):
            ours = made.combine(np.sort(keys, kind="stable")[made.ranks])
            assert_same(ours, nanquantile(keys, q, method=method))


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


def test_bad_input_is_named() -> None:
    bad: dict[type[Exception], list[Any]] = {
        errors.QuantileOutOfRange: [-0.1, 1.0000001, [0.5, 2], np.inf, 50],
        errors.QuantileOutOfRange: [np.nan, [0.5, np.nan], np.float32("nan")],
        errors.QuantileNotNumber: ["0.5", None, 0.5j, [0.5, "x"]],
    }
    for error, shares in bad.items():
        for q in shares:
            with pytest.raises(error, match="from 0 to 1"):
                plan(3, q)
    with pytest.raises(errors.EmptyInput):
        plan(0, 0.5)
    with pytest.raises(errors.UnknownName, match="'hazen'"):
        plan(3, 0.5, "excel")
