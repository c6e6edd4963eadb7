"""Many first keys of rows on a GPU, and sorted rows: every type against NumPy, bit for bit."""

from itertools import product

import numpy as np
import pytest

from shadersort.keys.codes import encode
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST, order_codes
from tests.helpers import bits
from tests.modern.test_cuda_rows import rows_awkward, rows_of
from tests.selection.inputs import EVERY

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("length", [2000, 8192, 8193, 30_011])
def test_most_of_the_keys_of_rows(length: int, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are taken, and sorted by a block or digit by digit, part by part."""
    monkeypatch.setattr("modern.rows.cuda_layout.PART", 40_000)
    monkeypatch.setattr("modern.rows.cuda_sorts.PART", 40_000)
    rows = rows_awkward(12, length, dtype)
    rows[::3] = np.random.default_rng(1).integers(0, 100, (4, length)).astype(dtype)
    if np.dtype(dtype).kind == "f":
        rows[3, ::7], rows[6], rows[6, ::2] = -np.nan, 0.0, -0.0
    for outer, inner, by in ((12, 1, LARGEST), (12, 1, MAGNITUDE), (3, 4, SMALLEST)):
        cube = rows.reshape(outer, inner, length).transpose(0, 2, 1)
        codes = order_codes(cube.copy(), by)
        for count, highest, in_order in product(
            (1500, length // 2, length), (False, True), (False, True)
        ):
            turned = codes[:, ::-1] if highest else codes
            places = np.argsort(turned, axis=1, kind="stable")[:, :count]
            places = length - 1 - places if highest else places
            places = places if in_order else np.sort(places, axis=1)
            ties = "highest" if highest else "lowest"
            values, found = rows_of(cube).first(by, count, in_order, ties)
            np.testing.assert_array_equal(found.get(), places)
            expected = np.take_along_axis(cube, places, 1)
            np.testing.assert_array_equal(bits(values.get()), bits(expected))


@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("length", [1, 2, 300, 8193, 30_011])
def test_sorted_rows_keep_every_bit(length: int, dtype: str) -> None:
    rows = rows_awkward(12, length, dtype)
    if np.dtype(dtype).kind == "f":
        rows[3, ::7], rows[3, 1::5], rows[6], rows[6, ::2] = -np.nan, np.nan, 0.0, -0.0
    for outer, inner in ((12, 1), (1, 12), (3, 4)):
        cube = rows.reshape(outer, inner, length).transpose(0, 2, 1)
        found = rows_of(cube).sorted().get()
        np.testing.assert_array_equal(encode(found.copy()), np.sort(encode(cube.copy()), axis=1))
        np.testing.assert_array_equal(
            np.sort(bits(found), axis=1), np.sort(bits(np.ascontiguousarray(cube)), axis=1)
        )
