"""Thresholding of several arrays together is that of the joined array."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ml_dtypes import bfloat16

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.selection.thresholds import KINDS, Kind
from shadersort.sparse import level, parts, threshold
from tests.helpers import bits, random_bits, telling_floats
from tests.modern.references import thresholded

TYPES = ["float16", "float32", "float64", "int8", "int32", "uint16", "int64", "uint64"]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces and samples so small that tests of few keys have many of them."""
    monkeypatch.setattr(parts, "CACHED", 16)
    monkeypatch.setattr(level, "SAMPLE", 32)


def split(keys: Keys, seed: int = 0) -> list[Keys]:
    """Cut keys into arrays of several shapes: some empty, one of no dimension, one of three."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(rng.integers(0, keys.size + 1, 5))
    found = [each.copy() for each in np.split(keys, cuts)]
    return [each.reshape(shape_of(each.size)) for each in found]


def shape_of(size: int) -> tuple[int, ...]:
    if size == 1:
        return ()
    return (size,) if size % 2 else (2, size // 2, 1)


def joined(arrays: list[Keys]) -> Keys:
    return np.concatenate([each.ravel() for each in arrays])


def keys_of(kind: str, n: int, dtype: str, seed: int = 0) -> Keys:
    rng = np.random.default_rng(seed)
    if kind == "bits":
        return random_bits(seed, n, dtype)
    if kind == "few values":
        return rng.integers(0, 4, n).astype(dtype)
    if kind == "telling" and np.dtype(dtype).kind == "f":
        return rng.choice(telling_floats(dtype), n)
    if kind == "equal":
        return np.full(n, 3, dtype)
    return np.sort((100 * rng.standard_normal(n)).astype(np.int8).astype(dtype))


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
@given(
    n=st.sampled_from([0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 300]),
    data=st.sampled_from(["bits", "few values", "telling", "equal", "sorted"]),
    part=st.floats(0, 1),
    seed=st.integers(0, 2**32),
)
def test_several_arrays(dtype: str, kind: Kind, n: int, data: str, part: float, seed: int) -> None:
    keys = keys_of(data, n, dtype, seed)
    k = round(part * n)
    arrays = split(keys, seed)
    expected = thresholded(keys, k, kind)
    found = threshold(arrays, k, kind=kind)
    assert [each.shape for each in found] == [each.shape for each in arrays]
    assert joined(found).dtype == keys.dtype
    np.testing.assert_array_equal(joined(found), expected)
    if kind == "hard":
        kept = bits(joined(found)) != 0
        np.testing.assert_array_equal(bits(joined(found))[kept], bits(keys)[kept])
    np.testing.assert_array_equal(joined(arrays), keys)  # as they were
    assert threshold(arrays, k, kind=kind, out=arrays) is arrays
    np.testing.assert_array_equal(joined(arrays), expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_as_modern_does(dtype: str, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of larger arrays, where a sample tells the bracket."""
    monkeypatch.undo()
    keys = random_bits(5, 300_000, dtype)
    for k in (0, 1, 3000, 150_000, 299_999, 300_000):
        found = threshold([keys[:100_000].reshape(100, -1), keys[100_000:]], k, kind=kind)
        np.testing.assert_array_equal(joined(found), modern.threshold(keys, k, kind=kind))
        np.testing.assert_array_equal(threshold(keys, k, kind=kind), joined(found))


def test_a_sample_saves_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """One read finds the level, and collects few keys."""
    reads: list[int] = []
    keep = level.counted

    def counted(*given: Any) -> Any:
        found = keep(*given)
        reads.append(found.inside.size)
        return found

    monkeypatch.undo()
    monkeypatch.setattr(level, "counted", counted)
    keys = np.random.default_rng(1).standard_normal(1_000_000)
    for k in (10, 10_000, 500_000, 999_990):
        reads.clear()
        threshold([keys[:10], keys[10:]], k)
        assert len(reads) == 1
        assert reads[0] < 40_000


