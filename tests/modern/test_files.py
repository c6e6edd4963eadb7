"""Keys in pieces: paths, mapped arrays, and several arrays, in the functions of `modern`."""

from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import modern
from shadersort import errors
from shadersort.keys.types import Keys
from tests.modern.references import assert_as_one_array, put_on_gpu
from tests.selection.files.stores import as_npy, as_parquet
from tests.selection.inputs import ANY_NUMBERS

KEYS = np.random.default_rng(1).standard_normal(20_001)
WEIGHTED: Any = {"weights": np.ones((2, 3)), "method": "inverted_cdf"}


def test_every_function(tmp_path: Path) -> None:
    path = as_npy(tmp_path, KEYS)
    for x in (
        *(path, str(path), modern.FileKeys(path), np.load(path, mmap_mode="r")),
        modern.FileKeys(as_parquet(tmp_path, KEYS), column="ms"),
        modern.FileKeys(lambda: iter(np.split(KEYS, [5, 9000]))),
    ):
        assert_as_one_array(x, KEYS, 20)


def test_options_of_reading(tmp_path: Path) -> None:
    KEYS.tofile(tmp_path / "keys.bin")
    raw: Any = {"dtype": "float64", "offset": 80, "memory": "64MiB", "progress": False}
    assert modern.median(tmp_path / "keys.bin", **raw) == np.median(KEYS[10:])
    assert modern.median(str(as_parquet(tmp_path, KEYS)), column="ms") == np.median(KEYS)
    mapped = np.load(as_npy(tmp_path, KEYS), mmap_mode="r")
    assert modern.median(mapped, memory="64MiB") == np.median(KEYS)


def test_a_map_is_read_in_rounds_only_if_options_say_so(tmp_path: Path, monkeypatch: Any) -> None:
    asked: list[Any] = []
    ask = modern.FileKeys.ask

    def watched(keys: Any, question: Any) -> Any:
        asked.append(question)
        return ask(keys, question)

    monkeypatch.setattr(modern.FileKeys, "ask", watched)
    rows: Any = np.load(as_npy(tmp_path, KEYS[:20_000].reshape(100, 200)), mmap_mode="r")
    np.testing.assert_array_equal(modern.median(rows, axis=1), np.median(rows, axis=1))
    assert modern.median(rows, keepdims=True).shape == (1, 1)
    assert modern.select(rows, 3, axis=None, return_trace=True)[0] == np.sort(rows, axis=None)[3]
    np.testing.assert_array_equal(modern.sort(rows), np.sort(rows))
    assert asked == []
    for again in (rows, modern.FileKeys(rows)):
        options: dict[str, Any] = {} if again is not rows else {"memory": "64MiB"}
        assert modern.median(again, **options) == np.median(rows)
    assert len(asked) >= 2


@pytest.mark.parametrize("kind", ["npy", "columns first", "field"])
def test_rows_of_a_path_are_those_of_the_array(kind: str, tmp_path: Path) -> None:
    rows: Any = KEYS[:2_000].reshape(10, 20, 10)
    options: dict[str, Any] = {}
    if kind == "field":
        both = np.zeros(rows.shape, [("a", "i4"), ("b", "f8")])
        both["b"], options = rows, {"column": 2}
        path = as_npy(tmp_path, both)
    else:
        path = as_npy(tmp_path, np.asfortranarray(rows) if kind == "columns first" else rows)
    for axis in (0, 1, -1, (0, 2), [2, 1]):
        along = tuple(np.atleast_1d(axis))
        found = modern.median(path, axis=axis, **options)
        np.testing.assert_array_equal(found, np.median(rows, axis=along))
        found = modern.quantile(path, [0.1, 0.5], axis=axis, keepdims=True, **options)
        expected = np.quantile(rows, [0.1, 0.5], axis=along, keepdims=True)
        np.testing.assert_array_equal(found, expected)
    in_order = np.sort(rows)
    np.testing.assert_array_equal(modern.select(path, 3, **options), in_order[..., 3])
    several = modern.multiselect(path, [3, -1], **options)
    np.testing.assert_array_equal(several, np.moveaxis(in_order[..., [3, -1]], -1, 0))
    np.testing.assert_array_equal(modern.topk(path, 2, **options).values, in_order[..., :-3:-1])
    if not options:
        np.testing.assert_array_equal(modern.sort(path), in_order)
    out = (np.empty(2), np.empty(2, np.int64))
    found = modern.topk(path, 2, axis=None, out=out, **options).indices
    assert found.tolist() == np.argsort(-rows, axis=None)[:2].tolist()
    for every in (None, (0, 1, 2), (-1, 0, 1)):
        found = modern.median(path, axis=every, keepdims=True, **options)
        assert found.tolist() == [[[np.median(rows)]]]
        found = modern.multiselect(path, [3], axis=every, memory="64MiB", **options)
        assert found.tolist() == [np.sort(rows, axis=None)[3]]


