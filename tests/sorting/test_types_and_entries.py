"""What every entry says of every type: it sorts it, or names the one word to add."""

from collections.abc import Callable

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.errors import UnsupportedKeys
from shadersort.keys.types import WIDE, Keys
from tests.helpers import bits
from tests.sorting.test_wide import by_bits, telling

BLENDED = ["float16", "float32"]
WHOLE = ["int32", "uint32"]
TWO_WORDS = [dtype.name for dtype in WIDE]
SHORT = ["int8", "uint8", "int16", "uint16"]

ENTRIES: dict[str, Callable[..., Keys]] = {
    "sort": ss.sort,
    "sort_windows": lambda keys, **options: ss.sort_windows([keys], **options)[0],
    "equal windows": lambda keys, **options: ss.sort_windows(keys[None], **options)[0],
    "external_sort": ss.external_sort,
    "trace": lambda keys, **options: ss.trace(keys, **options).result,
}
"""Entries whose default is the paper's method."""


def some(dtype: str) -> Keys:
    return np.array([5, 3, 1, 2, 4, 0, 1, 7, 3], dtype)


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_blends_is_blended_and_the_rest_takes_one_word(entry: str, software: Device) -> None:
    sort = ENTRIES[entry]
    for dtype in BLENDED:
        np.testing.assert_array_equal(sort(some(dtype), device=software), np.sort(some(dtype)))
    for dtype in WHOLE if entry == "trace" else WHOLE + TWO_WORDS:
        with pytest.raises(UnsupportedKeys, match=f"{dtype} keys .* Use method='auto'"):
            sort(some(dtype), device=software)
        found = sort(some(dtype), device=software, method="auto")
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, np.sort(some(dtype)))
    for dtype in [*SHORT, "bool"]:
        with pytest.raises(UnsupportedKeys, match=r"pass keys\.astype\(np\.float32\)"):
            sort(some(dtype), device=software)
        rounded = some(dtype).astype(np.float32)
        np.testing.assert_array_equal(sort(rounded, device=software), np.sort(some(dtype)))


@pytest.mark.parametrize("entry", ENTRIES)
def test_doubles_are_rounded_by_one_word(entry: str, software: Device) -> None:
    keys = np.array([0.1, np.nan, -1e300, 3.0])
    with pytest.raises(UnsupportedKeys, match="precision='float32'"):
        ENTRIES[entry](keys, device=software)
    found = ENTRIES[entry](keys, device=software, precision="float32")
    np.testing.assert_array_equal(found, np.array([-np.inf, 0.1, 3, np.nan], np.float32))


def test_pictures_show_keys_of_one_word(software: Device) -> None:
    for dtype in ("int64", "uint64"):
        with pytest.raises(UnsupportedKeys, match=r"pass keys\.astype\(np\.int32\)"):
            ss.trace(some(dtype), method="auto", device=software)


@pytest.mark.parametrize("dtype", BLENDED + WHOLE + TWO_WORDS)
def test_argsort_chooses_its_method(device: Device, dtype: str) -> None:
    keys = np.random.default_rng(4).choice(
        telling(dtype) if dtype in TWO_WORDS else some(dtype), 90
    )
    if dtype == "float64":
        keys[::7] = np.nan
    expected = np.argsort(keys, kind="stable")
    np.testing.assert_array_equal(ss.argsort(keys, device=device), expected)
    ordered, values = ss.sort_records(keys, np.arange(90), device=device)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(bits(ordered), bits(keys[expected]))
    numbers, nans = np.flatnonzero(keys == keys), np.flatnonzero(keys != keys)
    ranks = np.unique(keys[numbers], return_inverse=True)[1]
    downwards = [*numbers[np.argsort(-ranks, kind="stable")], *nans]
    np.testing.assert_array_equal(ss.argsort(keys, device=device, descending=True), downwards)


@pytest.mark.parametrize("dtype", TWO_WORDS)
def test_windows_of_two_words(device: Device, dtype: str) -> None:
    lengths = [0, 1, 2, 3, 5, 8, 8, 8, 7, 1, 100]
    rng = np.random.default_rng(6)
    windows = [rng.choice(telling(dtype), length) for length in lengths]
    if dtype == "float64":
        windows[-1][::9] = -np.nan
    for window, found in zip(
        windows, ss.sort_windows(windows, method="auto", device=device), strict=True
    ):
        np.testing.assert_array_equal(found.view(np.uint64), by_bits(window))
    for shape in ((0, 4), (3, 0), (1, 5), (7, 6)):
        rows = rng.choice(telling(dtype), shape)
        found = ss.sort_windows(rows, method="auto", device=device, descending=True)
        assert (found.shape, found.dtype) == (shape, rows.dtype)
        for row, ordered in zip(rows, found, strict=True):
            np.testing.assert_array_equal(ordered.view(np.uint64), by_bits(row)[::-1])
