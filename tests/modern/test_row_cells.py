"""Every function of rows with every option that it takes: keepdims, out and segments."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import modern
from modern.rows import segments as rows_of_segments
from shadersort import errors
from shadersort.keys.types import Keys
from tests.modern.row_cells import (
    CELLS,
    Cell,
    each_cell,
    expected_rows,
    holed,
    keys_of,
    with_policy,
)
from tests.modern.test_axes import agree
from tests.modern.test_segments import random_segments


@each_cell
def test_keepdims(name: str) -> None:
    cell, x = CELLS[name], np.random.default_rng(8).random((4, 6))
    if cell.kind != "reduced":  # a row's axis stays anyway
        with pytest.raises(TypeError, match="keepdims"):
            cell(x, keepdims=True)
        assert keys_of(cell(x, axis=0)).ndim == 2
        return
    for axis in (0, 1, None):
        found = cell(x, axis=axis, keepdims=True)
        rows = (1, 1) if axis is None else tuple(1 if axis == at else x.shape[at] for at in (0, 1))
        assert found.shape[cell.front :] == rows
        agree(found.reshape(-1), np.ravel(cell(x, axis=axis)))


@each_cell
@pytest.mark.parametrize("options", [{"axis": 0}, {"axis": 1}, {"segments": [1, 4, 9]}], ids=str)
def test_out(name: str, options: dict[str, Any]) -> None:
    cell, x = CELLS[name], np.random.default_rng(9).random((4, 6))
    x = x.ravel() if "segments" in options else x
    expected = cell(x, **options)
    if name == "argtopk":
        with pytest.raises(errors.BadOption, match="pair"):
            cell(x, out=np.empty(expected.shape, np.int64), **options)
        return
    if name == "topk":
        out: Any = tuple(np.empty_like(each) for each in expected)
        assert cell(x, out=out, **options).values is out[0]
        agree(out[1], expected.indices)
    else:
        out = (np.empty_like(expected),)
        assert cell(x, out=out[0], **options) is out[0]
    agree(out[0], keys_of(expected))
    for wrong in (np.empty(99), np.empty(out[0].shape, "f2"), [0]):
        with pytest.raises(errors.BadOption, match="out"):
            cell(x, out=wrong if name != "topk" else (wrong, out[1]), **options)
    if cell.kind == "kept":
        assert cell(x, out=x, **options) is x
        agree(x, expected)


def expected_segments(cell: Cell, x: Keys, offsets: Any, policy: str | None) -> Any:
    """The answers of segments, one after the other; places are those in the flat array."""
    if cell.kind == "kept":
        whole = x.astype(x.dtype.newbyteorder("="))
        for start, end in pairwise(offsets):
            whole[start:end] = cell.of_row(whole[start:end], policy)
        return whole
    native: Any = x.astype(x.dtype.newbyteorder("="))
    found = expected_rows(cell, [native[start:end] for start, end in pairwise(offsets)], policy)
    if cell.call.__name__.startswith("arg"):
        found = found + np.reshape(offsets[:-1], (-1, *(1,) * (found.ndim - 1)))
    return np.moveaxis(found, 0, -1) if cell.kind == "reduced" else found


@each_cell
def test_random_segments(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cell, rng = CELLS[name], np.random.default_rng(10)
    for most in np.repeat([1, 20, 1 << 20], 6):
        monkeypatch.setattr(rows_of_segments, "MOST", int(most))
        x, offsets = random_segments(rng, 2)
        for policy in cell.policies:
            found = keys_of(cell(x, segments=offsets, **with_policy(cell, policy)))
            expected = expected_segments(cell, x, offsets, policy)
            agree(found, np.asarray(expected).astype(np.asarray(found).dtype))


def test_options_of_top_keys_and_places_in_segments() -> None:
    rng = np.random.default_rng(11)
    for _ in range(10):
        x, offsets = random_segments(rng, 2)
        rows = [(start, x[start:end]) for start, end in pairwise(offsets)]
        for ties in ("lowest", "highest"):
            found = modern.argselect(x, 1, segments=offsets, ties=ties)
            native = [(start, row.astype(row.dtype.newbyteorder("="))) for start, row in rows]
            places = [start + modern.argselect(row, 1, ties=ties) for start, row in native]
            agree(found, np.array(places))
            for largest in (True, False):
                options: Any = {"largest": largest, "ties": ties}
                top = modern.topk(x, 2, segments=offsets, **options)
                each = [(start, modern.topk(row, 2, **options)) for start, row in rows]
                agree(top.values, np.stack([one.values for _, one in each]))
                agree(top.indices, np.stack([start + one.indices for start, one in each]))
                agree(x.astype(top.values.dtype)[top.indices], top.values)
                some = modern.argtopk(x, 2, segments=offsets, sorted=False, **options)
                agree(np.sort(some), np.sort(top.indices))
        if x.dtype.kind != "b":
            soft = modern.threshold(x, 2, kind="soft", segments=offsets)
            for start, row in rows:
                agree(soft[start : start + row.size], modern.threshold(row, 2, kind="soft"))


def test_segments_of_stand_ins() -> None:
    offsets, flags = [0, 2, 2, 5], np.array([True, False, True, False, True])
    agree(modern.sort(flags, segments=offsets), np.array([False, True, False, True, True]))
    times = np.array([3, 1, "NaT", 2, 0], "M8[s]")
    agree(modern.sort(times, segments=offsets), np.array([1, 3, 0, 2, "NaT"], "M8[s]"))
    found = modern.topk(times, 1, segments=[0, 2, 5], nan_policy="omit")
    agree(found.values, np.array([[3], [2]], "M8[s]"))
    agree(found.indices, np.array([[0], [3]]))
    agree(times, np.array([3, 1, "NaT", 2, 0], "M8[s]"))


def test_segments_without_keys_and_no_segments() -> None:
    x = np.array([3.0, 1.0, 2.0])
    agree(modern.sort(x, segments=[0, 0, 2, 2]), np.array([1.0, 3.0, 2.0]))
    agree(modern.topk(x, 0, segments=[0, 0, 3]).values, np.empty((2, 0)))
    agree(modern.topk(x, 2, segments=[1]).indices, np.empty((0, 2), np.int64))
    agree(modern.threshold(x, 0, segments=[1, 1, 2]), np.array([3.0, 0.0, 2.0]))
    agree(modern.argselect(x, 0, segments=[2]), np.empty(0, np.int64))
    for call in (modern.argmedian, partial(modern.argselect, k=0)):
        with pytest.raises(errors.EmptyInput, match="segment 1 has no keys"):
            call(x, segments=[0, 2, 2])


X, ENDS = np.arange(6.0), [0, 4, 6]
BAD: list[tuple[Callable[..., Any], dict[str, Any], type[Exception], str]] = [
    (partial(modern.topk, k=3), {}, errors.BadCount, "segment 1: of 2 keys 0 to 2 can be taken"),
    (partial(modern.threshold, k=3), {}, errors.BadCount, "segment 1: of 2 keys"),
    (partial(modern.topk, k=1.5), {}, errors.BadRank, "the number of keys"),
    (partial(modern.topk, k=1), {"segments": [0, 7]}, errors.BadSegments, "there are 6 keys"),
    (modern.sort, {"segments": [3, 2]}, errors.BadSegments, "ascend"),
    (modern.sort, {"axis": 0}, errors.BadOption, "no axis and no keepdims"),
    (partial(modern.topk, k=1), {"axis": None}, errors.BadOption, "no axis and no keepdims"),
    (partial(modern.threshold, k=1), {"axis": 0}, errors.BadOption, "no axis and no keepdims"),
    (modern.argmedian, {"keepdims": True}, errors.BadOption, "no axis and no keepdims"),
    (partial(modern.argselect, k=2), {}, errors.RankOutOfRange, "segment 1: rank 2 of 2 keys"),
    (modern.sort, {"nan_policy": "omit"}, errors.BadOption, "sort takes nan_policy='raise'"),
    (partial(modern.threshold, k=1), {"nan_policy": "omit"}, errors.BadOption, "not 'omit'"),
    (partial(modern.topk, k=1), {"nan_policy": "propagate"}, errors.BadOption, "'omit' or 'raise'"),
    (partial(modern.select, k=0), {"nan_policy": "skip"}, errors.BadOption, "not 'skip'"),
    (modern.argmedian, {"nan_policy": "skip"}, errors.BadOption, "not 'skip'"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad[3])
def test_bad_input(bad: Any) -> None:
    call, options, error, words = bad
    with pytest.raises(error, match=words):
        call(X, **{"segments": ENDS, **options})


@pytest.mark.parametrize("call", [modern.sort, modern.argmedian, partial(modern.topk, k=1)])
def test_segments_need_flat_keys(call: Any) -> None:
    with pytest.raises(errors.KeysNotFlat, match="1 dimension, not 2"):
        call(X[None], segments=[0, 1])


def test_labels_of_segments() -> None:
    pandas = pytest.importorskip("pandas")
    x = pandas.Series([3.0, 1.0, 2.0, 5.0], list("abcd"))
    top = modern.topk(x, 1, segments=[0, 2, 4])
    agree(top.values.to_numpy(), np.array([[3.0], [5.0]]))
    agree(modern.argmedian(x, segments=[0, 2, 4]).to_numpy(), np.array([1, 2]))
    kept = modern.threshold(x, 1, segments=[0, 2, 4])
    assert kept.to_dict() == {"a": 3.0, "b": 0.0, "c": 0.0, "d": 5.0}
    agree(modern.sort(x, segments=[0, 2, 4]).to_numpy(), np.array([1.0, 3.0, 2.0, 5.0]))


@pytest.mark.gpu
@each_cell
def test_cells_on_a_gpu(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import cupy

    cell, rng = CELLS[name], np.random.default_rng(12)
    for most in (1, 20, 1 << 20):
        monkeypatch.setattr(rows_of_segments, "MOST", most)
        x, offsets = random_segments(rng, 2)
        x = x.astype(x.dtype.newbyteorder("="))
        rows = holed(rng, (9, 40), "float32")
        for policy in cell.policies:
            for keys, more in (
                *((x, {"segments": offsets}), (rows, {"axis": 0}), (rows, {"axis": 1})),
                *((rows[1], {}), (rows[1:2], {"axis": 1})),
            ):
                options = with_policy(cell, policy) | more
                found = keys_of(cell(cupy.asarray(keys), **options))
                agree(found.get(), np.asarray(keys_of(cell(keys, **options))))