def test_what_is_refused(tmp_path: Path) -> None:
    for ask, error, words in (
        (lambda x: modern.median(x, axis=2), np.exceptions.AxisError, "axis 2 is out of bounds"),
        (lambda x: modern.median(x, axis=1, memory="1GiB"), errors.BadOption, "keys as one row"),
        (lambda x: modern.quantile(x, 0.5, **WEIGHTED), errors.MethodUnavailable, "no weights"),
        (lambda x: modern.sort(x, axis=None), errors.MethodUnavailable, "sort needs one array"),
        (lambda x: modern.median(x, memory="1MiB"), errors.BadOption, "33,554,432 is the least"),
        (lambda x: modern.median(x, dtype="int8"), errors.UnsupportedKeys, "float64, not of int8"),
        (lambda x: modern.median(x, offset=8), errors.BadOption, "offset= is for raw inputs"),
        (lambda x: modern.median(f"{x}.csv"), FileNotFoundError, "No such file"),
        (lambda x: modern.median(x.parent), errors.ForeignFile, "is no regular file"),
        (lambda x: modern.FileKeys(3), errors.UnsupportedKeys, "pass a path, .* not int"),
        (lambda x: modern.FileKeys([[1], [0.5]]), errors.UnsupportedKeys, "chunk 1 of float64"),
        (lambda x: modern.FileKeys(np.arange(3), column=1), errors.BadOption, "is for files"),
    ):
        with pytest.raises(error, match=words):
            ask(as_npy(tmp_path, np.zeros((2, 3))))


def test_what_makes_chunks() -> None:
    keys = np.random.default_rng(1).random(10_000)

    def made() -> Any:
        return iter(np.array_split(keys, 7))

    for makes in (made, partial(np.array_split, keys, 7)):
        assert modern.median(makes) == np.median(keys)
        assert modern.quantile(makes, 0.3, memory="64MiB") == np.quantile(keys, 0.3)
    once: Any
    read = made()
    for once in (made(), (each for each in [keys]), lambda: read):
        with pytest.raises(errors.NotRereadable, match="can be read only once"):
            modern.median(once)
    with pytest.raises(errors.UnsupportedKeys, match="an iterator of arrays, not ndarray"):
        modern.median(lambda: keys)
    with pytest.raises(errors.MethodUnavailable, match="sort needs one array"):
        cast(Any, modern.sort)(made)
    large: Keys = np.zeros(2_000_000)
    with pytest.raises(errors.BadOption, match="has 16,000,000 bytes, and reading it"):
        modern.FileKeys(lambda: iter([large]), memory="32MiB")


def test_a_file_without_keys_is_like_an_empty_array(tmp_path: Path) -> None:
    np.save(tmp_path / "none.npy", np.empty((0, 2), "f4"))
    sources: list[Any] = [tmp_path / "none.npy", lambda: iter([])]
    calls = (modern.median, ()), (modern.nanmedian, ()), (modern.quantile, ([0.1, 0.5],))
    for source in sources:
        for call, q in (*calls, (modern.nanquantile, ([0.1, 0.5],))):
            with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
                assert np.isnan(call(source, *q, axis=None)).all()
        with pytest.raises(errors.EmptyInput):
            modern.select(source, 0, axis=None)


def test_files_that_hold_something_else(tmp_path: Path) -> None:
    cases: dict[str, tuple[bytes, type[Exception], str]] = {
        "a.csv": (b"1,2\n", errors.ForeignFile, "is csv, which is read only from its beginning"),
        "a.npy": (b"nothing", errors.ForeignFile, "is not a .npy file"),
        "a.bin": (b"\0" * 9, errors.UnsupportedKeys, "pass dtype='float32', say"),
        "a.parquet": (b"PAR1PAR1", errors.ForeignFile, "is damaged"),
    }
    for name, (data, error, words) in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(error, match=words):
            modern.median(tmp_path / name)
    with pytest.raises(errors.TruncatedFile, match="more than a whole number of float32 keys"):
        modern.median(tmp_path / "a.bin", dtype="float32")
    np.save(tmp_path / "o.npy", np.array([1, "a"], object), allow_pickle=True)
    with pytest.raises(errors.UnsupportedKeys, match="holds objects of Python"):
        modern.median(tmp_path / "o.npy")


def test_without_the_packages(tmp_path: Path, monkeypatch: Any) -> None:
    import sys

    path = as_parquet(tmp_path, KEYS)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(errors.MissingPackage, match="need the package pyarrow: pip install"):
        modern.FileKeys(path)


# keys in several arrays: answers are those of one array, on the host and on GPUs


@given(ANY_NUMBERS, st.data())
def test_any_keys_in_any_arrays(keys: Keys, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, keys.size), max_size=6))
    parts = modern.Parts(np.split(keys, sorted(cuts)))
    assert_as_one_array(parts, keys, data.draw(st.integers(0, keys.size - 1)))


def test_methods_traces_and_kept_axes() -> None:
    parts = modern.Parts([np.arange(50), np.arange(50, 90)])
    answer, trace = modern.select(parts, 60, method="cutting-plane", return_trace=True)
    assert (answer, trace.method) == (60, "cutting-plane")
    assert modern.median(parts, keepdims=True).tolist() == [44.5]


def test_what_parts_refuse() -> None:
    for ask, error, words in (
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
    ):
        with pytest.raises(error, match=words):
            ask(modern.Parts([np.arange(2), np.arange(2)]))


def test_arrays_that_are_no_parts() -> None:
    some = [np.arange(3.0), np.arange(10.0, 14.0)]
    with pytest.raises(errors.KeysNotFlat, match=r"pass modern\.Parts\(\.\.\.\) if all of them"):
        modern.median(some)
    assert modern.median(modern.Parts(some)) == 10
    with pytest.raises(errors.KeysNotFlat, match="a part has 1 dimension, not 2"):
        modern.Parts([np.zeros((2, 2))])
    with pytest.raises(errors.EmptyInput, match="no parts"):
        modern.median(modern.Parts([]))
    with pytest.raises(errors.UnsupportedKeys, match="of one type"):
        modern.median(modern.Parts([np.zeros(2), np.zeros(2, int)]))


@pytest.mark.gpu
def test_parts_here_and_there() -> None:
    with pytest.raises(errors.ArraysApart, match="some on a GPU"):
        modern.Parts([put_on_gpu(np.zeros(2)), np.zeros(2)])
