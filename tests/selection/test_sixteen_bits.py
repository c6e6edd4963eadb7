"""Keys of 16 bits are found as integers of 32 bits: all of them have the same order there."""

from typing import Any

import numpy as np
import pytest

import modern
from shadersort.keys.types import Keys
from shadersort.selection.rows import sixteen_bits
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.ordered import in_rows
from shadersort.selection.rows.sixteen_bits import is_widened, narrowed, widened

TYPES = ("float16", "int16", "uint16")
ALL = np.random.default_rng(0).permutation(1 << 16).astype(np.uint16)


@pytest.fixture(params=[1, 1 << 60], ids=["widened", "as they are"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are widened however few they are, or not at all."""
    monkeypatch.setattr(sixteen_bits, "WORTH", request.param)


@pytest.mark.parametrize("dtype", TYPES)
def test_all_keys_have_the_same_order_and_come_back(dtype: str) -> None:
    keys = ALL.view(dtype)
    wide = widened(keys)
    np.testing.assert_array_equal(keys[wide.argsort()], np.sort(keys, kind="stable"))
    found, numbers = narrowed(wide, keys.dtype), keys == keys
    assert found[numbers].tobytes() == keys[numbers].tobytes()
    assert found.dtype == keys.dtype
    assert (found[~numbers] != found[~numbers]).all()
    assert len(set(wide[~numbers].tolist())) <= 1


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("length", [1, 2, 31, 33, 512, 513, 1 << 13])
def test_rows_of_all_keys(dtype: str, length: int) -> None:
    x = ALL[: ALL.size // length * length].view(dtype).reshape(-1, length)[: 1 << 8]
    ordered, rows = np.sort(x, axis=1, kind="stable"), NumPyRows(x[:, :, None])
    for ks in (
        [0],
        [length // 2],
        [length - 1],
        np.unique(np.linspace(0, length - 1, 9, dtype=int)),
    ):
        wanted = np.array(ks)
        np.testing.assert_array_equal(rows.ranks(wanted)[:, :, 0], ordered[:, wanted])
        last = ordered[:, -1:]
        expected = np.where(last == last, ordered[:, wanted], last)
        np.testing.assert_array_equal(rows.ranks_unless_nan(wanted)[:, :, 0], expected)
    own = np.random.default_rng(1).integers(0, length, (len(x), 2, 1))
    expected = np.take_along_axis(ordered, own[:, :, 0], 1)
    np.testing.assert_array_equal(rows.ranks_of_rows(own)[:, :, 0], expected)
    np.testing.assert_array_equal(in_rows(x.copy()), ordered)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("holes", [0, 7])
def test_calls_are_those_of_numpy(dtype: str, holes: int) -> None:
    keys: Any = np.random.default_rng(2).integers(-300, 300, (3, 1501)).astype(dtype)
    if keys.dtype.kind == "f" and holes:
        keys[1, ::holes] = np.nan
    for axis, x in ((1, keys), (0, keys[0]), (0, keys[1])):
        assert_same(modern.select(x, 700, axis=axis), np.partition(x, 700, axis).take(700, axis))
        for name in ("median", "nanmedian"):
            found = getattr(modern, name)(x, axis=axis)
            assert_same(found, getattr(np, name)(x, axis=axis))
        for name in ("quantile", "nanquantile"):
            for q in (0.3, [0.2, 0.8], np.linspace(0, 1, 11)):
                found = getattr(modern, name)(x, q, axis=axis)
                assert_same(found, getattr(np, name)(x, q, axis=axis))


def assert_same(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_zeros_keep_their_signs(zero: float) -> None:
    x = np.full((2, 9), zero, np.float16)
    for found in (modern.select(x[0], 4), modern.select(x, 4), modern.multiselect(x, [4], axis=1)):
        assert (np.signbit(found) == np.signbit(zero)).all()


def test_few_keys_and_wide_ones_stay() -> None:
    many: Keys = np.zeros(sixteen_bits.WORTH, np.int16)
    assert is_widened(many)
    assert not is_widened(many[1:])
    assert not is_widened(many.astype(np.int32))
