"""Answers of pandas and xarray have the labels that the libraries' own answers have."""

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest

import modern
from shadersort import errors

xarray: Any = import_module("xarray")

FRAME = pd.DataFrame({"a": [1.0, 5, 3], "b": [6.0, np.nan, 4]}, index=list("xyz"))
SERIES = FRAME["a"]
CUBE = xarray.DataArray(
    np.random.default_rng(1).random((2, 3, 4)),
    dims=("time", "y", "x"),
    coords={
        "time": [10, 20],
        "x": list("abcd"),
        "height": (("y", "x"), np.ones((3, 4))),
        "run": 5,
    },
    name="rain",
    attrs={"unit": "mm"},
)

FEW = [0.25, 0.5]


def same_series(found: Any, expected: Any) -> None:
    """Assert that two Series or DataFrames of pandas are equal."""
    assert type(found) is type(expected)
    check = pd.testing.assert_frame_equal if expected.ndim == 2 else pd.testing.assert_series_equal
    check(found, expected)


def test_scalars_of_a_series_are_scalars() -> None:
    for found, expected in (
        (modern.median(SERIES), 3),
        (modern.quantile(SERIES, 0.5), 3),
        (modern.select(SERIES, -1), 5),
        (modern.nanmedian(FRAME["b"]), 5),
        (modern.select(SERIES, 0, return_trace=True)[0], 1),
    ):
        assert type(found) is np.float64
        assert found == expected
    assert modern.argmedian(SERIES) == 2
    assert np.isnan(modern.median(FRAME))


def test_results_of_a_series_are_labelled() -> None:
    same_series(modern.quantile(SERIES, FEW), SERIES.quantile(FEW))
    same_series(modern.multiselect(SERIES, [2, 0]), pd.Series([5.0, 1], [2, 0], name="a"))
    same_series(modern.sort(SERIES), SERIES.sort_values(ignore_index=True))
    same_series(modern.threshold(SERIES, 1), SERIES.where(SERIES == 5, 0.0))
    same_series(modern.topk(SERIES, 2).values, SERIES.nlargest(2))
    same_series(modern.argtopk(SERIES, 2), pd.Series([1, 2], list("yz"), name="a"))
    kept = modern.median(SERIES, keepdims=True)
    same_series(kept, pd.Series([3.0], name="a"))


def test_results_of_a_frame_are_labelled() -> None:
    frame = FRAME.fillna(9.0)
    same_series(modern.median(frame, axis=0), frame.median())
    same_series(modern.median(frame, axis="columns"), frame.median(axis=1))
    same_series(modern.nanmedian(FRAME, axis="index"), FRAME.median())
    same_series(modern.quantile(frame, FEW, axis=0), frame.quantile(FEW))
    same_series(modern.quantile(frame, FEW, axis=1), frame.quantile(FEW, axis=1))
    same_series(modern.select(frame, 0), frame.min(axis=1))
    largest = frame.eq(frame.max(axis=1), axis=0)
    same_series(modern.threshold(frame, 1), frame.where(largest, 0.0))
    ordered = pd.DataFrame(np.sort(frame, axis=0), columns=list("ab"))
    same_series(modern.sort(frame, axis=0), ordered)
    top = modern.topk(frame, 1)
    same_series(top.values, pd.DataFrame(frame.max(axis=1)))
    same_series(top.indices, pd.DataFrame([1, 1, 1], list("xyz")))


def test_out_and_larger_results_are_arrays() -> None:
    out = np.empty(2)
    assert modern.median(FRAME, axis=0, out=out) is out
    assert type(modern.quantile(FRAME, [FEW], axis=0)) is np.ndarray
    with pytest.raises(errors.BadOption, match="not Series"):
        modern.median(FRAME, axis=0, out=FRAME["a"][:2])
    with pytest.raises(errors.BadAxis, match="use 'index' or 'columns'"):
        modern.median(FRAME, axis="rows")


def test_dimensions_have_names() -> None:
    for axis, names in ((1, "y"), ("x", "x"), (("time", -1), ("time", "x")), (None, None)):
        xarray.testing.assert_identical(modern.median(CUBE, axis=axis), CUBE.median(names))
    with pytest.raises(errors.BadAxis, match="no axis is called 'z'"):
        modern.median(CUBE, axis="z")
    with pytest.raises(errors.BadAxis, match="a number or a name"):
        modern.median(CUBE, axis=[None])


def test_dimensions_by_the_word_of_xarray() -> None:
    for dim in ("y", ["x", "time"], ("y",), ..., None):
        axis = None if dim is ... else dim
        found, expected = modern.median(CUBE, dim=dim), modern.median(CUBE, axis=axis)
        xarray.testing.assert_identical(found, expected)
    with pytest.raises(errors.BadAxis, match="no axis is called 'z': use 'time', 'y' or 'x'"):
        modern.median(CUBE, dim="z")
    with pytest.raises(errors.BadOption, match="axis and dim name the same thing"):
        modern.median(CUBE, dim="y", axis=1)


def test_what_has_no_keys_of_numpy_is_refused_by_name() -> None:
    times = pd.Series(pd.date_range("2005-06-14", periods=3, tz="Europe/Berlin"))
    for zoned in (times, times.to_frame()):
        with pytest.raises(errors.UnsupportedKeys, match=r"Berlin\] have a time zone: .* UTC"):
            modern.median(zoned)
    assert modern.select(times.dt.tz_convert(None), 1) == np.datetime64("2005-06-14T22:00")
    with pytest.raises(errors.UnsupportedKeys, match="a Dataset has several arrays"):
        modern.median(CUBE.to_dataset())
    assert CUBE.to_dataset().map(modern.median)["rain"] == modern.median(CUBE)


def test_coordinates_of_what_is_left() -> None:
    kept = modern.median(CUBE, axis="y", keepdims=True)
    xarray.testing.assert_identical(kept, CUBE.reduce(np.median, dim="y", keepdims=True))
    few = modern.quantile(CUBE, FEW, axis="y")
    xarray.testing.assert_identical(few.drop_vars("run"), CUBE.quantile(FEW, dim="y"))
    assert few.coords["run"] == 5
    assert modern.multiselect(CUBE, [0, 1]).coords["rank"].values.tolist() == [0, 1]
    two = modern.quantile(CUBE, [FEW], axis="x")
    assert two.dims == ("quantile_0", "quantile_1", "time", "y")


def test_keys_in_order_lose_the_labels_of_their_axis() -> None:
    ordered = modern.sort(CUBE, axis="x")
    assert ordered.dims == CUBE.dims
    assert set(ordered.coords) == {"time", "run"}
    np.testing.assert_array_equal(ordered, np.sort(CUBE))
    assert modern.sort(CUBE, axis=None).shape == (24,)
    xarray.testing.assert_identical(modern.threshold(CUBE, 4, axis="x"), CUBE)
    top = modern.topk(CUBE, 2, axis="y")
    assert top.values.shape == top.indices.shape == (2, 2, 4)
    assert set(top.values.coords) == {"time", "x", "run"}


def test_top_keys_of_one_dimension_keep_their_labels() -> None:
    row = CUBE[0, 0]
    top = modern.topk(row, 2)
    xarray.testing.assert_identical(top.values, row.isel(x=top.indices.values))
    assert top.indices.coords["x"].equals(top.values.coords["x"])
