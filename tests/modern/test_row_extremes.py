"""The first and the last key of rows on a GPU: how rows are cut, and every shape against NumPy."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.rows.cuda_extremes import columns_cut, rows_cut, suits
from modern.rows.cuda_layout import THREADS
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST, order_codes
from tests.modern.test_cuda_rows import rows_awkward, rows_of, strided
from tests.selection.inputs import EVERY

gpu = pytest.mark.gpu
COUNTS = st.integers(0, 30).map(lambda bits: 1 << bits) | st.integers(1, 1 << 32)


def check_cut(cut: Any, length: int) -> None:
    """Assert that the pieces of a row have all keys, and that threads share blocks evenly."""
    assert (cut.pieces - 1) * cut.each < length <= cut.pieces * cut.each
    assert cut.together & (cut.together - 1) == 0 < cut.together <= THREADS
    assert cut.ahead in (1, 2, 4, 8)


@given(COUNTS, COUNTS, st.sampled_from([1, 2, 4, 8]), st.booleans())
def test_rows_are_cut_into_pieces(length: int, rows: int, itemsize: int, places: bool) -> None:
    cut = rows_cut(length, rows, itemsize, 132, places)
    check_cut(cut, length)
    assert cut.pieces == 1 or cut.together == THREADS  # a piece of its own for each block


@given(COUNTS, COUNTS, st.integers(2, 5000), st.sampled_from([1, 2, 4]))
def test_columns_are_cut_into_pieces(length: int, outer: int, inner: int, wide: int) -> None:
    check_cut(columns_cut(length, outer * inner, inner, wide, 132), length)


@pytest.mark.parametrize("rows", [2, 16, 256])
def test_few_long_rows_keep_all_processors_busy(rows: int) -> None:
    pieces = rows_cut((1 << 28) // rows, rows, 4, 132, False).pieces
    assert pieces * rows <= 32 * 132 < (pieces + 1) * rows  # blocks that start late end late
    cut = columns_cut((1 << 28) // rows, rows, rows, 1, 132)
    assert cut.pieces * cut.together * rows >= 16 * 132 * THREADS


def test_only_ends_are_found_so() -> None:
    assert suits(np.array([0]), 1)
    assert suits(np.array([6]), 7)
    assert not suits(np.array([0, 3, 6]), 7)


def check(cube: Any, keys: Keys) -> None:
    """Compare ends and first keys of rows (outer, length, inner) with NumPy, places bit for bit."""
    from modern.rows.cuda import CUDARows

    rows, length = CUDARows(cube), keys.shape[1]
    ordered = np.sort(keys, axis=1)
    for ks in ([0], [length - 1], sorted({0, length - 1})):
        found = rows.ranks(np.array(ks)).get()
        np.testing.assert_array_equal(encode(found), encode(ordered[:, ks]))
    for by, ties in product((LARGEST, SMALLEST, MAGNITUDE), ("lowest", "highest")):
        codes = order_codes(keys.copy(), by)
        turned = codes[:, ::-1] if ties == "highest" else codes
        places = turned.argmin(axis=1)[:, None]
        places = length - 1 - places if ties == "highest" else places
        values, found = rows.first(by, 1, True, ties)
        np.testing.assert_array_equal(found.get(), places)
        bits = f"u{keys.itemsize}"
        expected = np.take_along_axis(keys, places, 1)
        np.testing.assert_array_equal(values.get().view(bits), expected.view(bits))


def rows_with_ends(length: int, dtype: str) -> Keys:
    """Awkward rows, random ones, and rows of one value: NaN, an infinity, zeros of both signs."""
    random, rows = np.random.default_rng(length), rows_awkward(36, length, dtype)
    if np.dtype(dtype).kind == "f":
        rows[::3] = random.standard_normal((12, length)).astype(dtype)
        rows[3, random.integers(length)] = -np.nan
        rows[6] = np.where(random.random(length) < 0.5, -0.0, 0.0)
        rows[9], rows[12], rows[15], rows[18] = -np.nan, np.inf, -np.inf, -np.inf
        rows[15, length // 2] = np.nan
        return rows
    limits = np.iinfo(dtype)
    rows[::3] = random.integers(0, 5, (12, length)).astype(dtype)
    rows[3], rows[6] = limits.min, limits.max
    return rows


@gpu
@pytest.mark.parametrize(
    ("length", "dtype"),
    [
        *product([1, 2, 3, 15, 16, 17, 33, 1025, 5001, 300_007], ["float32"]),
        *product([7, 300, 9001], EVERY),
    ],
)
def test_every_length_and_type(length: int, dtype: str) -> None:
    rows = rows_with_ends(length, dtype)
    shapes = [(36, 1), (1, 36), (12, 3), (1, 33), (1, 2)]
    for outer, inner in shapes if dtype == "float32" else shapes[:3]:
        cube = rows[: outer * inner].reshape(outer, inner, length).transpose(0, 2, 1)
        for how in ("contiguous", "gaps", "rows") if length < 5000 else ("contiguous",):
            check(strided(rows[: outer * inner], outer, inner, how), cube)


@gpu
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32"])
def test_many_short_rows(dtype: str) -> None:
    keys = np.random.default_rng(1).integers(0, 50, (300_000, 20)).astype(dtype)
    for length in (1, 3, 16, 20):
        check(rows_of(keys[:, :length, None]).keys, keys[:, :length, None])
        check(rows_of(keys.T[None, :length]).keys, keys.T[None, :length])
