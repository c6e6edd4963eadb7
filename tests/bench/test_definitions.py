"""The definitions that benchmarks check answers by, against references key by key."""

from typing import Any

import numpy as np
import pytest

import modern
from bench.shared.definitions import Definitions, codes_of, magnitudes
from bench.shared.hostile import FLOATS_ALONE, HOSTILE, draw, names_of
from modern import TopK
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from tests.helpers import bits
from tests.modern import references
from tests.selection.inputs import TYPES, awkward


def floats(numbers: list[float]) -> Keys:
    """Keys of float32."""
    return np.array(numbers, np.float32)


def inputs(dtype: str) -> list[Keys]:
    with np.errstate(over="ignore"):  # large float16
        return list(awkward(60, dtype).values())


@pytest.mark.parametrize("dtype", [*TYPES, "int8", "uint8", "int16", "uint16"])
def test_codes_and_magnitudes(dtype: str) -> None:
    for keys in inputs(dtype):
        np.testing.assert_array_equal(codes_of(np, keys), encode(keys))
        np.testing.assert_array_equal(magnitudes(np, keys), references.magnitudes(keys))


@pytest.mark.parametrize("dtype", TYPES)
def test_right_answers_are_right(dtype: str) -> None:
    for keys in inputs(dtype):
        defined, ordered = Definitions(np, keys), np.sort(keys)
        assert defined.are_keys(ordered[7], 7)
        assert defined.are_keys(ordered[[[3, -1]]], [[3, 59]])
        with np.errstate(all="ignore"):
            assert defined.is_median(np.median(keys), of_numbers=False)
            if (keys == keys).any():
                assert defined.is_median(np.nanmedian(keys), of_numbers=True)
        for k in (0, 1, 20, 59, 60):
            for largest in (True, False):
                places = np.array(references.largest_places(keys, k, largest), np.int64)
                assert defined.is_top(TopK(keys[places], places), k, largest=largest)
            for kind in ("hard", "soft"):
                assert defined.is_threshold(references.thresholded(keys, k, kind), k, kind)


def test_medians_of_nans_alone() -> None:
    for count in (1, 2):
        defined = Definitions(np, np.full(count, np.nan, np.float32))
        for of_numbers in (False, True):
            assert defined.is_median(np.float32("nan"), of_numbers=of_numbers)
            assert not defined.is_median(np.float32(0), of_numbers=of_numbers)


def test_wrong_keys_are_wrong() -> None:
    defined = Definitions(np, floats([3, np.nan, -0.0, 5]))
    assert defined.are_keys(np.float32(0), 0)
    assert not defined.are_keys(np.float32(3), 0)
    assert not defined.are_keys(np.float32("nan"), 2)
    assert not defined.are_keys(np.float64(0), 0)
    assert not defined.are_keys(floats([0]), 0)
    assert not defined.are_keys(floats([0, 5]), [0, 1])
    assert not defined.is_median(np.float32(3), of_numbers=False)
    assert not defined.is_median(np.float32(4), of_numbers=True)
    assert not defined.is_median(np.float64(3), of_numbers=True)


def test_wrong_tops_are_wrong() -> None:
    keys = floats([2, 7, 7, 0.0, -0.0])
    defined = Definitions(np, keys)

    def is_right(values: list[float], places: Any, **by: bool) -> bool:
        return defined.is_top(TopK(floats(values), np.asarray(places)), len(places), **by)

    assert is_right([7, 7, 2], [1, 2, 0], largest=True)
    assert not is_right([7, 7, 2], [2, 1, 0], largest=True)
    assert not is_right([7, 7, 3], [1, 2, 0], largest=True)
    assert not is_right([7, 7, 2], np.array([1, 2, 0], np.int32), largest=True)
    assert is_right([0.0, -0.0], [3, 4], largest=False)
    assert not is_right([0.0, 0.0], [3, 4], largest=False)


def test_wrong_thresholds_are_wrong() -> None:
    keys = floats([2, -7, 7, np.nan, 1])
    defined = Definitions(np, keys)
    assert defined.is_threshold(floats([0, -7, 0, np.nan, 0]), 2, "hard")
    assert not defined.is_threshold(floats([0, 0, 7, np.nan, 0]), 2, "hard")
    assert not defined.is_threshold(floats([-0.0, -7, 0, np.nan, 0]), 2, "hard")
    assert not defined.is_threshold(floats([0, -7, 0, np.nan]), 2, "hard")
    assert defined.is_threshold(floats([0, -5, 5, np.nan, 0]), 3, "soft")
    assert not defined.is_threshold(floats([0, 5, 5, np.nan, 0]), 3, "soft")
    assert not defined.is_threshold(floats([0, -5, 5, 0, 0]), 3, "soft")


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, t) for t in TYPES for n in names_of(t) if n in HOSTILE]
)
def test_hostile_keys(name: str, dtype: str) -> None:
    keys = draw(np, name, 5000, dtype=dtype, seed=3)
    assert (keys.dtype, keys.size, keys.flags.c_contiguous) == (dtype, 5000, True)
    np.testing.assert_array_equal(bits(keys), bits(draw(np, name, 5000, dtype=dtype, seed=3)))
    distinct = np.unique(bits(keys)).size
    assert 1 < distinct <= 5000
    if name in ("few values", "least denormals"):
        assert distinct <= 64


def test_what_hostile_keys_are() -> None:
    assert set(HOSTILE) - set(FLOATS_ALONE) <= set(names_of("int64"))
    halves = draw(np, "half NaN", 10_000, dtype="float16", seed=1)
    assert 4500 < np.count_nonzero(np.isnan(halves)) < 5500
    least = draw(np, "least denormals", 10_000, dtype="float64", seed=1)
    assert set(np.abs(least) / np.finfo(np.float64).smallest_subnormal) == {0, 1, 2, 3}
    assert np.signbit(least[least == 0]).any()
    runs = draw(np, "runs", 10_000, dtype="int32", seed=1)
    assert np.count_nonzero(np.diff(runs)) < 5000
    nested = np.abs(draw(np, "nested scales", 10_000, dtype="float32", seed=1))
    assert np.median(nested) < 1
    assert np.quantile(nested, 0.1) < 1e-5
    assert np.isnan(draw(np, "random bits", 10_000, dtype="float16", seed=1)).any()
    periods = [draw(np, "periodic", 100_000, dtype="int64", seed=seed) for seed in range(5)]
    for keys in periods:
        again = np.flatnonzero(keys == keys[0])
        assert again.size > 1
        period = int(again[1]) if again.size > 1 else 0
        np.testing.assert_array_equal(keys[period:], keys[:-period])


def test_functions_are_right_by_these_definitions() -> None:
    keys = draw(np, "random bits", 3000, dtype="float32", seed=4)
    defined = Definitions(np, keys.copy())
    with np.errstate(all="ignore"):
        assert defined.are_keys(modern.select(keys, 2990), 2990)
        assert defined.is_top(modern.topk(keys, 30), 30, largest=True)
        assert defined.is_threshold(modern.threshold(keys, 40, kind="soft"), 40, "soft")
