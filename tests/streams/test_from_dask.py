"""Summaries of Dask arrays keep the bound that summaries of streams have."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys import datasets
from shadersort.streams import QuantileSummary, TailSummary
from tests.streams.exact import assert_ranks_within

arrays: Any = import_module("dask.array")

EPSILON = 0.02


@pytest.mark.parametrize("chunk", [1, 7, 3000, 50_000])
@pytest.mark.parametrize("name", ["normal", "discrete", "sorted"])
def test_ranks_are_within_the_bound(name: str, chunk: int) -> None:
    n = 20_000 if chunk > 7 else 40 * chunk
    values = datasets.make(name, n)
    summary = QuantileSummary.from_dask(arrays.from_array(values, chunks=chunk), EPSILON)
    assert summary.n == n
    ordered = np.sort(values)
    for q in np.linspace(0, 1, 21):
        found = summary.quantile(q)
        low, high = (np.searchsorted(ordered, found, side) for side in ("left", "right"))
        assert low - EPSILON * n <= q * (n - 1) <= high + EPSILON * n


def test_chunks_of_any_shape_and_none() -> None:
    values = np.random.default_rng(1).normal(size=(50, 40))
    values[3, 4] = np.nan
    x = arrays.from_array(values, chunks=((20, 0, 30), (15, 25)))
    summary = QuantileSummary.from_dask(x, 0.1)
    assert (summary.n, summary.nans) == (1999, 1)
    assert summary.dtype == np.float64
    some = x[x > 0]
    assert QuantileSummary.from_dask(some, 0.1).n == np.count_nonzero(values > 0)
    assert QuantileSummary.from_dask(x[:0], 0.1).n == 0


def test_columns_of_data_frames() -> None:
    frames: Any = import_module("dask.dataframe")
    pandas: Any = import_module("pandas")
    values = np.random.default_rng(2).integers(0, 900, 5_000)
    frame = pandas.DataFrame({"price": values, "old": values * 1.0})
    frame["whole"] = frame["price"].astype("Int64")
    frame.loc[7, ["old", "whole"]] = None
    split = frames.from_pandas(frame, npartitions=7)
    for name, missing in (("price", 0), ("old", 1), ("whole", 1)):
        for kind in (QuantileSummary, TailSummary):
            found = kind.from_dask(split[name], EPSILON)
            known = np.delete(values, 7) if missing else values
            assert (found.n, found.nans) == (known.size, missing)
            assert_ranks_within(found, known, EPSILON * known.size)
    some = split[split["price"] > 800]["price"]
    assert QuantileSummary.from_dask(some, 0.1).n == np.count_nonzero(values > 800)
    assert QuantileSummary.from_dask(split.index, 0.1).n == values.size
    with pytest.raises(errors.UnsupportedKeys, match="a column of a Dask data frame"):
        QuantileSummary.from_dask(split, 0.1)


def test_a_summary_merges_with_others() -> None:
    x = arrays.arange(1000, chunks=300)
    one = QuantileSummary.from_dask(x, 0.1, expected=5000)
    other = QuantileSummary(0.1, 5000).update(np.arange(1000))
    assert (one + other).n == 2000


def test_what_is_refused() -> None:
    x = arrays.arange(10, chunks=3)
    with pytest.raises(
        errors.UnsupportedKeys,
        match="a column of a Dask data frame is wanted, not ndarray",
    ):
        QuantileSummary.from_dask(np.arange(3), 0.1)
    with pytest.raises(errors.BadEpsilon):
        QuantileSummary.from_dask(x, 2)
    with pytest.raises(errors.UnsupportedKeys):
        QuantileSummary.from_dask(x.astype(object), 0.1)
    with pytest.raises(errors.NaNRefused):
        QuantileSummary.from_dask(arrays.full(5, np.nan, chunks=2), 0.1, nan="raise")
