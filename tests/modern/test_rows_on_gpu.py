"""Rows on a GPU against NumPy: every kind of shape, every type, layouts, and hostile data."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest

from bench.shared import hostile
from modern.opening import open_rows
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST
from tests.selection.inputs import awkward

pytestmark = pytest.mark.gpu

ORDERS = LARGEST, SMALLEST, MAGNITUDE
TIES = "lowest", "highest"

SHAPES = {
    "in threads": [(36, 5, 1), (36, 16, 1), (4, 31, 9), (1, 50, 600), (2, 64, 40)],
    "in warps": [(36, 33, 1), (36, 1024, 1), (4, 65, 9), (2, 1023, 15)],
    "in blocks": [(36, 1025, 1), (150, 12_289, 1), (20, 70_001, 1)],
    "many rows of some thousand keys": [(2200, 1025, 1), (2200, 4097, 1)],
    "over several blocks": [(2, (1 << 20) + 5, 1), (16, 1 << 17, 1)],
    "one": [(1, 1000, 1), (1, 40_000, 1), (1, 1 << 21, 1)],
    "columns that are copied": [(4, 3000, 9), (1, 20_001, 70), (1, 131_101, 2)],
}
"""Shapes (outer, length, inner) by the way that their ranks are found."""

TYPED = [(36, 16, 1), (36, 1000, 1), (12, 70_001, 1), (4, 65, 9), (1, 40_000, 1)]
"""One shape of every kind, for these types."""

TYPES = ["float16", "bfloat16", "float64", "int8"]


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


def cube_of(rows: Keys, outer: int, inner: int) -> Keys:
    """Rows (outer * inner, length) as (outer, length, inner)."""
    return np.ascontiguousarray(rows.reshape(outer, inner, -1).transpose(0, 2, 1))


class Both:
    """The rows of some keys on the GPU, and on the host."""

    def __init__(self, keys: Any, how: str = "contiguous") -> None:
        self.keys, self.length = keys, keys.shape[1]
        self.ours: Any = open_rows("median", laid_out(keys, how), 1)
        self.host: Any = open_rows("median", keys, 1)

    def check(self, *firsts: int) -> None:
        """Compare everything that rows are asked for; `firsts`: numbers of first keys."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            self._check_ranks()
            for at, count in enumerate(firsts):
                self.check_first(min(count, self.length), at)

    def _check_ranks(self) -> None:
        outer, length, inner = self.keys.shape
        random = np.random.default_rng(length)
        for ks in ({0}, {0, 1 % length, length // 3, length // 2, length - 1}):
            ranks = np.array(sorted(ks))
            for ask in ("ranks", "ranks_unless_nan"):
                self._agree(ask, ranks, front=(ranks.size,))
        low = random.integers(0, max(length - 1, 1), (1, outer, inner))
        own = np.concatenate([low, np.minimum(low + 1, length - 1)])
        self._agree("ranks_each", own, front=(2,))
        for nan in (False, True):
            self._agree("middle", nan=nan)
        self._agree("count_non_nan")

    def _agree(self, ask: str, *given: Any, front: tuple[int, ...] = (), **options: Any) -> None:
        found, expected = (
            rows.result(getattr(rows, ask)(*given, **options), front)
            for rows in (self.ours, self.host)
        )
        agree(found, expected, f"{ask} of {self.keys.shape}, {self.keys.dtype}")

    def check_first(self, count: int, at: int) -> None:
        by, ties, in_order = ORDERS[at % 3], TIES[at % 2], at % 3 != 1
        values, found = map(
            self.ours.axis_result, self.ours.first(count, by, in_order=in_order, ties=ties)
        )
        places = self.host.axis_result(self.host.first(count, by, in_order=True, ties=ties)[1])
        found, kind = found.get(), f"u{self.keys.dtype.itemsize}"
        expected = np.take_along_axis(self.keys.view(kind), found, 1)
        np.testing.assert_array_equal(values.get().view(kind), expected)
        if not in_order:
            found, places = (np.sort(each, axis=1) for each in (found, places))
        np.testing.assert_array_equal(found, places)


def agree(found: Any, expected: Any, what: str) -> None:
    """Compare keys, of which NaNs are equal."""
    assert found.dtype == np.asarray(expected).dtype, what
    wide = "f4" if found.dtype.name == "bfloat16" else found.dtype
    np.testing.assert_array_equal(found.get().astype(wide), expected.astype(wide), err_msg=what)


def laid_out(cube: Keys, how: str) -> Any:
    """The same array on the GPU, of another layout."""
    import cupy

    if cube.dtype.name == "bfloat16":
        return cupy.asarray(cube.view(np.uint16)).view(cube.dtype)
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
        many = (300, 5000) if length < 1 << 14 else (2048,)
        Both(cube_of(rows, outer, inner)).check(1, 64, 10, *many)


@pytest.mark.parametrize("dtype", TYPES)
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
        Both(cube_of(rows, outer, inner)).check(1, 64)


@pytest.mark.parametrize("how", ["rows", "gaps", "reversed"])
def test_every_layout(how: str) -> None:
    for length in (5, 64, 3000):
        rows = rows_awkward(30, length, "float32")
        for outer, inner in ((30, 1), (6, 5)):
            Both(cube_of(rows, outer, inner), how).check(17)


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_hostile_rows(name: str) -> None:
    """Rows of float32 that are hard for a sample, a histogram or a list."""
    for count, length in ((40, 1024), (40, 8192), (9, 131_072), (2, 1 << 19)):
        keys = hostile.draw(np, name, count * length, dtype="float32", seed=3)
        Both(cube_of(keys.reshape(count, length), count, 1)).check(1, 64, 1024)
        if length == 1024:
            Both(cube_of(keys.reshape(count, length), 2, 20)).check(64)


def test_many_keys_of_the_largest_magnitude() -> None:
    """The least integer has no counterpart above zero: its magnitude is that of no other key."""
    for length, dtype in product((20, 1000, 5000), ("int8", "int64")):
        least = np.iinfo(dtype).min
        for others in ([least], [least + 1], [least, least + 1, 0, 1]):
            keys = np.random.default_rng(length).choice(np.array(others, dtype), (6, length))
            keys[:, length // 2 :: 3] = least
            Both(cube_of(keys, 6, 1)).check_first(5, ORDERS.index(MAGNITUDE))


@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_sorted_rows_places_and_thresholds(dtype: str) -> None:
    for length, (outer, inner) in product((1, 999, 8193, 30_011), ((24, 1), (6, 4))):
        both = Both(cube_of(rows_awkward(24, length, dtype), outer, inner))
        ours, host, bits = both.ours, both.host, f"u{both.keys.itemsize}"
        found = ours.axis_result(ours.sort())
        agree(found, host.axis_result(host.sort()), "sort")
        one, other = (np.sort(each.view(bits), axis=1) for each in (found.get(), both.keys))
        np.testing.assert_array_equal(one, other)  # no bit is lost
        for ties, soft in zip(TIES, (False, True), strict=True):
            places = (rows.places(rows.ranks([length // 2])[0], ties) for rows in (ours, host))
            found, expected = (
                rows.result(at) for rows, at in zip((ours, host), places, strict=True)
            )
            agree(found, expected, "places")
            kept = length // 3 + 1
            found, expected = (r.axis_result(r.threshold(kept, soft=soft)) for r in (ours, host))
            agree(found, expected, "threshold")
