"""Rows on a GPU against NumPy: every kind of shape, every type, layouts, and hostile data."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest

from modern.opening import open_rows
from shadersort.keys.types import Keys
from shadersort.selection.rows.host import HostRows
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST
from tests.selection.inputs import EVERY, awkward

pytestmark = pytest.mark.gpu

ORDERS = LARGEST, SMALLEST, MAGNITUDE
TIES = "lowest", "highest"

SHAPES = {
    "short rows, one by one in threads": [(36, 5, 1), (36, 16, 1), (4, 31, 9), (1, 32, 36)],
    "short columns": [(1, 50, 600), (2, 64, 40), (1, 7, 33)],
    "in warps": [(36, 33, 1), (36, 1000, 1), (36, 1024, 1), (4, 65, 9), (2, 1023, 15)],
    "streamed by warps": [(2200, 1025, 1), (2200, 4096, 1), (2200, 8191, 1)],
    "a block for each": [(300, 12_289, 1), (150, 1 << 16, 1), (80, 1025, 1)],
    "teams of blocks": [(36, 5001, 1), (5, (1 << 21) + 5, 1), (1, 1 << 22, 1)],
    "columns that are copied": [(4, 3000, 9), (1, 20_001, 70), (1, 131_101, 2)],
}
"""Shapes (outer, length, inner) by the way that their ranks are found."""

TYPED = [(36, 16, 1), (36, 1000, 1), (36, 5001, 1), (12, 70_001, 1), (4, 65, 9), (1, 20_001, 70)]
"""One shape of every kind, for all types."""


def rows_awkward(count: int, length: int, dtype: str) -> Keys:
    """Rows of awkward inputs; some are random, of one value, or have ties with the end."""
    random = np.random.default_rng(length)
    with np.errstate(over="ignore"):
        inputs = list(awkward(length, dtype).values())
    rows = np.stack([inputs[i % len(inputs)] for i in range(count)])
    if np.dtype(dtype).kind == "f":
        rows[::3] = random.standard_normal(rows[::3].shape).astype(dtype)
        rows[:1, random.integers(length)] = -np.nan
        rows[1:2] = np.where(random.random(length) < 0.5, -0.0, 0.0)
        rows[2:3] = np.nan
        return rows
    most = np.iinfo(dtype).max
    rows[::3] = most - random.integers(0, min(most, 1 << 28), rows[::3].shape).astype(dtype)
    rows[:1, ::3] = most
    rows[1:2] = np.iinfo(dtype).min
    return rows


def hostile_rows(name: str, count: int, length: int) -> Keys:
    """Rows of float32 that are hard for a sample, a histogram or a list."""
    random = np.random.default_rng(3)
    normal = random.standard_normal((count, length)).astype(np.float32)
    if name == "geometric":
        return (2.0 ** -random.integers(0, 120, normal.shape)).astype(np.float32) * normal
    if name == "few":
        return random.integers(0, 5, normal.shape).astype(np.float32)
    if name == "boundary":  # the middle keys are two heavy values
        return np.where(np.arange(length) < length // 2, -1, 1).astype(np.float32) + 0 * normal
    if name == "nearly equal":
        return (random.random(normal.shape) > 0.01).astype(np.float32)
    if name == "periodic":
        return np.tile(normal[:, : length // 8], 8)
    if name == "nested":  # smaller and smaller towards the end
        for halved in range(1, 30):
            normal[:, length >> halved :] *= 0.1
        return normal
    normal[random.random(normal.shape) < 0.6] = -np.nan
    return normal


def cube_of(rows: Keys, outer: int, inner: int) -> Keys:
    """Rows (outer * inner, length) as (outer, length, inner)."""
    return np.ascontiguousarray(rows.reshape(outer, inner, -1).transpose(0, 2, 1))


class Both:
    """The rows of some keys (outer, length, inner) on the GPU, and on the host."""

    def __init__(self, keys: Any, how: str = "contiguous") -> None:
        self.keys, self.length = keys, keys.shape[1]
        self.ours: Any = open_rows("select", laid_out(keys, how), 1)
        self.host: Any = HostRows(keys, 1)

    def check(self, firsts: tuple[int, ...] = (1, 10, 300, 1500, 3000)) -> None:
        """Compare everything that rows are asked for."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            self._check_ranks()
            for count, (by, ties) in product(firsts, zip(ORDERS, (*TIES, "lowest"), strict=True)):
                self._check_first(min(count, self.length), by, ties)

    def _check_ranks(self) -> None:
        outer, length, inner = self.keys.shape
        random = np.random.default_rng(length)
        for ks in ({0}, {length - 1}, {0, 1 % length, length // 3, length // 2, length - 1}):
            ranks = np.array(sorted(ks))
            agree(self.ours.ranks(ranks), self.host.ranks(ranks))
            agree(self.ours.ranks_unless_nan(ranks), self.host.ranks_unless_nan(ranks))
        low = random.integers(0, max(length - 1, 1), (1, outer, inner))
        own = np.concatenate([low, np.minimum(low + 1, length - 1)])
        agree(self.ours.ranks_each(own), self.host.ranks_each(own))
        for nan in (False, True):
            agree(self.ours.middle(nan=nan), self.host.middle(nan=nan))
        agree(self.ours.count_non_nan(), self.host.count_non_nan())

    def _check_first(self, count: int, by: int, ties: str) -> None:
        for in_order in (True, False):
            values, found = self.ours.first(count, by, in_order=in_order, ties=ties)
            places = self.host.along(self.host.first(count, by, in_order=True, ties=ties)[1])
            told = self.ours.along(found).get()
            order = slice(None) if in_order else np.argsort(told, axis=1)
            if not in_order:
                places = np.sort(places, axis=1)
                told = np.take_along_axis(told, order, 1)
            np.testing.assert_array_equal(told, places)
            kind = f"u{self.keys.dtype.itemsize}"
            taken = self.ours.along(values).get().view(kind)
            taken = taken if in_order else np.take_along_axis(taken, order, 1)
            expected = np.take_along_axis(self.keys.view(kind), places, 1)
            np.testing.assert_array_equal(taken, expected)


def agree(found: Any, expected: Any) -> None:
    """Compare keys, of which NaNs are equal."""
    assert found.dtype == expected.dtype
    wide = "f4" if expected.dtype.name == "bfloat16" else expected.dtype
    np.testing.assert_array_equal(found.get().astype(wide), expected.astype(wide))


def laid_out(cube: Keys, how: str) -> Any:
    """The same array on the GPU, of another layout."""
    import cupy

    if how == "contiguous":
        return cupy.asarray(cube)
    if how == "rows":
        return cupy.asarray(np.ascontiguousarray(cube.transpose(0, 2, 1))).transpose(0, 2, 1)
    outer, length, inner = cube.shape
    wide = np.zeros((outer, length + 3, inner + 5), cube.dtype)
    wide[:, 2:-1, 1:-4] = cube
    if how == "reversed":
        return cupy.asarray(wide)[::-1, 2:-1, 1:-4][::-1][:, ::-1][:, ::-1]
    return cupy.asarray(wide)[:, 2:-1, 1:-4]


@pytest.mark.parametrize("kind", SHAPES)
def test_every_shape(kind: str) -> None:
    for outer, length, inner in SHAPES[kind]:
        rows = rows_awkward(outer * inner, length, "float32")
        Both(cube_of(rows, outer, inner)).check((1, 64))


@pytest.mark.parametrize("dtype", [*EVERY, "bfloat16"])
def test_every_type(dtype: str) -> None:
    for outer, length, inner in TYPED:
        if dtype == "bfloat16":
            bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
            bits = np.random.default_rng(length).integers(0, 1 << 16, (outer * inner, length))
            rows = bits.astype(np.uint16).view(bfloat16)
            with np.errstate(invalid="ignore"):
                rows[::2] = rows_awkward(outer * inner, length, "float32")[::2].astype(bfloat16)
        else:
            rows = rows_awkward(outer * inner, length, dtype)
        Both(cube_of(rows, outer, inner)).check()


@pytest.mark.parametrize("how", ["rows", "gaps", "reversed"])
@pytest.mark.parametrize("length", [5, 40, 64, 1024, 3000])
def test_every_layout(length: int, how: str) -> None:
    rows = rows_awkward(30, length, "float32")
    for outer, inner in ((30, 1), (1, 30), (6, 5), (2, 15)):
        Both(cube_of(rows, outer, inner), how).check((1, 17))


HOSTILE = ["geometric", "few", "boundary", "nearly equal", "periodic", "nested", "nans"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    ("count", "length"),
    [(40, 256), (40, 1024), (40, 8192), (2200, 4096), (40, 131_072), (5, 1 << 21)],
)
def test_hostile_rows(name: str, count: int, length: int) -> None:
    rows = hostile_rows(name, count, length)
    Both(cube_of(rows, count, 1)).check((1, 64, 1024))
    if count == 40:
        Both(cube_of(rows, 2, 20)).check((1, 64))


@pytest.mark.parametrize("length", [20, 1000, 5000])
def test_many_keys_of_the_largest_magnitude(length: int) -> None:
    """The least integer has no counterpart above zero: its magnitude is that of no other key."""
    for dtype in ("int8", "int16", "int32", "int64"):
        least = np.iinfo(dtype).min
        for others in ([least], [least + 1], [least, least + 1, 0, 1]):
            keys = np.random.default_rng(length).choice(np.array(others, dtype), (6, length))
            keys[:, length // 2 :: 3] = least
            Both(cube_of(keys, 6, 1)).check((5,))


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint64"])
@pytest.mark.parametrize("length", [1, 300, 999, 8193, 30_011])
def test_sorted_rows_and_places(length: int, dtype: str) -> None:
    import cupy

    for outer, inner in ((24, 1), (6, 4)):
        both = Both(cube_of(rows_awkward(24, length, dtype), outer, inner))
        found, bits = both.ours.along(both.ours.sort()).get(), f"u{both.keys.itemsize}"
        agree(cupy.asarray(found), both.host.along(both.host.sort()))
        one, other = (np.sort(each.view(bits), axis=1) for each in (found, both.keys))
        np.testing.assert_array_equal(one, other)  # no bit is lost
        wanted = both.host.ranks(np.array([length // 2]))[0]
        for ties in TIES:
            places = both.ours.places(cupy.asarray(wanted), ties)
            np.testing.assert_array_equal(places.get(), both.host.places(wanted, ties))
