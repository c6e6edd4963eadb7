"""One row on the host: keys in order are only read, and threads sort parts for many ranks."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import modern
from modern.rows import one_row
from shadersort.keys.types import Keys
from shadersort.selection.rows import chunks, sorted_parts
from shadersort.selection.rows.sorted_parts import ranked_in_parts


def test_keys_in_order_are_not_sorted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*given: Any, **options: Any) -> Any:
        raise AssertionError("the keys are in order")

    x, q = np.sort(np.random.default_rng(1).random(10_001)), np.linspace(0, 1, 101)
    y = np.append(x, np.nan)  # in order, too, but nothing compares with a NaN
    for name in ("ranked", "ranked_in_crowd", "in_rows", "_parted"):
        monkeypatch.setattr(one_row, name, refused)
    for keys in (x, x[::-1], x[1:], np.repeat(x, 2)[::2]):
        np.testing.assert_array_equal(modern.quantile(keys, q), np.quantile(keys, q))
        assert modern.median(keys) == modern.nanmedian(keys) == np.median(keys)
        assert modern.select(keys, 77) == np.sort(keys)[77]
        found = modern.multiselect(keys, [[-1, 3], [3, 0]])
        np.testing.assert_array_equal(found, np.sort(keys)[[[-1, 3], [3, 0]]])
    with pytest.raises(AssertionError, match="in order"):
        modern.select(y, 3)
    with pytest.raises(AssertionError, match="in order"):
        modern.multiselect(y, [3])
    assert np.isnan(modern.median(y))


TYPES = ("float16", "float32", "float64", "int8", "uint16", "int64", "uint64")


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads share the work on as few as six keys."""
    monkeypatch.setattr(chunks, "cores", lambda: 3)
    for module in (chunks, sorted_parts):
        monkeypatch.setattr(module, "threads_for", lambda size: 3 if size >= 6 else 1)


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [1, 2, 5, 6, 7, 100])
def test_all_ranks_by_parts_of_extremes(dtype: str, size: int) -> None:
    ends = _ends(dtype)
    for x in (np.resize(ends, size), np.resize(ends[::-1], size), np.resize(ends[:1], size)):
        given = x.copy()
        found = ranked_in_parts(x, np.arange(size))
        np.testing.assert_array_equal(found, np.sort(x, kind="stable"))
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(x, given)


def _ends(dtype: str) -> Keys:
    if np.dtype(dtype).kind == "f":
        info = np.finfo(dtype)
        tiny = info.smallest_subnormal
        return np.array([-0.0, np.nan, -np.inf, info.max, tiny, -tiny, np.inf, info.min], dtype)
    return np.array([np.iinfo(dtype).max, 0, np.iinfo(dtype).min, 1, 2], dtype)


@given(arrays(np.float32, st.integers(6, 60)), st.data())
@example(np.array([-0.0, -0.0, 0.0, 1, 2, np.nan], "f4"), None)
def test_some_ranks_by_parts(x: Keys, data: Any) -> None:
    ranks = st.lists(st.integers(0, x.size - 1), min_size=1, unique=True)
    ks = np.sort(data.draw(ranks)) if data else np.arange(x.size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_parts, "threads_for", lambda size: 3)
        found = ranked_in_parts(x, ks)
    np.testing.assert_array_equal(found, np.sort(x)[ks])


@pytest.mark.usefixtures("several")
def test_zeros_keep_their_signs() -> None:
    for zero in (0.0, -0.0):
        x = np.full(9, zero)
        assert np.array_equal(np.signbit(ranked_in_parts(x, np.arange(9))), np.signbit(x))


@pytest.mark.usefixtures("several")
def test_quantiles_of_a_long_row_are_found_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    x, q = np.random.default_rng(2).standard_normal((1 << 19) + 3), np.linspace(0, 1, 11)
    for name in ("ranked", "ranked_in_crowd", "in_rows"):
        monkeypatch.delattr(one_row, name)
    np.testing.assert_array_equal(modern.quantile(x, q), np.quantile(x, q))
    np.testing.assert_array_equal(
        modern.multiselect(x, [9, 99, 999, 9999, 3]), np.sort(x)[[9, 99, 999, 9999, 3]]
    )
