"""The sort as a piece: in a frame it sorts as `ss.sort`, and says what it cannot do."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import FrameLocator, Page, expect

import shadersort as ss
from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.web.piece import Piece
from shadersort.web.pieces.sort import MOST_KEYS, TYPES, sort_piece, typed_keys
from tests.web.conftest import Open, both_drivers

DEFAULT = sort_piece()
EXTREMES = [3, np.nan, -0.0, 1e-40, np.inf, 0.1, -np.inf, 7, 0, -1e-7, 6e-8]
"""Hardware may change some of these; 6e-8 is a denormal half, and 1e-40 a denormal float."""


def framed(opened: Open, piece: Piece = DEFAULT) -> tuple[Page, FrameLocator]:
    """Open a piece in the frame of a notebook; return the notebook and the frame."""
    page = opened(Piece("a notebook", f"<!doctype html><title>notebook</title>{piece.frame}"))
    page.set_viewport_size({"width": 850, "height": 1300})
    return page, page.frame_locator("iframe")


def sorted_keys(frame: Any, dtype: str) -> Keys:
    words = frame.get_by_label("Sorted keys").input_value().split()
    return np.array(words, dtype)


def assert_sorted(frame: Any, keys: Keys) -> None:
    found = sorted_keys(frame, keys.dtype.name)
    expected = ss.sort(keys, method="fragment", device="software")
    assert found[found == found].tobytes() == expected[expected == expected].tobytes()
    assert np.isnan(found).tolist() == np.isnan(expected).tolist()


def some_keys(dtype: np.dtype[Any]) -> Keys:
    """Keys of any bits."""
    random = np.random.default_rng(0)
    return random.integers(0, 256, 500 * dtype.itemsize, np.uint8).view(dtype)


# ---- In Python.


def test_types_of_keys() -> None:
    given: list[tuple[Any, Keys]] = [
        ([3, 1], np.array([3, 1], np.float32)),
        (np.array([0.1], np.float16), np.array([0.1], np.float16)),
        (np.array([-1], np.int32), np.array([-1], np.int32)),
        (np.array([0.1, 1e300]), np.array([0.1, np.inf], np.float32)),
        ([], np.array([], np.float32)),
    ]
    for keys, expected in given:
        np.testing.assert_array_equal(typed_keys(keys), expected, strict=True)


def test_what_cannot_be_sorted_is_named() -> None:
    refused: list[tuple[type[Exception], Any, dict[str, Any], str]] = [
        (errors.UnsupportedKeys, ["a"], {}, "keys of <U1 fit no texture"),
        (errors.UnsupportedKeys, [2**24 + 1], {}, "float32 does not hold all of these keys"),
        (errors.KeysNotFlat, [[1]], {}, r"keys\.ravel"),
        (errors.TooManyKeys, range(MOST_KEYS + 1), {}, "the piece sorts at most 4,096"),
        (errors.UnknownName, None, {"network": "bubble"}, "'bubble': use 'pbsn'"),
    ]
    for error, keys, options, said in refused:
        with pytest.raises(error, match=said):
            sort_piece(keys, **options)


# ---- In the frame of a notebook.


@both_drivers
@pytest.mark.parametrize("dtype", [*map(np.dtype, TYPES)], ids=str)
def test_keys_from_python(opened: Open, dtype: np.dtype[Any]) -> None:
    """Keys of any bits are read as they were, and sorted as `ss.sort` sorts them."""
    keys = some_keys(dtype)
    if dtype.kind == "f":
        keys = np.concatenate([keys, np.array(EXTREMES, np.float32).astype(dtype)])
    _, frame = framed(opened, sort_piece(keys))
    expect(frame.locator("h2").first).to_contain_text(f"{len(keys)} {dtype} keys")
    words = np.array(frame.get_by_label("My own keys").input_value().split(), dtype)
    assert np.array_equal(words, keys, equal_nan=dtype.kind == "f")
    assert_sorted(frame, keys)


def test_a_driver_that_sorts_wrongly_is_named(opened: Open) -> None:
    page = opened(sort_piece([3, 1, 2]))
    page.evaluate("() => { mergeChannels = (texels, n) => texels.slice(0, n).fill(7); }")
    page.get_by_label("My own keys").fill("4 1 2 6")
    expect(page.get_by_role("alert")).to_contain_text("driver compares float32 keys wrongly")
