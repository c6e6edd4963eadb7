"""Axes of arrays in the host's memory: every call against NumPy, on random shapes and layouts."""

from typing import Any

import numpy as np
import pytest

import modern
from shadersort.keys.types import Keys
from shadersort.selection.quantile_plan import QUANTILE_METHODS
from shadersort.selection.top_keys import KINDS
from tests.expected import expected
from tests.helpers import bits, random_bits
from tests.modern.references import largest_places, thresholded

TYPES = (
    *("float16", "float32", "float64", "int8", "uint8", "int16", "uint16"),
    *("int32", "uint32", "int64", "uint64", ">f4", ">i8"),
)
CAST = ("bool", "datetime64[D]", "timedelta64[s]", ">M8[s]", ">m8[ns]")


def random_array(rng: np.random.Generator, types: tuple[str, ...] = (*TYPES, *CAST)) -> Keys:
    """An array of 1 to 4 dimensions of any layout: few or many different keys, some NaN."""
    shape = tuple(rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 17, 70], rng.integers(1, 5)).tolist())
    shape = shape if np.prod(shape) <= 20_000 else shape[:2]
    dtype = np.dtype(str(rng.choice(types)))
    n = int(np.prod(shape))
    native = dtype.newbyteorder("=")
    if rng.integers(2) and native.kind != "b":
        keys = random_bits(int(rng.integers(1 << 30)), n, native.name)
    else:
        keys = rng.integers(0, rng.choice([1, 3, 100]), n, endpoint=True).astype(native)
    if native.kind == "f":
        keys[np.isnan(keys)] = rng.choice([np.nan, 1])
        keys[rng.random(n) < rng.choice([0, 0.02, 0.6])] = np.nan
        keys[rng.random(n) < 0.05] = -0.0
    if native.kind in "mM":
        keys[rng.random(n) < rng.choice([0, 0.1, 1], p=[0.5, 0.4, 0.1])] = "NaT"
    return laid_out(keys.astype(dtype).reshape(shape), rng)


def laid_out(keys: Keys, rng: np.random.Generator) -> Keys:
    """The same array with other strides: contiguous, transposed, reversed, with gaps.

    Or an array of the same shape that repeats one place of an axis, with a stride of 0.
    """
    order = rng.permutation(keys.ndim)
    keys = np.ascontiguousarray(keys.transpose(order)).transpose(np.argsort(order))
    kind, axis = rng.integers(4), int(rng.integers(keys.ndim))
    if kind == 1:
        return np.flip(np.flip(keys, axis).copy(), axis)
    if kind == 2:
        gaps = np.zeros((*keys.shape, 2), keys.dtype)
        gaps[..., 1] = keys
        return gaps[..., 1]
    if kind == 3:
        return np.broadcast_to(keys.take([-1], axis), keys.shape)
    return keys


def random_axis(rng: np.random.Generator, ndim: int) -> Any:
    kind = rng.integers(4)
    if kind == 0:
        return None
    if kind == 1 and ndim > 1:
        some = rng.permutation(ndim)[: rng.integers(1, ndim + 1)]
        return tuple(int(each) - ndim * int(rng.integers(2)) for each in some)
    return int(rng.integers(-ndim, ndim))


def joined(x: Keys, axis: Any) -> Keys:
    """The array with its rows along the last axis, and the other axes in order before it."""
    named = range(x.ndim) if axis is None else np.atleast_1d(axis).tolist()
    axes = sorted(each % x.ndim for each in named)
    moved = np.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim))
    return moved.reshape(*moved.shape[: x.ndim - len(axes)], -1)