@pytest.mark.parametrize("data", ["normal", "few values"])
def test_arrays_are_not_copied(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place, a call needs a small part of the memory of the keys; even if many are equal."""
    monkeypatch.undo()
    rng = np.random.default_rng(2)
    keys = rng.standard_normal(3_000_000, np.float32)
    keys = np.round(keys) if data == "few values" else keys
    arrays = [keys[:1_000_000].reshape(1000, -1).T, keys[1_000_000:]]
    tracemalloc.start()
    try:
        threshold(arrays, 1_000_000, out=arrays)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < keys.nbytes / 2
    assert np.count_nonzero(keys) == 1_000_000


@pytest.mark.parametrize("first", [0.0, 1000.0])
def test_a_bracket_that_misses(first: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample sees other magnitudes than nearly all that there are."""
    keys = np.arange(1.0, 1001.0)
    monkeypatch.setattr(
        parts.Parts, "sampled", lambda self, places: self.codes(np.full(32, first + 0.5))
    )
    for k in (1, 500, 999):
        np.testing.assert_array_equal(threshold(keys, k), np.where(keys > 1000 - k, keys, 0))


def views() -> list[Keys]:
    base = np.random.default_rng(3).standard_normal((6, 10, 8))
    return [
        base[:, ::2, 1:7],
        base.transpose(2, 0, 1),
        base[::-1, :, ::-1],
        np.asfortranarray(base),
        np.broadcast_to(base[0, 0], (5, 8)),
        base.astype(">f8"),
        base[:0],
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", range(7))
def test_views(number: int, kind: Kind) -> None:
    x = views()[number]
    k = x.size // 3
    expected = modern.threshold(x.ravel(), k, kind=kind).reshape(x.shape)
    np.testing.assert_array_equal(threshold(x, k, kind=kind), expected)
    if x.flags.writeable:
        assert threshold(x, k, kind=kind, out=x) is x
        np.testing.assert_array_equal(x, expected)


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
    expected = thresholded(wide, 70, kind)
    found = threshold(arrays, 70, kind=kind)
    for place, each in enumerate(found):
        assert each.dtype == arrays[place].dtype
        part = expected[50 * place : 50 * place + 50].astype(each.dtype)
        np.testing.assert_array_equal(each.astype(float), part.astype(float))


def test_booleans() -> None:
    x = np.array([True, False, True, True])
    for k in range(5):
        np.testing.assert_array_equal(threshold(x, k), modern.threshold(x, k))


def test_out_is_written() -> None:
    x, out = np.array([3.0, -5.0, 1.0]), np.full(3, 9.0)
    assert threshold(x, 1, out=out) is out
    np.testing.assert_array_equal(out, [0, -5, 0])
    np.testing.assert_array_equal(x, [3, -5, 1])
    both = np.arange(8.0).reshape(4, 2)
    columns = [both[:, 0], both[:, 1]]  # interleaved, but apart
    threshold(columns, 2, out=columns)
    np.testing.assert_array_equal(both, [[0, 0], [0, 0], [0, 0], [6, 7]])


X = np.arange(3.0)
READ_ONLY = X.copy()
READ_ONLY.flags.writeable = False
BAD: list[tuple[Any, Any, Any, type[Exception], str]] = [
    (X, 4, {}, errors.BadCount, "of 3 keys"),
    ([X, X.copy()], 7, {}, errors.BadCount, "of 6 keys"),
    (X, 1.5, {}, errors.BadRank, "integer"),
    (X, 1, {"kind": "firm"}, errors.BadOption, "'hard' or 'soft'"),
    ([X, X], 1, {"out": [X, X]}, errors.BadOption, "array 0 of out shares memory with array 1"),
    (X, 1, {"out": X[::-1]}, errors.BadOption, "shares memory"),
    ([X, X], 1, {"out": [READ_ONLY + 1] * 2}, errors.BadOption, "with array 1 of out"),
    (X, 1, {"out": X[:2].copy()}, errors.BadOption, r"shape \(2,\)"),
    (X, 1, {"out": np.zeros(3, "f4")}, errors.BadOption, "float32"),
    (X, 1, {"out": [0.0, 0.0, 0.0]}, errors.BadOption, "cannot be written"),
    (X, 1, {"out": READ_ONLY}, errors.BadOption, "read-only"),
    ([X], 1, {"out": X}, errors.BadOption, "no collection"),
    ({"a": X}, 1, {"out": {"b": X.copy()}}, errors.BadOption, "'b'"),
    ([X, np.arange(3)], 1, {}, errors.UnsupportedKeys, "float64, int64"),
    (X + 1j, 1, {}, errors.UnsupportedKeys, "complex128"),
    (np.array(["a"]), 1, {}, errors.UnsupportedKeys, "cannot be thresholded"),
    (np.array([1], "m8[s]"), 1, {}, errors.UnsupportedKeys, "no magnitude"),
]


@pytest.mark.parametrize(("x", "k", "options", "error", "words"), BAD)
def test_bad_input(x: Any, k: Any, options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        threshold(x, k, **options)
