"""Rows on the host: keys that have a way of their own, against NumPy's sorts and quantiles."""

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import modern
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import QUANTILE_METHODS
from shadersort.selection.rows.host import HostRows
from shadersort.selection.rows.partition import SHORT, find_first, find_ranks
from shadersort.selection.rows.protocol import TIES, Ties
from tests.expected import expected

TYPES = ("float16", "float32", "float64", "int8", "uint16", "int32", "int64", "uint64")


@pytest.mark.parametrize("length", range(2, SHORT + 1))
@pytest.mark.parametrize("one", [1, np.inf, np.nan])
def test_every_short_row_of_two_values_is_sorted(length: int, one: float) -> None:
    """So is every row of anything else, by the 0-1 principle (Knuth, volume 3, 5.3.4)."""
    ones = (np.arange(1 << 16)[:, None] >> np.arange(length) & 1).astype(bool)
    rows = np.where(ones, np.float32(one), np.float32(-0.0))
    ordered, lost = np.sort(rows, axis=1).T, ones.any(axis=1) & (one != one)
    for count in (1, 2, length):
        for ks in combinations(range(length), count):
            found = find_ranks(rows, ks)
            np.testing.assert_array_equal(found, ordered[list(ks)])
            found = HostRows(rows, 1).ranks_unless_nan(ks)
            np.testing.assert_array_equal(found, np.where(lost, np.nan, ordered[list(ks)]))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_negative_nans_are_sorted_to_the_end(axis: int) -> None:
    keys = np.random.default_rng(1).normal(size=(6, 5, 4)).astype(np.float32)
    keys[1, 2, 3] = keys[1, 1, 1] = -np.nan
    np.testing.assert_array_equal(modern.sort(keys, axis=axis), np.sort(keys, axis=axis))


# rows of any length

Rows = Callable[[np.random.Generator, tuple[int, int]], Any]


