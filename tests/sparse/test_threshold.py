"""Thresholding of several arrays together is that of the joined array."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ml_dtypes import bfloat16

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import KINDS, Kind
from shadersort.sparse import threshold
from tests.expected import expected
from tests.helpers import bits, random_bits
from tests.modern.references import thresholded
from tests.selection.inputs import telling

TYPES = ["float16", "float32", "float64", "int8", "int32", "uint16", "int64", "uint64"]


def split(keys: Keys, seed: int = 0) -> list[Keys]:
    """Cut keys into arrays of several shapes: some empty, one of no dimension, one of three."""
    cuts = np.sort(np.random.default_rng(seed).integers(0, keys.size + 1, 5))
    shapes = [() if n == 1 else (n,) if n % 2 else (2, n // 2, 1) for n in np.diff([0, *cuts])]
    shapes.append((keys.size - cuts[-1],))
    parts = zip(np.split(keys, cuts), shapes, strict=True)
    return [each.copy().reshape(shape) for each, shape in parts]


def joined(arrays: list[Keys]) -> Keys:
    return np.concatenate([each.ravel() for each in arrays])


def keys_of(kind: str, n: int, dtype: str, seed: int = 0) -> Keys:
    rng = np.random.default_rng(seed)
    some = {
        "bits": random_bits(seed, n, dtype),
        "few values": rng.integers(0, 4, n),
        "telling": rng.choice(telling(dtype), n),
        "equal": np.full(n, 3),
        "sorted": np.sort((100 * rng.standard_normal(n)).astype(np.int8)),
    }
    return some[kind].astype(dtype)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=30)
@given(
    n=st.sampled_from([0, 1, 2, 3, 16, 65, 300]),
    data=st.sampled_from(["bits", "few values", "telling", "equal", "sorted"]),
    part=st.floats(0, 1),
    seed=st.integers(0, 2**32),
)
def test_several_arrays(dtype: str, kind: Kind, n: int, data: str, part: float, seed: int) -> None:
    keys = keys_of(data, n, dtype, seed)
    k = round(part * n)
    arrays = split(keys, seed)
    kept = expected(thresholded, keys, k, kind)
    found = threshold(arrays, k, kind=kind)
    assert [each.shape for each in found] == [each.shape for each in arrays]
    assert joined(found).dtype == keys.dtype
    np.testing.assert_array_equal(joined(found), kept)
    if kind == "hard":
        same = bits(joined(found)) != 0
        np.testing.assert_array_equal(bits(joined(found))[same], bits(keys)[same])
    np.testing.assert_array_equal(joined(arrays), keys)  # as they were
    assert threshold(arrays, k, kind=kind, out=arrays) is arrays
    np.testing.assert_array_equal(joined(arrays), kept)


def views() -> list[Keys]:
    base = np.random.default_rng(3).standard_normal((6, 10, 8))
    strided = [base[:, ::2, 1:7], base.transpose(2, 0, 1), base[::-1, :, ::-1], base[:0]]
    other = [np.asfortranarray(base), np.broadcast_to(base[0, 0], (5, 8)), base.astype(">f8")]
    return [*strided, *other]


@pytest.mark.parametrize("kind", KINDS)
def test_views(kind: Kind) -> None:
    for number in range(7):
        x = views()[number]
        k = x.size // 3
        kept = modern.threshold(x.ravel(), k, kind=kind).reshape(x.shape)
        np.testing.assert_array_equal(threshold(x, k, kind=kind), kept)
        if x.flags.writeable:
            assert threshold(x, k, kind=kind, out=x) is x
            np.testing.assert_array_equal(x, kept)


def test_collections() -> None:
    weights = {"a": np.array([1.0, -9.0]), "b": np.array([[4], [-5]], "f4")}
    found = threshold(weights, 2)
    assert list(found) == ["a", "b"]
    assert found["b"].dtype == np.float32
    np.testing.assert_array_equal(found["a"], [0, -9])
    np.testing.assert_array_equal(found["b"], [[0], [-5]])
    assert threshold(weights, 2, out=weights) is weights
    np.testing.assert_array_equal(weights["b"], found["b"])
    some = threshold((np.array([1, 2]), np.array([3])), 1)
    assert isinstance(some, tuple)
    np.testing.assert_array_equal(some[1], [3])
    assert threshold([], 0) == []
    rows: Any = [[1, -4], [3, 2]]  # one array
    np.testing.assert_array_equal(threshold(rows, 2), [[0, -4], [3, 0]])
    np.testing.assert_array_equal(threshold(np.array(3.0), 0), 0)


@pytest.mark.parametrize("kind", KINDS)
def test_floats_of_several_types(kind: Kind) -> None:
    rng = np.random.default_rng(4)
    arrays = [rng.standard_normal(50).astype(each) for each in ("f2", "f4", "f8")]
    arrays.append(rng.standard_normal(50).astype(bfloat16))
    wide = np.concatenate([each.astype(float) for each in arrays])
    kept = thresholded(wide, 70, kind)
    found = threshold(arrays, 70, kind=kind)
    for place, each in enumerate(found):
        assert each.dtype == arrays[place].dtype
        part = kept[50 * place : 50 * place + 50].astype(each.dtype)
        np.testing.assert_array_equal(each.astype(float), part.astype(float))


def test_booleans_and_out() -> None:
    flags = np.array([True, False, True, True])
    for k in range(5):
        np.testing.assert_array_equal(threshold(flags, k), modern.threshold(flags, k))
    x, out = np.array([3.0, -5.0, 1.0]), np.full(3, 9.0)
    assert threshold(x, 1, out=out) is out
    np.testing.assert_array_equal(out, [0, -5, 0])
    np.testing.assert_array_equal(x, [3, -5, 1])
    threshold(x, 1, out=x[::-1])  # all keys are read before one is written
    np.testing.assert_array_equal(x, [0, -5, 0])


X = np.arange(3.0)
READ_ONLY = X.copy()
READ_ONLY.flags.writeable = False
BAD: list[tuple[Any, Any, Any, type[Exception]]] = [
    (X, 4, {}, errors.BadOption),
    ([X, X.copy()], 7, {}, errors.BadOption),
    (X, 1.5, {}, errors.BadRank),
    (X, 1, {"kind": "firm"}, errors.BadOption),
    (X, 1, {"out": X[:2].copy()}, errors.BadOption),
    (X, 1, {"out": np.zeros(3, "f4")}, errors.BadOption),
    (X, 1, {"out": [0.0, 0.0, 0.0]}, errors.BadOption),
    (X, 1, {"out": READ_ONLY}, errors.BadOption),
    ([X], 1, {"out": X}, errors.BadOption),
    ({"a": X}, 1, {"out": {"b": X.copy()}}, errors.BadOption),
    ([X, np.arange(3)], 1, {}, errors.UnsupportedKeys),
    (X + 1j, 1, {}, errors.UnsupportedKeys),
    (np.array(["a"]), 1, {}, errors.UnsupportedKeys),
    (np.array([1], "m8[s]"), 1, {}, errors.UnsupportedKeys),
]


@pytest.mark.parametrize(("x", "k", "options", "error"), BAD)
def test_bad_input(x: Any, k: Any, options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        threshold(x, k, **options)
