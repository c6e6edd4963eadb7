"""Rows of bfloat16 on a GPU, in every way that rows are answered: kernels read bits, as floats."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
import pytest

from modern.rows.cuda_column_firsts import LEAST as LONG_COLUMN
from modern.rows.cuda_long_shapes import LEAST as LONG_ROW
from shadersort.keys.stand_ins import BfloatBits, Bfloats
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.own import OwnRows
from shadersort.selection.rows.protocol import TIES
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST
from tests.modern.test_cuda_rows import rows_awkward

pytestmark = pytest.mark.gpu
ORDERS = LARGEST, SMALLEST, MAGNITUDE


def cube_of(outer: int, inner: int, length: int) -> Any:
    """Keys (outer, length, inner): awkward rows, random ones with ties, and random bits."""
    bfloat16, random = pytest.importorskip("ml_dtypes").bfloat16, np.random.default_rng(length)
    count = outer * inner
    with np.errstate(invalid="ignore"):
        keys = rows_awkward(count, length, "float32").astype(bfloat16)
    keys[1::3] = random.standard_normal((count, length)).astype(bfloat16)[1::3]
    bits = random.integers(0, 1 << 16, (count, length), dtype=np.uint16)
    keys[2::3] = bits.view(bfloat16)[2::3]
    return np.ascontiguousarray(keys.reshape(outer, inner, length).transpose(0, 2, 1))


class Both:
    """The rows of some keys on the GPU, by their bits; and on the host, as float32."""

    def __init__(self, keys: Any) -> None:
        import cupy

        from modern.rows.cuda import CUDARows

        bits, floats = BfloatBits(keys.dtype), Bfloats(keys.dtype)
        self.keys = keys
        self.ours = OwnRows(CUDARows(cupy.asarray(bits.of(keys)), keys.dtype), bits)
        self.host = OwnRows(NumPyRows(floats.of(keys)), floats)

    def check(self) -> None:
        """Compare ranks, medians and numbers."""
        outer, length, inner = self.host.shape
        ks = np.unique([0, 1 % length, length // 3, length // 2, length - 1])
        own = np.random.default_rng(length).integers(0, length, (outer, 2, inner))
        with quietly():
            for some in (ks, ks[:1], ks[-1:]):
                agree(self.ours.ranks(some), self.host.ranks(some))
            agree(self.ours.ranks_unless_nan(ks), self.host.ranks_unless_nan(ks))
            agree(self.ours.ranks_of_rows(own), self.host.ranks_of_rows(own))
            for nan in (False, True):
                agree(self.ours.medians(nan), self.host.medians(nan))
        np.testing.assert_array_equal(self.ours.numbers().get(), self.host.numbers())

    def check_first(
        self, counts: Iterable[int], orders: Iterable[int], in_order: Iterable[bool] = (True,)
    ) -> None:
        """Compare first keys, bit for bit, and their places: in order, or in that of the places."""
        for count, by, told, ties in product(counts, orders, in_order, TIES[:2]):
            values, found = self.ours.first(by, count, told, ties)
            places = self.host.first(by, count, True, ties)[1]
            places = places if told else np.sort(places, axis=1)
            np.testing.assert_array_equal(found.get(), places)
            expected = np.take_along_axis(self.keys.view("u2"), places, 1)
            np.testing.assert_array_equal(values.get().view("u2"), expected)


@contextmanager
def quietly() -> Iterator[None]:
    """Leave out warnings of NaNs and of large sums."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def agree(found: Any, expected: Any) -> None:
    """Compare keys, of which NaNs are equal."""
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.get().astype("f4"), expected.astype("f4"))


@pytest.mark.parametrize("shape", [(36, 1), (4, 9), (1, 36)])
@pytest.mark.parametrize("length", [1, 2, 16, 31, 33, 256, 1000, 1024, 1025, 5001, 20_001, 70_001])
def test_every_length(length: int, shape: tuple[int, int]) -> None:
    keys = cube_of(*shape, length)
    both = Both(keys)
    both.check()
    both.check_first({1, min(length, 40)}, ORDERS if length == 5001 else (LARGEST,))


@pytest.mark.parametrize("length", [17, 1000, 5001, 20_001])
def test_sorted_rows_and_places(length: int) -> None:
    import cupy

    keys = cube_of(4, 9, length)
    both = Both(keys)
    agree(both.ours.sorted(), both.host.sorted())
    middle = both.host.ranks(np.array([length // 2]))[:, 0]
    wanted = cupy.asarray(middle.view("u2")).view(keys.dtype)
    for ties in TIES[:2]:
        found = both.ours.places(wanted, ties)
        np.testing.assert_array_equal(found.get(), both.host.places(middle, ties))


@pytest.mark.parametrize("shape", [(6, 1), (2, 3)])
@pytest.mark.parametrize("length", [7, 300, 300_007])
def test_the_first_and_the_last_key(length: int, shape: tuple[int, int]) -> None:
    both = Both(cube_of(*shape, length))
    for ks in ([0], [length - 1], [0, length - 1]):
        agree(both.ours.ranks(np.array(ks)), both.host.ranks(np.array(ks)))
    both.check_first((1,), ORDERS)


@pytest.mark.parametrize("length", [2000, 8193, 30_011])
def test_most_of_the_keys_are_sorted(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modern.rows.cuda_layout.PART", 40_000)
    monkeypatch.setattr("modern.rows.cuda_sorts.PART", 40_000)
    for shape, by in (((6, 1), LARGEST), ((6, 1), MAGNITUDE), ((2, 3), SMALLEST)):
        both = Both(cube_of(*shape, length))
        both.check_first((1500, length), (by,), (True, False))


@pytest.mark.parametrize("length", [LONG_COLUMN, 5001, 70_001])
def test_first_keys_of_long_columns(length: int) -> None:
    for outer, inner in ((1, 33), (11, 3)):
        Both(cube_of(outer, inner, length)).check_first((1, 40), ORDERS, (True, False))


@pytest.mark.parametrize("length", [1025, 4096, 8191])
def test_rows_that_warps_read_in_memory(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modern.rows.cuda_ranks.WARPS", 0)
    Both(cube_of(36, 1, length)).check()
    Both(cube_of(4, 9, length)).check()


@pytest.mark.parametrize("length", [LONG_ROW, 70_001])
def test_rows_that_all_blocks_share(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in ("cuda_ranks", "cuda_top"):
        monkeypatch.setattr(f"modern.rows.{room}.suits", lambda length, *_: length >= LONG_ROW)
    monkeypatch.setattr("modern.rows.cuda_ranks.FEW", 0)
    both = Both(cube_of(24, 1, length))
    both.check()
    both.check_first((64, 700), ORDERS, (True, False))
