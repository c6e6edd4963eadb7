"""Keys in several arrays: answers are those of one array, on the host and on GPUs."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from tests.expected import expected
from tests.modern.references import assert_as_one_array, put_on_gpu
from tests.selection.inputs import ANY_NUMBERS, same

WEIGHTED: Any = {"weights": np.ones(4), "method": "inverted_cdf"}


def cut(keys: Keys, places: list[int]) -> list[Keys]:
    return np.split(keys, sorted(places))


@given(ANY_NUMBERS, st.data())
def test_any_keys_in_any_arrays(keys: Keys, data: st.DataObject) -> None:
    arrays = cut(keys, data.draw(st.lists(st.integers(0, keys.size), max_size=6)))
    assert_as_one_array(modern.Parts(arrays), keys, data.draw(st.integers(0, keys.size - 1)))


def test_methods_traces_and_kept_axes() -> None:
    parts = modern.Parts([np.arange(50), np.arange(50, 90)])
    answer, trace = modern.select(parts, 60, method="cutting-plane", return_trace=True)
    assert (answer, trace.method) == (60, "cutting-plane")
    assert modern.median(parts, keepdims=True).tolist() == [44.5]


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda x: modern.median(x, axis=1), np.exceptions.AxisError, "axis 1 is out of bounds"),
        (lambda x: modern.median(x, axis=()), errors.BadAxis, "keys in pieces are one row"),
        (lambda x: modern.median(x, out=np.empty(3)), errors.BadOption, "out has"),
        (lambda x: modern.quantile(x, 0.5, **WEIGHTED), errors.MethodUnavailable, "no weights"),
        (lambda x: modern.select(x, 0, method="one-read"), errors.MethodUnavailable, "one_read"),
        (lambda x: modern.sort(x), errors.MethodUnavailable, "sort needs one array"),
        (lambda x: modern.threshold(x, 1), errors.MethodUnavailable, "threshold needs one array"),
        (lambda x: modern.topk(x, 1, ties="highest"), errors.MethodUnavailable, "pass one array"),
        (lambda x: modern.topk(x, 9), errors.BadOption, "of 4 keys 0 to 4"),
        (lambda x: modern.select(x, 4), errors.RankOutOfRange, "rank 4 of 4"),
    ],
)
def test_what_parts_refuse(ask: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask(modern.Parts([np.arange(2), np.arange(2)]))


def test_arrays_that_are_no_parts() -> None:
    with pytest.raises(errors.KeysNotFlat, match="a part has 1 dimension, not 2"):
        modern.Parts([np.zeros((2, 2))])
    with pytest.raises(errors.EmptyInput, match="no parts"):
        modern.median(modern.Parts([]))
    with pytest.raises(errors.UnsupportedKeys, match="of one type"):
        modern.median(modern.Parts([np.zeros(2), np.zeros(2, int)]))


def hostile(n: int) -> dict[str, Keys]:
    """Keys of which a bracket, or a bucket, may hold very many; the last ones have NaNs."""
    rng = np.random.default_rng(1)
    normal = rng.standard_normal(n, dtype=np.float32)
    ties = rng.integers(0, 3, n).astype(np.float32)
    with_nans = np.where(rng.random(n) < 0.3, np.float32(np.nan), normal)
    tiny = np.where(rng.random(n) < 0.5, normal * np.float32(1e-42), normal)
    return {"normal": normal, "sorted": np.sort(normal), "ties": ties, "tiny": tiny} | {
        "one NaN": np.append(normal[1:], np.float32(np.nan)),
        "NaNs": with_nans,
        "only NaNs": np.full(n, np.float32(np.nan)),
    }


@pytest.mark.filterwarnings("ignore:All-NaN", "ignore:all keys")
@pytest.mark.parametrize("name", hostile(2))
def test_many_keys(name: str) -> None:
    """More than come together after a bracket: buckets divide the copy."""
    n, q = 60_001, [0, 0.1, 0.5, 0.99, 1]
    keys = hostile(n)[name]
    parts, ordered = modern.Parts(cut(keys, [1, n // 7, n // 7, n // 2])), np.sort(keys)
    for k in (0, 1, n // 100, n // 2, n - 1):
        assert same(modern.select(parts, k), ordered[k])
    assert same(modern.median(parts), expected(np.median, keys))
    assert same(modern.nanmedian(parts), modern.nanmedian(keys))
    ranks = np.linspace(0, n - 1, 101).astype(int)
    np.testing.assert_array_equal(modern.multiselect(parts, ranks), ordered[ranks])
    for ask in (modern.quantile, modern.nanquantile):
        np.testing.assert_array_equal(ask(parts, q), ask(keys, q))


@pytest.mark.gpu
def test_parts_here_and_there() -> None:
    with pytest.raises(errors.ArraysApart, match="some on a GPU"):
        modern.Parts([put_on_gpu(np.zeros(2)), np.zeros(2)])


def test_a_list_of_arrays_of_several_lengths_is_no_array() -> None:
    some = [np.arange(3.0), np.arange(10.0, 14.0)]
    with pytest.raises(errors.KeysNotFlat, match=r"pass modern\.Parts\(\.\.\.\) if all of them"):
        modern.median(some)
    assert modern.median(modern.Parts(some)) == 10
