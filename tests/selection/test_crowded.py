"""Rows with many equal keys around a rank: their answers are those of a sort, whatever the rest."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import modern
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows import crowded
from shadersort.selection.rows.crowded import ranked_in_crowd
from shadersort.selection.rows.partitions import ranked_by_partitions

TYPES = ("float32", "float64", "int8", "uint8", "int64", "uint64", "bool")
SIZE = crowded.WORTH


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short rows are worth a look, and few of their keys are a sample."""
    monkeypatch.setattr(crowded, "WORTH", 1)
    monkeypatch.setattr(crowded, "SAMPLE", 32)


def with_crowd(share: float, length: int, dtype: str, crowd: float, seed: int = 0) -> Keys:
    """Rows in which a share of the keys has one value; among the others some are NaN."""
    rng = np.random.default_rng(seed)
    others = rng.integers(-100, 100, (3, length)).astype(float)
    others[rng.random(others.shape) < 0.1] = np.nan
    keys = np.where(rng.random(others.shape) < share, crowd, others)
    if np.dtype(dtype).kind == "f":
        return keys.astype(dtype)
    return np.nan_to_num(keys, nan=7.0).astype(np.int64).astype(dtype)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(
    *(st.floats(0, 1), st.sampled_from([1, 2, 3, 31, 32, 33, 200]), st.sampled_from(TYPES)),
    *(st.sampled_from([-100.0, 0.0, -0.0, 1.0, 100.0]), st.integers(0, 1 << 20)),
    st.lists(st.floats(0, 1), min_size=1, max_size=4),
)
@example(0.5, 200, "float32", -100.0, 0, [0.49, 0.5, 0.51])
@example(0.5, 200, "float32", 100.0, 0, [0.49, 0.5, 0.51, 1.0])
def test_a_crowd_or_none(
    short: None, share: float, length: int, dtype: str, crowd: float, seed: int, q: list[float]
) -> None:
    rows = with_crowd(share, length, dtype, crowd, seed)
    given, ks = rows.copy(), np.unique(np.int64(np.array(q) * (length - 1)))
    found = ranked_in_crowd(rows, ks)
    assert rows.tobytes() == given.tobytes()  # only read
    if found is not None:
        assert found.dtype == rows.dtype
        np.testing.assert_array_equal(found, np.sort(rows, axis=1)[:, ks])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_crowd_is_seen(share: float, dtype: str) -> None:
    rows = with_crowd(share, SIZE, dtype, 0.0)
    inside = np.sort(rows, axis=1) == 0
    ks = np.flatnonzero(inside.all(axis=0))[[0, -1]]
    found = ranked_in_crowd(rows, [int(ks.mean())])
    assert found is not None
    assert not found.any()


def test_others_have_none() -> None:
    keys = np.random.default_rng(0).permutation(SIZE)
    assert ranked_in_crowd(keys[None], [SIZE // 2]) is None
    assert ranked_in_crowd(np.zeros((1, SIZE - 1)), [0]) is None  # a short row


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8", "int64"])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("nan", [False, True])
def test_calls_are_those_of_numpy(share: float, dtype: str, nan: bool) -> None:
    rng = np.random.default_rng(1)
    x: Any = np.where(rng.random((2, SIZE)) < share, 0, rng.integers(0, 200, (2, SIZE)))
    x = x.astype(dtype)
    if nan and x.dtype.kind == "f":
        x[1, ::100] = np.nan
    k = SIZE // 2
    for axis, keys in ((1, x), (0, x[0]), (0, x[1])):
        expected = np.partition(keys, k, axis=axis).take(k, axis)
        np.testing.assert_array_equal(modern.select(keys, k, axis=axis), expected)
        np.testing.assert_array_equal(modern.median(keys, axis=axis), np.median(keys, axis=axis))
        none = np.nanmedian(keys, axis=axis)
        np.testing.assert_array_equal(modern.nanmedian(keys, axis=axis), none)
        for q in (0.3, 0.5, [0.2, 0.8]):
            expected = np.nanquantile(keys, q, axis=axis)
            np.testing.assert_array_equal(modern.nanquantile(keys, q, axis=axis), expected)
            expected = np.quantile(keys, q, axis=axis)
            np.testing.assert_array_equal(modern.quantile(keys, q, axis=axis), expected)


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint64"])
def test_a_crowd_is_never_before_a_rank_that_is_looked_for(
    dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the pivots of a partition leave it behind."""
    parted = []

    def partition(work: Keys, ks: Integers) -> Keys:
        parted.append((work.copy(), ks.tolist()))
        return ranked_by_partitions(work, ks)

    monkeypatch.setattr(crowded, "ranked_by_partitions", partition)
    keys = np.random.default_rng(0).permutation(SIZE).astype(dtype)
    keys[keys < SIZE // 4] = SIZE // 2
    for k in (9, SIZE // 2, SIZE - 9):
        found = ranked_in_crowd(keys[None], [k])
        assert found is not None
        assert found[0, 0] == np.sort(keys)[k]
    below, above = parted  # in the crowd, nothing is divided
    assert below[1] == [9]
    assert above[1] == [8]
    assert above[0].argmax() == keys[None].argmin()


def test_nans_are_behind_all_numbers() -> None:
    keys = np.zeros(SIZE, np.float32)
    keys[::3], keys[1::9] = np.nan, 1 + np.arange(keys[1::9].size)
    ordered, numbers = np.sort(keys), int(np.count_nonzero(keys == keys))
    ks = np.array([0, numbers - 2, numbers - 1, numbers, SIZE - 1])
    np.testing.assert_array_equal(ranked_in_crowd(keys[None], ks), ordered[None, ks])