def crowded(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    """Rows in which a share of the keys has one value."""
    return np.where(rng.random(shape) < rng.random(), 0, rng.integers(-100, 100, shape))


def swapped(rng: np.random.Generator, shape: tuple[int, int]) -> Any:
    """Rows in order, but for two keys."""
    rows, (one, other) = np.sort(rng.integers(0, 99, shape)), rng.integers(0, shape[1], 2)
    rows[:, [one, other]] = rows[:, [other, one]]
    return rows


ROWS: dict[str, Rows] = {
    "any": lambda rng, shape: rng.integers(-128, 128, shape),
    "ties": lambda rng, shape: rng.integers(0, 3, shape),
    "in order": lambda rng, shape: np.sort(rng.integers(0, 99, shape)),
    "backwards": lambda rng, shape: np.sort(rng.integers(0, 99, shape))[:, ::-1],
    "swapped": swapped,
    "crowded": crowded,
}


def rows_of(kind: str, seed: int, shape: tuple[int, int], dtype: str, nans: float) -> Keys:
    """Rows of a kind; of floats a share is NaN, and some are infinite or zeros of both signs."""
    rng = np.random.default_rng(seed)
    rows = np.ascontiguousarray(ROWS[kind](rng, shape)).astype(dtype)
    if rows.dtype.kind == "f" and nans:
        rows[rng.random(shape) < nans] = np.nan
        rows[rng.random(shape) < nans / 9] = rng.choice([np.inf, -np.inf, -0.0])
        rows[rng.integers(shape[0])] = rng.choice([np.nan, 2.0])
    return rows


def check_calls(x: Keys, k: int, q: Any, method: Any) -> None:
    """Compare ranks, medians and quantiles with NumPy's, which does not know rows of NaN only."""
    given, ordered = x.copy(), np.sort(x, axis=1)
    np.testing.assert_array_equal(modern.select(x, k, axis=1), ordered[:, k])
    both = modern.multiselect(x, [k, 0], axis=1)
    np.testing.assert_array_equal(both, ordered[:, [k, 0]].T)
    np.testing.assert_array_equal(modern.median(x, axis=1), expected(np.median, x, axis=1))
    medians = expected(modern.nanmedian, x, axis=1)
    np.testing.assert_array_equal(medians, expected(np.nanmedian, x, axis=1))
    found = expected(modern.quantile, x, q, axis=1, method=method)
    np.testing.assert_array_equal(found, expected(np.quantile, x, q, axis=1, method=method))
    found = expected(modern.nanquantile, x, q, axis=1, method=method)
    each = [expected(np.nanquantile, row, q, method=method) for row in x[:20]]
    np.testing.assert_array_equal(found[..., :20], np.stack(each, axis=-1))
    assert x.tobytes() == given.tobytes()


@st.composite
def rows(draw: st.DrawFn, most_rows: int, lengths: list[int]) -> Keys:
    """Rows of any kind and type."""
    kind, dtype = draw(st.sampled_from(list(ROWS))), draw(st.sampled_from(TYPES))
    shape = draw(st.integers(1, most_rows)), draw(st.sampled_from(lengths))
    nans = draw(st.sampled_from([0, 0.02, 0.5, 0.95]))
    return rows_of(kind, draw(st.integers(0, 1 << 20)), shape, dtype, nans)


@settings(max_examples=60)
@given(
    rows(9, [1, 2, 3, 11, 12, 13, 31, 33, 255, 257, 600]),
    st.floats(0, 1),
    st.sampled_from([0.0, 0.3, 0.5, 1.0, [0.2], [0.9, 0.0, 0.5]]),
    st.sampled_from(QUANTILE_METHODS),
)
def test_calls_are_those_of_numpy(x: Keys, share: float, q: Any, method: str) -> None:
    check_calls(x, int(share * (x.shape[1] - 1)), q, method)


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "int16", "int64"])
def test_calls_on_many_keys(kind: str, dtype: str) -> None:
    """Long rows and columns, many short ones, and so many that threads share them."""
    cases: list[tuple[tuple[int, int], float]]
    cases = [((2, 20_000), 0.001), ((2, 20_000), 0.6), ((3000, 10), 0.05), ((9, 20_001), 0)]
    if (kind, dtype) == ("any", "float32"):
        cases += [((150_000, 10), 0), ((150_000, 10), 0.2), ((50, 30_000), 0), ((50, 30_000), 0.2)]
    for shape, nans in cases:
        x = rows_of(kind, 1, shape, dtype, nans)
        x = x if nans else np.asfortranarray(x)
        check_calls(x, shape[1] // 3, [0.25, 0.5], "linear")


@pytest.mark.parametrize("dtype", ["float16", "int16", "uint16"])
@pytest.mark.parametrize("length", [1, 31, 33, 513, 1 << 13])
def test_rows_of_all_keys_of_16_bits(dtype: str, length: int) -> None:
    every = np.random.default_rng(0).permutation(1 << 16).astype(np.uint16)
    x = every[: every.size // length * length].view(dtype).reshape(-1, length)[: 1 << 8]
    ordered = np.sort(x, axis=1, kind="stable")
    ks = np.unique(np.linspace(0, length - 1, 9, dtype=int))
    np.testing.assert_array_equal(modern.multiselect(x, ks, axis=1), ordered[:, ks].T)
    np.testing.assert_array_equal(modern.sort(x, axis=1), ordered)


@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("length", [9, 5000])
def test_zeros_keep_their_signs(zero: float, length: int) -> None:
    x = np.full((2, length), zero, np.float16)
    for found in (modern.select(x[0], 4), modern.select(x, 4), modern.multiselect(x, [4], axis=1)):
        assert (np.signbit(found) == np.signbit(zero)).all()


# the first keys of rows


def check_first(rows: Keys, count: int, smallest: bool, ties: Ties) -> None:
    """The places are right, in order and not; with "any" they are of right keys.

    Equal keys come by their places, with "highest" descending.
    """
    before, codes, length = rows.copy(), encode(rows), rows.shape[1]
    turned = encode(np.ascontiguousarray(rows[:, ::-1] if ties == "highest" else rows))
    order = np.argsort(turned if smallest else ~turned, axis=1, kind="stable")[:, :count]
    for in_order in (True, False):
        found = find_first(rows, count, smallest=smallest, in_order=in_order, ties=ties)
        found = found - np.arange(0, rows.size, length)[:, None]
        wanted = length - 1 - order if ties == "highest" else order
        assert found.dtype == np.int64
        assert rows.tobytes() == before.tobytes()
        if ties == "any":
            assert all(np.unique(row).size == count for row in found)
            found, wanted = (np.take_along_axis(codes, each, 1) for each in (found, wanted))
        if not in_order:
            found, wanted = np.sort(found, axis=1), np.sort(wanted, axis=1)
        np.testing.assert_array_equal(found, wanted)


@given(
    rows(6, [1, 2, 3, 31, 32, 33, 255, 256, 257, 1000]),
    st.floats(0, 1),
    st.booleans(),
    st.sampled_from(TIES),
)
def test_the_first_of_any_rows(x: Keys, share: float, smallest: bool, ties: Any) -> None:
    check_first(x, max(round(share * x.shape[1]), 1), smallest, ties)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "uint16"])
def test_the_first_of_long_rows(dtype: str) -> None:
    for kind, count, smallest in product(("any", "ties", "in order"), (10, 5000), (True, False)):
        rows = rows_of(kind, count, (1, 40_001), dtype, 0.01)
        for ties in TIES:
            check_first(rows, count, smallest, ties)


@pytest.mark.parametrize("smallest", [True, False])
def test_the_first_of_a_row_whose_sample_misleads(smallest: bool) -> None:
    """Every key that a sample at equal distances would see is the largest."""
    row = np.zeros(1 << 16)
    row[:: row.size // (1 << 11)] = 1
    check_first(row[None], 5000, smallest, "lowest")
