"""Short rows by a sorting network over columns: against NumPy's sort, with and without NaN."""

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.selection.rows import chunks, columns
from shadersort.selection.rows.columns import comparators, in_columns, ranked_columns
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.quantiles import quantiles


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few rows are enough, too."""
    monkeypatch.setattr(columns, "MANY", 0)


@pytest.mark.parametrize("length", range(2, columns.SHORT + 1))
def test_every_row_of_zeros_and_ones_is_sorted(length: int) -> None:
    """So is every row of anything else, by the 0-1 principle (Knuth, volume 3, 5.3.4)."""
    rows = (np.arange(1 << length)[:, None] >> np.arange(length) & 1).astype(np.int8)
    expected = np.sort(rows, axis=1).T
    for count in (1, 2, length):
        for ks in combinations(range(length), count):
            found = ranked_columns(rows.T.copy(), np.array(ks))
            np.testing.assert_array_equal(found, expected[list(ks)])


@pytest.mark.parametrize("length", range(2, columns.SHORT + 1))
def test_a_nan_anywhere_reaches_every_rank(length: int) -> None:
    rows = np.tile(np.arange(length, dtype=np.float32), (length, 1))
    np.fill_diagonal(rows, np.nan)
    for k in range(length):
        assert np.isnan(ranked_columns(rows.T.copy(), np.array([k]))).all()


@pytest.mark.parametrize("least", [-np.inf, -0.0, np.inf])
def test_every_row_of_numbers_and_nans_is_sorted(least: float) -> None:
    """With NaNs last, which is an order as any other, so the 0-1 principle holds for it."""
    for length in range(2, columns.SHORT + 1):
        ones = (np.arange(1 << length)[:, None] >> np.arange(length) & 1).astype(bool)
        rows = np.where(ones, np.float32(np.nan), np.float32(least))
        for k in range(length):
            found = ranked_columns(rows.T.copy(), np.array([k]), nan_last=True)
            np.testing.assert_array_equal(found[0], np.sort(rows, axis=1)[:, k])


def test_fewer_ranks_need_fewer_comparators() -> None:
    assert len(comparators(10, tuple(range(10)))) == 32
    assert len(comparators(10, (0,))) == 9
    assert len(comparators(10, (4, 5))) < 32


def test_which_rows_are_compared_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    middle = np.array([4, 5])
    assert in_columns((1, 10, 10_000), np.dtype("f4"), middle)
    assert in_columns((10_000, 10, 1), np.dtype("u1"), middle)
    assert not in_columns((1, 10, 100), np.dtype("f4"), middle)  # few rows
    assert not in_columns((1, 13, 10_000), np.dtype("f4"), middle)  # long rows
    assert not in_columns((1, 1, 10_000), np.dtype("f4"), middle[:0])
    assert not in_columns((1, 10, 10_000), np.dtype("f2"), middle)  # slow comparisons


def keys_of(seed: int, shape: tuple[int, int, int], dtype: str) -> Keys:
    rng = np.random.default_rng(seed)
    some = rng.integers(0, 9, shape).astype(dtype)
    if some.dtype.kind == "f":
        special = [np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(dtype).smallest_subnormal]
        places = rng.random(shape) < rng.choice([0, 0.05, 0.8])
        some[places] = rng.choice(np.array(special, dtype), int(places.sum()))
    return some


def at_once(call: Any, *given: Any, **options: Any) -> Any:
    """An answer without warnings of rows of NaN only, and of inf − inf."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*given, **options)


@example(99_999, 2, 5, 1, "f4", [0.2, 0.9, 0.4])
@given(
    *(st.integers(0, 1 << 20), st.integers(2, columns.SHORT)),
    *(st.integers(1, 5), st.integers(1, 5)),
    st.sampled_from(["f4", "f8", "i1", "u2", "i4", "u8"]),
    st.sampled_from([0.5, 0.3, [0.0, 1.0], [0.2, 0.9, 0.4]]),
)
def test_ranks_and_quantiles_are_those_of_numpy(
    seed: int, length: int, outer: int, inner: int, dtype: str, q: Any
) -> None:
    """Of rows without their NaNs NumPy is asked one by one.

    Of several rows its answers are float32 if the first row has NaNs only.
    """
    keys = keys_of(seed, (outer, length, inner), dtype)
    before, rows = keys.copy(), NumPyRows(keys)
    ks = np.unique(np.random.default_rng(seed).integers(0, length, 3))
    np.testing.assert_array_equal(rows.ranks(ks), np.sort(keys, axis=1)[:, ks])
    expected = at_once(np.quantile, keys, q, axis=1)
    np.testing.assert_array_equal(at_once(quantiles, rows, q, "linear", nan=False), expected)
    alone = keys.transpose(0, 2, 1).reshape(-1, length)
    one_by_one = np.stack([at_once(np.nanquantile, row, q) for row in alone], axis=-1, dtype=float)
    found = at_once(quantiles, rows, q, "linear", nan=True)
    np.testing.assert_array_equal(found, one_by_one.reshape(expected.shape))
    np.testing.assert_array_equal(at_once(rows.medians, False), at_once(np.median, keys, axis=1))
    each = [at_once(np.nanmedian, row) for row in alone]
    found = at_once(rows.medians, True)
    np.testing.assert_array_equal(found.ravel(), np.array(each, found.dtype))
    np.testing.assert_array_equal(keys, before)


@pytest.mark.parametrize("outer", [1, 7])
def test_threads_share_the_rows(outer: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets chunks of its own, which join to the same answers."""
    keys = np.random.default_rng(10).integers(0, 9, (outer, 10, 300)).astype("f4")
    keys[np.random.default_rng(300).random(keys.shape) < 0.2] = np.nan
    rows, ks = NumPyRows(keys), np.array([0, 4, 9])

    def answers() -> list[Any]:
        return [
            rows.ranks(ks),
            *(at_once(quantiles, rows, 0.3, "linear", nan=nan) for nan in (False, True)),
            *(at_once(rows.medians, nan) for nan in (False, True)),
        ]

    expected, shared = answers(), []
    several = chunks._in_several

    def seen(tasks: Any, do: Any, threads: int) -> None:
        some = list(tasks)
        shared.append((threads, len(some)))
        several(iter(some), do, threads)

    monkeypatch.setattr(chunks, "CHUNK", 200)
    monkeypatch.setattr(chunks, "SHORT_CALLS", chunks.Sharing(worth=0, most=200))
    monkeypatch.setattr(chunks, "cores", lambda: 3)
    monkeypatch.setattr(chunks, "_in_several", seen)
    for found, one in zip(answers(), expected, strict=True):
        np.testing.assert_array_equal(found, one)
    assert len(shared) == len(expected)
    assert all(threads == 3 and tasks > 3 for threads, tasks in shared)
