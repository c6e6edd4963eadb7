"""Rows on a GPU: every shape, type and layout against NumPy, and data hostile to samples."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest

from modern.rows.cuda_shapes import MOST_SAMPLES, blocks_for, staged
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST, order_codes
from tests.selection.inputs import EVERY, TYPES, awkward

gpu = pytest.mark.gpu
LENGTHS = [1, 2, 3, 16, 31, 32, 33, 64, 65, 1000, 1023, 1024, 1025, 4096, 5001, 12_287, 70_001]


@pytest.mark.parametrize("most", [64 << 10, 99 << 10, 163 << 10, 227 << 10])
@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
def test_every_launch_fits(most: int, itemsize: int) -> None:
    for length, rows in product(
        (1025, 5000, 1 << 15, 1 << 17, 1 << 20, 1 << 24), (1, 200, 1 << 20)
    ):
        shape = blocks_for(length, rows, itemsize, 132, most)
        assert shape.shared <= most - (1 << 10)
        assert shape.threads in (128, 256, 512, 1024)
        assert 0 <= shape.samples <= MOST_SAMPLES
        sampled = shape.threads * shape.samples * 16 // itemsize
        if sampled:
            assert staged(length, sampled) <= shape.threads * shape.capacity / 2


def rows_of(keys: Keys) -> Any:
    """The rows of an array (outer, length, inner), on the GPU."""
    import cupy

    from modern.rows.cuda import CUDARows

    return CUDARows(cupy.asarray(keys))


def strided(rows: Keys, outer: int, inner: int, how: str) -> Any:
    """Rows (outer * inner, length) as a CuPy array (outer, length, inner) of some layout."""
    import cupy

    cube = rows.reshape(outer, inner, -1).transpose(0, 2, 1)
    if how == "contiguous":
        return cupy.asarray(np.ascontiguousarray(cube))
    if how == "rows":
        return cupy.asarray(np.ascontiguousarray(cube.transpose(0, 2, 1))).transpose(0, 2, 1)
    wide = np.zeros((outer, cube.shape[1] + 3, inner + 5), rows.dtype)
    wide[:, 2:-1, 1:-4] = cube
    if how == "reversed":
        return cupy.asarray(wide)[::-1, 2:-1, 1:-4][::-1][:, ::-1][:, ::-1]
    return cupy.asarray(wide)[:, 2:-1, 1:-4]


def median(keys: Keys, nan: bool) -> Keys:
    """Medians by NumPy; nanmedian row by row, as that of an axis overflows near the end."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if not nan:
            return np.asarray(np.median(keys, axis=1))
        return np.asarray(np.apply_along_axis(np.nanmedian, 1, keys))


