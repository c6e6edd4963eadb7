"""Axes of arrays on a GPU against the host: every call, kind of shape, type and layout."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from bench.shared import hostile
from shadersort.errors import BadOption
from shadersort.keys.types import Keys
from shadersort.selection.rows.protocol import TIES
from tests.expected import expected
from tests.helpers import bits, random_bits
from tests.modern.references import put_on_gpu
from tests.selection.inputs import awkward

pytestmark = pytest.mark.gpu
Call = Callable[[Any, Any], Any]

SHAPES: list[tuple[int, ...]] = [
    (5, 7),
    (1001,),
    (4, 1),
    (2, 3),
    (9, 17_000),
    (2, 3000, 5),
    (1000, 3),
]


def most(k: int, x: Any, axis: Any) -> int:
    """Return k, or the number of keys along an axis if there are fewer."""
    return int(min(k, x.shape[axis] if isinstance(axis, int) else x.size))


RANKED: dict[str, Call] = {
    "select": lambda x, axis: modern.select(x, -1, axis=axis),
    "kept": lambda x, axis: modern.select(x, 0, axis=axis, keepdims=True),
    "multiselect": lambda x, axis: modern.multiselect(x, [[0, -1], [-1, 0]], axis=axis),
    "argselect": lambda x, axis: modern.argselect(x, 0, axis=axis),
    "highest": lambda x, axis: modern.argselect(x, most(9, x, axis) - 1, axis=axis, ties="highest"),
    "argmedian": lambda x, axis: modern.argmedian(x, axis=axis),
    "median": lambda x, axis: modern.median(x, axis=axis),
    "nanmedian": lambda x, axis: modern.nanmedian(x, axis=axis),
    "lower": lambda x, axis: modern.quantile(x, 0.3, axis=axis, method="lower"),
    "nanlower": lambda x, axis: modern.nanquantile(x, [0.3, 0.9], axis=axis, method="lower"),
    "threshold": lambda x, axis: modern.threshold(x, most(2, x, axis), axis=axis),
    "soft": lambda x, axis: modern.threshold(x, most(3, x, axis), axis=axis, kind="soft"),
}
MIXED: dict[str, Call] = {
    "quantile": lambda x, axis: modern.quantile(x, [0.2, 0.5], axis=axis),
    "nanquantile": lambda x, axis: modern.nanquantile(x, 0.4, axis=axis, keepdims=True),
}
ALONG: dict[str, Call] = {
    "sort": lambda x, axis: modern.sort(x, axis=axis),
    "network": lambda x, axis: modern.sort(x, axis=axis, network="pbsn"),
    "argsort": lambda x, axis: modern.argsort(x, axis=axis),
    "descending": lambda x, axis: modern.argsort(x, axis=axis, descending=True),
    "values": lambda x, axis: modern.topk(x, most(3, x, axis), axis=axis).values,
    "places": lambda x, axis: modern.topk(x, most(3, x, axis), axis=axis, largest=False).indices,
    "argtopk": lambda x, axis: modern.argtopk(x, most(2, x, axis), axis=axis, ties="highest"),
}


def drawn(shape: tuple[int, ...], dtype: str) -> Keys:
    """Random keys; of floats, one in many rows is NaN."""
    random = np.random.default_rng(len(shape))
    if dtype not in ("int64", "bool"):
        keys = random.normal(size=shape).astype(np.float32)
        keys[random.random(shape) < 3e-4] = np.nan
        kind: Any = pytest.importorskip("ml_dtypes").bfloat16 if dtype == "bfloat16" else dtype
        return keys.astype(kind)
    return random.integers(0, 120, shape).astype(dtype)


def put(keys: Keys) -> Any:
    if keys.dtype.name == "bfloat16":
        return put_on_gpu(keys.view(np.uint16)).view(keys.dtype)
    return put_on_gpu(keys)


def agree(found: Any, expected: Any, name: str) -> None:
    assert found.dtype == np.asarray(expected).dtype, name
    wide = "f8" if found.dtype.name == "bfloat16" else found.dtype
    with np.errstate(invalid="ignore"):  # NumPy's casts warn of signalling NaNs
        found, expected = found.get().astype(wide), expected.astype(wide)
    np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        *product(SHAPES, ["float32"]),
        *product(SHAPES[:1], ["int64", "bool"]),
        *product([SHAPES[0], (2, 3000, 5), (2, 20_000, 9)], ["bfloat16"]),
        ((2, 3000, 5), "float16"),
    ],
)
def test_every_call_is_that_on_the_host(shape: tuple[int, ...], dtype: str) -> None:
    keys = drawn(shape, dtype)
    calls = RANKED if dtype == "bool" else RANKED | MIXED
    for axis in (0, -1, None, tuple(range(len(shape)))):
        one = isinstance(axis, int) or axis is None
        for name, call in (calls | ALONG if one else calls).items():
            found, wanted = (expected(call, x, axis) for x in (put(keys), keys))
            agree(found, wanted, f"{name}, axis {axis}")


def test_out_and_shapes_without_rows() -> None:
    import cupy

    x = cupy.arange(12.0).reshape(3, 4)
    out, places = cupy.empty((3, 2)), cupy.empty((3, 2), cupy.int64)
    modern.topk(x, 2, out=(out, places))
    np.testing.assert_array_equal(out.get(), [[3, 2], [7, 6], [11, 10]])
    assert modern.median(x, axis=1, out=out[:, 0]) is not None
    np.testing.assert_array_equal(out[:, 0].get(), [1.5, 5.5, 9.5])
    with pytest.raises(BadOption, match="memory of a GPU"):
        modern.median(x, axis=1, out=np.empty(3))
    none = cupy.empty((0, 5), cupy.float32)
    for call in ({**RANKED, **MIXED} | ALONG).values():
        assert call(none, 1).size == 0


def test_one_flat_row() -> None:
    """One row that is asked for with `out` or another rule is as good as without."""
    import cupy

    keys = drawn((300_000,), "float32")
    x, values, places = cupy.asarray(keys), cupy.empty(50, np.float32), cupy.empty(50, np.int64)
    modern.topk(x, 50, out=(values, places))
    agree(places, modern.topk(keys, 50).indices, "out")
    agree(modern.argtopk(x, 50, ties="highest"), modern.argtopk(keys, 50, ties="highest"), "ties")
    agree(modern.threshold(x[None], 9, axis=None), modern.threshold(keys[None], 9), "threshold")


KINDS = {
    "in threads": [(36, 5, 1), (36, 16, 1), (4, 31, 9), (1, 50, 600), (2, 64, 40)],
    "in warps": [(36, 33, 1), (36, 1024, 1), (4, 65, 9), (2, 1023, 15)],
    "in blocks": [(36, 1025, 1), (150, 12_289, 1), (20, 70_001, 1)],
    "many rows of some thousand keys": [(2200, 1025, 1), (2200, 4097, 1)],
    "over several blocks": [(2, (1 << 20) + 5, 1), (16, 1 << 17, 1)],
    "one": [(1, 1000, 1), (1, 40_000, 1), (1, 1 << 21, 1)],
    "columns that are copied": [(4, 3000, 9), (1, 20_001, 70), (1, 131_101, 2)],
}
"""Shapes (outer, length, inner) by the way that their ranks are found."""

TYPED = [(36, 16, 1), (36, 1000, 1), (6, 8193, 4), (12, 70_001, 1), (4, 65, 9), (1, 40_000, 1)]
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


def check(cube: Keys, *counts: int, how: str = "contiguous") -> None:
    """Compare every call along axis 1 with the host's; `counts`: numbers of first keys."""
    x, n = laid_out(cube, how), cube.shape[1]
    ranks = np.unique([0, 1 % n, n // 3, n // 2, n - 1])
    calls = RANKED | ALONG | {"ranks": lambda x, axis: modern.multiselect(x, ranks, axis=axis)}
    for name, call in calls.items():
        found, wanted = (expected(call, each, 1) for each in (x, cube))
        agree(found, wanted, f"{name} of {cube.shape}, {cube.dtype}")
    for at, count in enumerate(counts):
        check_first(x, cube, min(count, n), at)


def check_first(x: Any, cube: Keys, count: int, at: int) -> None:
    options: Any = {"axis": 1, "largest": at % 2 == 0, "ties": TIES[at // 2 % 2]}
    found, wanted = (modern.topk(each, count, **options) for each in (x, cube))
    agree(found.indices, wanted.indices, "places")
    np.testing.assert_array_equal(bits(found.values.get()), bits(wanted.values))
    some = modern.topk(x, count, sorted=False, **options).indices.get()
    np.testing.assert_array_equal(np.sort(some, axis=1), np.sort(wanted.indices, axis=1))
    found, wanted = (modern.threshold(each, count, axis=1) for each in (x, cube))
    np.testing.assert_array_equal(bits(found.get()), bits(wanted))


def laid_out(cube: Keys, how: str) -> Any:
    """The same array on the GPU, of another layout."""
    if how == "contiguous":
        return put(cube)
    if how == "rows":
        return put_on_gpu(np.ascontiguousarray(cube.transpose(0, 2, 1))).transpose(0, 2, 1)
    outer, length, inner = cube.shape
    wide = np.zeros((outer, length + 3, inner + 5), cube.dtype)
    wide[:, 2:-1, 1:-4] = cube
    if how == "reversed":
        return put_on_gpu(wide)[::-1, 2:-1, 1:-4][::-1][:, ::-1][:, ::-1]
    return put_on_gpu(wide)[:, 2:-1, 1:-4]


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_shape(kind: str) -> None:
    for outer, length, inner in KINDS[kind]:
        rows = rows_awkward(outer * inner, length, "float32")
        many = (300, 5000) if length < 1 << 14 else (2048,)
        check(cube_of(rows, outer, inner), 1, 64, 10, *many)


@pytest.mark.parametrize("dtype", TYPES)
def test_rows_of_every_type(dtype: str) -> None:
    for outer, length, inner in TYPED:
        if dtype == "bfloat16":
            bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
            rows = random_bits(length, (outer * inner, length), "uint16").view(bfloat16)
            with np.errstate(invalid="ignore"):
                rows[::2] = rows_awkward(outer * inner, length, "float32")[::2].astype(bfloat16)
        else:
            rows = rows_awkward(outer * inner, length, dtype)
        check(cube_of(rows, outer, inner), 1, 64)


@pytest.mark.parametrize("how", ["rows", "gaps", "reversed"])
def test_rows_of_every_layout(how: str) -> None:
    for length in (5, 64, 3000):
        rows = rows_awkward(30, length, "float32")
        for outer, inner in ((30, 1), (6, 5)):
            check(cube_of(rows, outer, inner), 17, how=how)


@pytest.mark.parametrize("name", hostile.HOSTILE)
def test_hostile_rows(name: str) -> None:
    """Rows of float32 that are hard for a sample, a histogram or a list."""
    for count, length in ((40, 1024), (40, 8192), (9, 131_072), (2, 1 << 19)):
        keys = hostile.draw(np, name, count * length, dtype="float32", seed=3)
        check(cube_of(keys.reshape(count, length), count, 1), 1, 64, 1024)
        if length == 1024:
            check(cube_of(keys.reshape(count, length), 2, 20), 64)


def test_many_keys_of_the_largest_magnitude() -> None:
    """The least integer has no counterpart above zero: its magnitude is that of no other key."""
    for length, dtype in product((20, 1000, 5000), ("int8", "int64")):
        least = np.iinfo(dtype).min
        for others in ([least], [least + 1], [least, least + 1, 0, 1]):
            keys = np.random.default_rng(length).choice(np.array(others, dtype), (6, length))
            keys[:, length // 2 :: 3] = least
            cube = cube_of(keys, 6, 1)
            check_first(laid_out(cube, "contiguous"), cube, 5, 0)
