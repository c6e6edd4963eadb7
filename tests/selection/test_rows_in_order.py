"""Rows that are in order already, or whose numbers are: they are seen, and no other rows are."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import QUANTILE_METHODS
from shadersort.selection.rows import numbers_in_order, ordered_already
from shadersort.selection.rows.means import MedianByCount
from shadersort.selection.rows.numbers_in_order import answers_in_order
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.quantiles import QuantilesByCount, plan_of, quantiles

PIECE = 4
LENGTHS = (1, 2, 3, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 1, 11)
TYPES = ("float16", "float32", "float64", "int8", "uint8", "int64", "uint64")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few keys are worth a look, and are looked at in several pieces."""
    monkeypatch.setattr(ordered_already, "WORTH", 1)
    monkeypatch.setattr(numbers_in_order, "WORTH", 1)
    monkeypatch.setattr(ordered_already, "PIECE", PIECE)


def ascending(rows: int, length: int, dtype: str) -> Keys:
    """Rows of which each begins below the end of the one before; most keys are there twice."""
    return np.tile(np.arange(length) // 2 + 1, (rows, 1)).astype(dtype)


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", TYPES)
def test_one_key_out_of_order_is_seen(rows: int, length: int, dtype: str) -> None:
    x = ascending(rows, length, dtype)
    for keys in (x, x[:, ::-1].copy()):
        np.testing.assert_array_equal(ordered_already.ordered_already(keys), x)
    for row in range(rows):
        for place in range(1, length):
            wrong = x.copy()
            wrong[row, place] = 0
            falls = bool((wrong[:, 1:] <= wrong[:, :-1]).all())
            assert (ordered_already.ordered_already(wrong) is not None) == falls
            if wrong.dtype.kind == "f":
                assert falls or answered(wrong) is None


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_nan_is_in_no_order(dtype: str) -> None:
    for place in range(9):
        x = ascending(2, 9, dtype)
        x[1, place] = np.nan
        assert ordered_already.ordered_already(x) is None
        assert ordered_already.ordered_already(x[:, ::-1].copy()) is None


def test_no_key_is_moved_or_copied() -> None:
    x = ascending(2, 9, "f4")
    for keys in (x, x[:, ::-1].copy()):
        found = ordered_already.ordered_already(keys)
        assert found is not None
        assert np.shares_memory(found, keys)


def answered(x: Keys) -> Any:
    return answers_in_order(x[:, :, None], MedianByCount(x.shape[1], x.dtype))


def numbers_sorted(row: list[float]) -> list[float]:
    """Put the numbers of a row in order; NaNs stay where they are."""
    numbers = iter(sorted(each for each in row if each == each))
    return [next(numbers) if each == each else each for each in row]


NAN = np.nan
KEY = st.sampled_from([-np.inf, -2.0, -0.0, 0.0, 1.0, 3.0, np.inf, NAN])
ROWS = st.lists(st.lists(KEY, min_size=7, max_size=7).map(numbers_sorted), min_size=1, max_size=5)


@given(
    ROWS,
    st.sampled_from(["f2", "f4", "f8"]),
    st.sampled_from([0.0, 0.3, 1.0, [0.9, 0.0, 0.5]]),
    st.sampled_from(list(QUANTILE_METHODS)),
)
@example([[NAN] * 7], "f4", 0.3, "linear")
@example([[1.0, 2, 3, 4, 5, 6, NAN], [NAN, 0, 1, 2, 3, 4, 5]], "f4", 0.5, "linear")
@example([[0.0, 1, 2, 3, 4, 5, 6], [NAN, NAN, NAN, 1, 2, 3, 4], [NAN] * 7], "f8", 1.0, "lower")
def test_numbers_between_nans_are_found_where_they_are(
    rows: list[list[float]], dtype: str, q: Any, method: Any
) -> None:
    x = np.array(rows, dtype)
    given = x.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        each: Any = [np.nanquantile(row, q, method=method) for row in x]
        keys = x[:, :, None]
        plan = QuantilesByCount(NumPyRows(keys), plan_of(7, q, method), q)
        answers = answers_in_order(keys, plan)
    assert answers is not None
    expected = np.stack(each, axis=-1).reshape(-1, len(x))
    np.testing.assert_array_equal(answers[0], expected)
    assert answers[1] == np.isnan(x).all(axis=1).any()
    np.testing.assert_array_equal(x, given)


@pytest.mark.parametrize("place", range(1, 20))
def test_one_number_out_of_order_between_nans_is_seen(place: int) -> None:
    x = np.tile(np.arange(1.0, 21.0), (3, 1))
    x[:, ::3] = np.nan
    assert answered(x) is not None
    x[1, place] = 0
    assert (answered(x) is None) == (place > 1)


@pytest.mark.parametrize("share", [0, 0.01, 0.5])
def test_along_both_axes_of_long_rows(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rng = np.random.default_rng(1)
    x = np.sort(rng.standard_normal((3, 20_000)).astype("f4"), axis=1)
    x[rng.random(x.shape) < share] = NAN
    expected = np.nanquantile(x, [0.1, 0.9], axis=1)
    for keys in (x[:, :, None], np.ascontiguousarray(x.T)[None]):
        found = quantiles(NumPyRows(keys), [0.1, 0.9], "linear", nan=True)
        np.testing.assert_array_equal(found.reshape(2, 3), expected)