def check(cube: Any) -> None:
    """Compare all that is found in rows with NumPy."""
    from modern.rows.cuda import CUDARows

    rows, keys = CUDARows(cube), cube.get()
    outer, length, inner = keys.shape
    ordered = np.sort(keys, axis=1)
    ks = np.unique([0, 1 % length, length // 3, length // 2, length - 1])
    np.testing.assert_array_equal(rows.ranks(ks).get(), ordered[:, ks])
    own = np.random.default_rng(length).integers(0, length, (outer, 2, inner))
    np.testing.assert_array_equal(
        rows.ranks_of_rows(own).get(), np.take_along_axis(ordered, own, 1)
    )
    for nan in (False, True):
        found = rows.medians(nan).get()
        expected = median(keys, nan)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(rows.numbers().get(), np.sum(keys == keys, axis=1))


def rows_awkward(count: int, length: int, dtype: str) -> Keys:
    """Rows, each another awkward input."""
    with np.errstate(over="ignore"):
        inputs = list(awkward(length, dtype).values())
    return np.stack([inputs[i % len(inputs)] for i in range(count)])


@gpu
@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("length", LENGTHS)
def test_every_length_and_type(length: int, dtype: str) -> None:
    rows = rows_awkward(36, length, dtype)
    check(strided(rows, 36, 1, "contiguous"))
    check(strided(rows, 4, 9, "contiguous"))


@gpu
@pytest.mark.parametrize("how", ["rows", "gaps", "reversed"])
@pytest.mark.parametrize("length", [5, 40, 1024, 3000])
def test_every_layout(length: int, how: str) -> None:
    rows = rows_awkward(30, length, "float32")
    for outer, inner in ((30, 1), (1, 30), (6, 5), (2, 15)):
        check(strided(rows, outer, inner, how))


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
    if name == "sorted":
        return np.sort(normal, axis=1)
    if name == "periodic":
        return np.tile(normal[:, : length // 8], 8)
    if name == "nans":
        normal[random.random(normal.shape) < 0.6] = -np.nan
        return normal
    raise AssertionError(name)


@gpu
@pytest.mark.parametrize("name", ["geometric", "few", "boundary", "sorted", "periodic", "nans"])
@pytest.mark.parametrize("length", [256, 1024, 8192, 131_072])
def test_hostile_rows(name: str, length: int) -> None:
    rows = hostile_rows(name, 40, length)
    check(strided(rows, 40, 1, "contiguous"))
    check(strided(rows, 5, 8, "contiguous"))


@gpu
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("length", [1025, 4096, 4097, 8191])
def test_rows_that_warps_read_in_memory(
    length: int, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise only many rows are read so."""
    monkeypatch.setattr("modern.rows.cuda_ranks.WARPS", 0)
    rows = rows_awkward(36, length, dtype)
    check(strided(rows, 36, 1, "contiguous"))
    check(strided(rows, 4, 9, "contiguous"))
    check(strided(rows, 36, 1, "gaps"))


@gpu
@pytest.mark.parametrize("name", ["geometric", "few", "boundary", "sorted", "periodic", "nans"])
def test_hostile_rows_that_warps_read_in_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modern.rows.cuda_ranks.WARPS", 0)
    for length in (4096, 8192):
        check(strided(hostile_rows(name, 300, length), 300, 1, "contiguous"))


@gpu
@pytest.mark.parametrize("dtype", TYPES)
def test_long_columns(dtype: str) -> None:
    """One read of many columns, awkward ones and random ones; ties with the largest integer."""
    length, random = 20_001, np.random.default_rng(5)
    rows = rows_awkward(70, length, dtype)
    if np.dtype(dtype).kind == "f":
        rows[::2] = random.standard_normal((35, length)).astype(dtype)
        rows[4, ::9] = rows[6, 5] = np.nan
    else:
        most = np.iinfo(dtype).max
        rows[::2] = most - random.integers(0, 1 << 28, (35, length)).astype(dtype)
        rows[4, ::3] = most
    check(strided(rows, 1, 70, "contiguous"))
    check(strided(rows, 2, 35, "gaps"))


@gpu
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("shape", [(1, 17_000, 40), (17_000, 40, 1)])
def test_nearly_all_keys_are_equal(shape: tuple[int, int, int], dtype: str) -> None:
    """The bracket of a long column then holds nearly all keys: more than there is room for."""
    cube = (np.random.default_rng(2).random(shape) > 0.01).astype(dtype)
    check(strided(cube.transpose(0, 2, 1).reshape(-1, shape[1]), shape[0], shape[2], "contiguous"))


@gpu
@pytest.mark.parametrize("dtype", ["int32", "uint64"])
@pytest.mark.parametrize("length", [900, 5000, 70_000])
def test_rows_with_many_of_the_largest_integer(length: int, dtype: str) -> None:
    most, random = np.iinfo(dtype).max, np.random.default_rng(5)
    rows = most - random.integers(0, 1 << 28, (20, length)).astype(dtype)
    for i, row in enumerate(rows):
        row[: length * i // 20] = most
    check(strided(rows, 20, 1, "contiguous"))
    check(strided(rows, 2, 10, "contiguous"))


@gpu
def test_few_long_rows() -> None:
    rows = np.random.default_rng(4).standard_normal((3, (1 << 21) + 5)).astype(np.float32)
    rows[1, ::7] = np.nan
    check(strided(rows, 3, 1, "contiguous"))
    check(strided(rows, 1, 3, "contiguous"))


@gpu
@pytest.mark.parametrize("dtype", EVERY)
@pytest.mark.parametrize("by", [LARGEST, SMALLEST, MAGNITUDE])
@pytest.mark.parametrize(
    ("length", "count"), [(7, 3), (33, 33), (1000, 10), (5000, 64), (5000, 700)]
)
def test_first_of_rows(length: int, count: int, by: int, dtype: str) -> None:
    keys = rows_awkward(24, length, dtype)
    for outer, inner, ties, in_order in product(
        (24, 6), (1, 4), ("lowest", "highest"), (True, False)
    ):
        if outer * inner != 24:
            continue
        cube = keys.reshape(outer, inner, length).transpose(0, 2, 1)
        codes = order_codes(cube.copy(), by)
        turned = codes[:, ::-1] if ties == "highest" else codes
        places = np.argsort(turned, axis=1, kind="stable")[:, :count]
        places = length - 1 - places if ties == "highest" else places
        places = places if in_order else np.sort(places, axis=1)
        values, found = rows_of(cube).first(by, count, in_order, ties)
        np.testing.assert_array_equal(found.get(), places)
        np.testing.assert_array_equal(values.get(), np.take_along_axis(cube, places, 1))


@gpu
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64"])
@pytest.mark.parametrize("count", [17, 64, 300, 999])
def test_many_first_of_rows(count: int, dtype: str) -> None:
    """A lane then sorts several of them."""
    keys = rows_awkward(24, 1000, dtype)
    expected = np.argsort(order_codes(keys, LARGEST), axis=1, kind="stable")[:, :count]
    for in_order in (True, False):
        values, places = rows_of(keys[:, :, None]).first(LARGEST, count, in_order, "lowest")
        wanted = expected if in_order else np.sort(expected, axis=1)
        np.testing.assert_array_equal(places.get()[..., 0], wanted)
        np.testing.assert_array_equal(values.get()[..., 0], np.take_along_axis(keys, wanted, 1))


@gpu
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("length", [20, 1000, 5000])
def test_many_keys_of_the_largest_magnitude(length: int, dtype: str) -> None:
    """The least integer has no counterpart above zero: its magnitude is that of no other key."""
    least = np.iinfo(dtype).min
    for others in ([least], [least + 1], [least, least + 1, 0, 1]):
        keys = np.random.default_rng(length).choice(np.array(others, dtype), (6, length))
        keys[:, length // 2 :: 3] = least
        places = np.argsort(order_codes(keys, MAGNITUDE), axis=1, kind="stable")[:, :5]
        for cube in (keys[:, :, None], keys.T[None]):
            found = rows_of(cube).first(MAGNITUDE, 5, True, "lowest")[1].get()
            np.testing.assert_array_equal(found[..., 0] if len(cube) > 1 else found[0].T, places)


@gpu
@pytest.mark.parametrize("dtype", EVERY)
def test_sorted_rows_and_places(dtype: str) -> None:
    keys = rows_awkward(24, 999, dtype)
    cube = keys.reshape(6, 4, 999).transpose(0, 2, 1)
    rows = rows_of(cube)
    np.testing.assert_array_equal(rows.sorted().get(), np.sort(cube, axis=1))
    wanted = rows.ranks(np.array([500]))[:, 0]
    same = encode(cube.copy()) == encode(wanted.get())[:, None]
    lowest, highest = rows.places(wanted, "lowest").get(), rows.places(wanted, "highest").get()
    np.testing.assert_array_equal(lowest, np.argmax(same, axis=1))
    np.testing.assert_array_equal(highest, 998 - np.argmax(same[:, ::-1], axis=1))


@gpu
def test_nothing_waits() -> None:
    import cupy

    x = cupy.random.default_rng(1).standard_normal((64, 3000, 2), dtype=cupy.float32)
    from modern.rows.cuda import CUDARows

    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.Device().synchronize()
    with stream:
        CUDARows(x).medians(False)  # compiled, and all memory is in the pool
        stream.synchronize()
        stream.begin_capture()
        found = CUDARows(x).medians(False)
        graph = stream.end_capture()
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(found.get(), np.median(x.get(), axis=1))
