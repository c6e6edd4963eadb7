"""What every entry says of every type: it sorts it, or names the one word to add."""

from collections.abc import Callable

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.errors import UnsupportedKeys
from shadersort.keys.types import BLENDED, WIDE, Keys

WHOLE = ["int32", "uint32"]
TWO_WORDS = [dtype.name for dtype in WIDE]
SHORT = ["int8", "int16", "uint16"]

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
    for keys in (some(dtype.name) for dtype in BLENDED):
        np.testing.assert_array_equal(sort(keys, device=software), np.sort(keys), strict=True)
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
