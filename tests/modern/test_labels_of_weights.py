"""Weights and q with labels go with the keys of the same labels, in whatever order both come."""

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from shadersort import errors

xarray: Any = import_module("xarray")

RAIN = xarray.DataArray(
    np.arange(24.0).reshape(2, 3, 4) % 7,
    dims=("time", "y", "x"),
    coords={"time": [10, 20], "x": list("abcd")},
)
HEAVY = RAIN.copy(data=np.arange(24).reshape(2, 3, 4) % 5 + 1)
FRAME = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})


@given(st.permutations(["time", "y", "x"]), st.permutations(range(4)), st.permutations(range(2)))
def test_dimensions_and_coordinates_are_aligned(
    dims: list[str], x: list[int], time: list[int]
) -> None:
    turned = HEAVY.isel(x=x, time=time).transpose(*dims)
    for axis in (None, "x", ("time", "y"), 0):
        expected = modern.median(RAIN, axis=axis, weights=HEAVY.values)
        xarray.testing.assert_identical(modern.median(RAIN, axis=axis, weights=turned), expected)


@given(st.permutations(range(4)), st.booleans())
def test_weights_of_a_row_are_aligned(x: list[int], turn: bool) -> None:
    row = HEAVY[0].isel(x=x)
    expected = modern.median(RAIN, axis=(1, 2), weights=HEAVY.values[0])
    found = modern.median(RAIN, axis=("x", "y") if turn else (1, 2), weights=row.T if turn else row)
    xarray.testing.assert_identical(found, expected)


def test_weights_that_have_no_labels_are_matched_by_position() -> None:
    weights = HEAVY.drop_vars(["time", "x"])
    expected = modern.median(RAIN, axis="x", weights=HEAVY)
    for each in (weights, weights.values, weights.values.tolist()):
        xarray.testing.assert_identical(modern.median(RAIN, axis="x", weights=each), expected)
    assert modern.median(FRAME["a"], weights=[0, 0, 1]) == 3


@pytest.mark.parametrize(
    "weights",
    [
        HEAVY[:, 0],
        HEAVY[0, 0].rename(x="z"),
        HEAVY[0].assign_coords(x=list("abcz")),
        HEAVY[0].assign_coords(x=list("abcc")),
        HEAVY[0, :, :3],
    ],
)
def test_other_dimensions_or_labels_are_refused(weights: Any) -> None:
    with pytest.raises(errors.BadWeights, match=r"dimensions|labels of weights"):
        modern.quantile(RAIN, 0.5, axis=("y", "x"), weights=weights, method="inverted_cdf")


@given(st.permutations(range(3)), st.permutations(["a", "b"]))
def test_indices_and_columns_are_aligned(index: list[int], columns: list[str]) -> None:
    weights = pd.DataFrame({"a": [0, 0, 1], "b": [1, 0, 0]}).loc[index, columns]
    assert modern.median(FRAME, axis=0, weights=weights).to_dict() == {"a": 3, "b": 4}
    rows = modern.median(FRAME, axis="columns", weights=pd.Series([0, 1], ["a", "b"])[columns])
    assert rows.tolist() == [4, 5, 6]
    series = pd.Series([3, 0, 1])[index]
    assert modern.nanmedian(FRAME["a"], weights=series) == 1
    assert modern.median(FRAME, axis=0, weights=series).to_dict() == {"a": 1, "b": 4}


@pytest.mark.parametrize("labels", [[0, 1, 3], [0, 0, 1], list("abc"), range(4)])
def test_other_labels_of_pandas_are_refused(labels: Any) -> None:
    weights = pd.Series(1, labels)
    with pytest.raises(errors.BadWeights, match="labels of weights"):
        modern.median(FRAME["a"], weights=weights)
    with pytest.raises(errors.BadWeights, match="labels of weights"):
        modern.median(FRAME, axis=0, weights=weights)


def test_labels_that_come_twice_are_taken_as_they_are_only_if_they_are_equal() -> None:
    twice = FRAME["a"].set_axis([0, 0, 1])
    assert modern.median(twice, weights=pd.Series([0, 0, 1], [0, 0, 1])) == 3
    with pytest.raises(errors.BadWeights, match="labels of weights"):
        modern.median(twice, weights=pd.Series([0, 0, 1], [0, 1, 0]))


def test_weights_of_too_few_dimensions_need_an_axis() -> None:
    with pytest.raises(errors.WeightsNeedAxis):
        modern.median(FRAME, weights=pd.Series([1, 1, 1]))


def of_rows(q: Any, **options: Any) -> Any:
    return modern.quantile(RAIN, q, q_per_row=True, **options)


@given(st.permutations(["time", "y"]), st.permutations(range(2)), st.booleans())
def test_a_q_for_each_row_is_aligned(dims: list[str], time: list[int], several: bool) -> None:
    values = np.linspace(0, 1, 6).reshape(2, 3)
    q = xarray.DataArray(values, dims=("time", "y"), coords={"time": [10, 20]})
    if several:
        q, values = xarray.concat([q, 1 - q], "which"), np.stack([values, 1 - values])
    turned = q.isel(time=time).transpose(*dims, ...)
    xarray.testing.assert_identical(of_rows(turned, axis="x"), of_rows(values, axis="x"))
    xarray.testing.assert_identical(of_rows(q=turned, axis="x"), of_rows(values, axis="x"))


def test_other_dimensions_or_labels_of_q_are_refused() -> None:
    q = xarray.DataArray([0.1, 0.9], dims="time", coords={"time": [10, 30]})
    with pytest.raises(errors.ValuesMismatch, match="the labels of q, 10, 30, are not"):
        of_rows(q, axis=("x", "y"))
    with pytest.raises(errors.ValuesMismatch, match=r"q has the dimensions \('time',\)"):
        of_rows(q, axis="x")


def test_a_q_of_pandas_is_aligned() -> None:
    q = pd.Series([1, 0.5], ["b", "a"])
    found = modern.quantile(FRAME, q, axis=0, q_per_row=True)
    assert found.to_dict() == {"a": 2, "b": 6}
    several = pd.DataFrame([q, 1 - q])
    pd.testing.assert_frame_equal(
        pd.DataFrame(modern.quantile(FRAME, several, axis=0, q_per_row=True)).set_axis(
            ["a", "b"], axis=1
        ),
        pd.DataFrame({"a": [2.0, 2], "b": [6.0, 4]}),
    )
    with pytest.raises(errors.ValuesMismatch, match="the labels of q"):
        modern.quantile(FRAME, pd.Series([1, 0.5], ["b", "c"]), axis=0, q_per_row=True)
    with pytest.raises(errors.ValuesMismatch, match="the labels of q"):
        modern.quantile(FRAME, pd.Series([1, 0.5, 0.1]), axis=0, q_per_row=True)
    assert modern.quantile(FRAME["a"], pd.Series([0.5, 1]), q_per_row=True).tolist() == [2, 3]