def agree(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(found, expected)
    assert np.shape(found) == np.shape(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype.newbyteorder("=")


def by_numpy(call: Any, x: Keys, *more: Any, **options: Any) -> Any:
    return expected(call, x.astype(x.dtype.newbyteorder("=")), *more, **options)


def random_q(rng: np.random.Generator) -> Any:
    shape = ((), (1,), (3,), (2, 2), (0,), (20,))[rng.integers(6)]
    q = rng.choice([0, 0.25, 0.5, 1, rng.random()], shape).astype(str(rng.choice(["f4", "f8"])))
    return float(q) if not shape and rng.integers(2) else q


def as_numpy(name: str, x: Keys, q: Any = None, **options: Any) -> Any:
    """What NumPy's function of this name returns, without its faults.

    Along an axis, `nanmedian` adds a single middle key to itself, which overflows. If q has several
    dimensions, `nanquantile` mixes them with the others; and if its first row has only NaNs, all
    results get the type of the keys.
    """
    if name == "nanmedian":
        found = np.asarray(by_numpy(np.nanmedian, x, **options))
        rows = joined(x, options["axis"])
        for place, row in enumerate(rows.reshape(-1, rows.shape[-1])):
            if np.isinf(found.flat[place]):
                found.flat[place] = by_numpy(np.nanmedian, row)
        return found[()]
    if name != "nanquantile" or np.ndim(q) < 2:
        more = () if q is None else (q,)
        return by_numpy(getattr(np, name), x, *more, **options)
    found = by_numpy(np.nanquantile, x, np.ravel(q), **options)
    return found.reshape(np.shape(q) + found.shape[1:])


def assert_same(name: str, x: Keys, q: Any = None, **options: Any) -> None:
    found = expected(getattr(modern, name), x, *(() if q is None else (q,)), **options)
    wanted = as_numpy(name, x, q, **options)
    rows = joined(x, options["axis"])
    first = rows.reshape(-1, rows.shape[-1])[0]
    if name == "nanquantile" and (first != first).all():
        found = np.asarray(found).astype(np.asarray(wanted).dtype)[()]
    agree(found, wanted)


@pytest.mark.parametrize("part", range(4))
def test_medians_and_quantiles_of_random_arrays(part: int) -> None:
    rng = np.random.default_rng(part)
    for _ in range(100):
        x = random_array(rng, TYPES)
        where = {"axis": random_axis(rng, x.ndim), "keepdims": bool(rng.integers(2))}
        q, method = random_q(rng), str(rng.choice(QUANTILE_METHODS))
        assert_same("median", x, **where)
        assert_same("nanmedian", x, **where)
        assert_same("quantile", x, q, method=method, **where)
        assert_same("nanquantile", x, q, method=method, **where)


@pytest.mark.parametrize("part", range(4))
def test_ranks_and_places_of_random_arrays(part: int) -> None:
    rng = np.random.default_rng(100 + part)
    for _ in range(100):
        x = random_array(rng)
        kept = x.copy()
        axis, keepdims = random_axis(rng, x.ndim), bool(rng.integers(2))
        rows = by_numpy(joined, x, axis)
        in_order = np.sort(rows, axis=-1, kind="stable")
        n = rows.shape[-1]
        k = int(rng.integers(-n, n))
        expected = in_order[..., k]
        shape = by_numpy(np.max, x, axis=axis, keepdims=keepdims).shape
        agree(modern.select(x, k, axis=axis, keepdims=keepdims), expected.reshape(shape)[()])
        ks = rng.integers(-n, n, ((), (2, 3), (0,), (12,))[rng.integers(4)])
        many = np.moveaxis(in_order[..., ks.ravel()], -1, 0).reshape((*ks.shape, *shape))
        agree(modern.multiselect(x, ks, axis=axis, keepdims=keepdims), many)
        key = in_order[..., k, None]
        equal = (rows == key) | ((rows != rows) & (key != key))
        agree(modern.argselect(x, k, axis=axis), equal.argmax(-1)[()])
        last = n - 1 - equal[..., ::-1].argmax(-1)
        agree(modern.argselect(x, k, axis=axis, ties="highest"), last[()])
        place = np.asarray(modern.argmedian(x, axis=axis))[..., None]
        found, lost = np.take_along_axis(rows, place, -1)[..., 0], (rows != rows).any(-1)
        np.testing.assert_array_equal(found[~lost], in_order[..., (n - 1) // 2][~lost])
        assert (found[lost] != found[lost]).all()
        np.testing.assert_array_equal(bits(x), bits(kept))


@pytest.mark.parametrize("part", range(4))
def test_tops_sorts_and_thresholds_of_random_arrays(part: int) -> None:
    rng = np.random.default_rng(200 + part)
    for _ in range(50):
        x = random_array(rng)
        axis = int(rng.integers(-x.ndim, x.ndim))
        rows = by_numpy(np.moveaxis, x, axis, -1)
        n, flat = rows.shape[-1], rows.reshape(-1, rows.shape[-1])
        k, largest = int(rng.integers(0, n, endpoint=True)), bool(rng.integers(2))
        found = modern.topk(x, k, axis=axis, largest=largest)
        places = np.array([largest_places(row, k, largest) for row in flat], np.int64)
        places = np.moveaxis(places.reshape(*rows.shape[:-1], k), -1, axis)
        agree(found.indices, places)
        native = x.astype(x.dtype.newbyteorder("="))
        taken = np.take_along_axis(native, places, axis)
        np.testing.assert_array_equal(bits(found.values), bits(taken))
        loose = modern.topk(x, k, axis=axis, largest=largest, sorted=False).indices
        np.testing.assert_array_equal(np.sort(loose, axis=axis), np.sort(places, axis=axis))
        high = modern.argtopk(np.flip(x, axis), k, axis=axis, largest=largest, ties="highest")
        np.testing.assert_array_equal(n - 1 - high, places)
        agree(modern.sort(x, axis=axis), np.sort(native, axis=axis, kind="stable"))
        order = np.argsort(native, axis=axis, kind="stable")
        np.testing.assert_array_equal(modern.argsort(x, axis=axis), order)
        for kind in KINDS if x.dtype.kind in "iuf" else ():
            kept = np.array([thresholded(row, k, kind) for row in flat], rows.dtype)
            wanted = np.moveaxis(kept.reshape(rows.shape), -1, axis)
            agree(modern.threshold(x, k, axis=axis, kind=kind), wanted)
