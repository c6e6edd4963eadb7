"""Answers of arrays of other libraries: tensors for tensors, arrays of NumPy for all others."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import modern
import shadersort as ss
from shadersort import errors
from shadersort.neighbors import KNeighborsRegressor
from tests.helpers import bits
from tests.modern.pretended_torch import TORCH, Tensor
from tests.modern.test_axes_on_gpu import ALONG, MIXED, RANKED


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that stands for PyTorch."""
    monkeypatch.setitem(sys.modules, "torch", TORCH)
    return TORCH


CALLS = RANKED | MIXED | ALONG
CALLS |= {"by a method": lambda x, axis: modern.select(x, k=-1, method="radix", axis=axis)}


def assert_tensor(answer: Any, expected: Any) -> None:
    """Assert that an answer is a tensor with the bits and the shape of NumPy's."""
    assert isinstance(answer, Tensor)
    found, expected = answer.array, np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(bits(found), bits(expected).reshape(found.shape))


@pytest.mark.parametrize("name", CALLS)
def test_answers_about_tensors_are_tensors(torch: Any, name: str) -> None:
    call, telling = CALLS[name], np.array([3.0, -0.0, np.inf, 5e-324, -np.inf, 1.0, 1.0])
    rows = np.random.default_rng(5).normal(size=(4, 3)).astype(np.float32)
    for keys in (telling, np.full(2, 2, np.float32), np.arange(9)):
        assert_tensor(call(Tensor(keys), -1), call(keys, -1))
    for axis in (0, -1) if name != "by a method" else ():
        assert_tensor(call(Tensor(rows), axis), call(rows, axis))


def test_arguments_and_traces(torch: Any) -> None:
    keys: Any = Tensor(np.arange(9.0))
    q: Any = Tensor(np.array([0.25, 0.5]))
    ranks: Any = Tensor(np.array([[0], [-1]]))
    assert_tensor(modern.quantile(keys, q), [2.0, 4])
    assert_tensor(modern.multiselect(keys, ranks), [[0.0], [8]])
    answer, trace = modern.select(keys, 4, return_trace=True)
    assert_tensor(answer, np.float64(4))
    assert trace.n == 9
    with pytest.raises(errors.RankOutOfRange):
        modern.select(keys, 9)


def test_out_is_a_tensor(torch: Any) -> None:
    keys, out = Tensor(np.array([[3.0, 1, 2]])), Tensor(np.zeros(1))
    assert modern.median(keys, axis=1, out=out) is out
    assert_tensor(out, [2.0])
    pair = Tensor(np.zeros((1, 2))), Tensor(np.zeros((1, 2), np.int64))
    top = modern.topk(keys, 2, out=pair)
    assert top.values is pair[0]
    assert top.indices is pair[1]
    assert_tensor(pair[1], [[0, 2]])
    with pytest.raises(errors.BadOption, match="shape"):
        modern.median(keys, axis=0, out=out)
    with pytest.raises(errors.BadOption, match="out is"):
        modern.sort(keys, out=np.zeros((1, 3)))


def test_tensors_are_neither_copied_nor_changed(torch: Any) -> None:
    keys = np.array([3.0, -5, 1])
    tensor = Tensor(keys)
    assert modern.threshold(tensor, 1, out=tensor) is tensor  # in place, in the same memory
    np.testing.assert_array_equal(keys, [0, -5, 0])
    modern.sort(tensor)
    np.testing.assert_array_equal(keys, [0, -5, 0])


def test_tensors_without_keys_are_refused(torch: Any) -> None:
    refused = {"is_nested": "nested", "is_meta": "meta device", "is_wrapped": r"torch\.vmap"}
    keys: Any = Tensor(np.ones(3))
    for kind, words in refused.items():
        tensor = Tensor(np.arange(3.0))
        setattr(tensor, kind, True)
        for ask in (
            *(modern.median, lambda x: modern.topk(x, 1), lambda x: modern.quantile(keys, x)),
            lambda x: KNeighborsRegressor().fit(x, np.ones(3)),
        ):
            with pytest.raises(errors.UnsupportedKeys, match=words):
                ask(tensor)


class DLPackOnly:
    """An array on the host that has no protocol but DLPack."""

    def __init__(self, keys: Any) -> None:
        self._keys = keys

    def __dlpack__(self, **options: Any) -> Any:
        return self._keys.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._keys.__dlpack_device__()


TABLES: dict[str, Callable[[Any], Any]] = {
    **{"list": list, "DLPack": DLPackOnly, "memory": memoryview},
    **{"pandas": pd.Series, "index": pd.Index, "Polars": pl.Series, "Arrow": pa.array},
}


@pytest.mark.parametrize("name", TABLES)
def test_arrays_of_other_libraries_get_arrays_of_numpy(name: str) -> None:
    keys = np.array([3.0, 9, 1, 7])
    x = TABLES[name](keys)
    assert type(modern.median(x)) is np.float64
    assert modern.median(x) == 5
    assert modern.select(x=x, k=0) == 1
    for found in (modern.sort(x), modern.topk(x, 4).values[::-1]):
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, [1, 3, 7, 9])


def test_tables_have_the_axes_of_numpy() -> None:
    frame = pd.DataFrame({"a": [1, 2, 9], "b": [4.0, 7, 5]})
    np.testing.assert_array_equal(modern.median(frame, axis=0), [2, 5])
    np.testing.assert_array_equal(frame.apply(modern.median), [2, 5])
    assert frame.apply(modern.median).index.tolist() == ["a", "b"]
    assert modern.median(frame) == 4.5
    days = pd.Series(pd.date_range("2020-01-01", periods=3))
    assert modern.select(days, 1) == np.datetime64("2020-01-02")


LARGE = [2**53, 2**53 + 1, None]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(LARGE, dtype="Int64"),
        pd.DataFrame({"a": pd.array(LARGE, "UInt64")}),
        pl.Series(LARGE),
        pl.DataFrame({"a": LARGE, "b": [1.0, 2.0, 3.0]}),
        pa.array(LARGE),
        pa.chunked_array([LARGE, [1]]),
        pa.table({"a": LARGE}),
    ],
    ids=lambda column: f"{type(column).__module__}.{type(column).__name__}",
)
def test_integers_with_gaps_are_refused(column: Any) -> None:
    """NumPy makes floats of them, which cannot tell the first two keys apart."""
    for name in ("select", "median", "argmedian", "sort"):
        with pytest.raises(errors.UnsupportedKeys, match="some of these integers are missing"):
            CALLS[name](column, -1)
    with pytest.raises(errors.UnsupportedKeys):
        ss.sort(column)


def test_gaps_of_floats_are_nan() -> None:
    for column in (pd.Series([1, None], dtype="Float64"), pl.Series([1.0, None])):
        assert np.isnan(modern.median(column))
        assert modern.nanmedian(column) == 1
    for column in (pd.Series(LARGE[:2], dtype="Int64"), pl.Series(LARGE[:2]), pa.array(LARGE[:2])):
        assert modern.argtopk(column, 1) == 1
