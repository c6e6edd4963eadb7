"""References of sorting, top-k and thresholding, key by key; and keys on the host and on a GPU."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.keys.codes import encode
from shadersort.keys.key_casts import key_cast_of
from shadersort.keys.types import Keys
from shadersort.selection.primitives import Primitives
from tests.expected import expected
from tests.helpers import bits

MANY = (1 << 22) + 5
"""More keys than a GPU's cache holds, and no multiple of what a thread reads at a time."""


def put_on_gpu(keys: Any) -> Any:
    import cupy

    return cupy.asarray(keys)


PLACES = pytest.mark.parametrize(
    "put", [np.asarray, pytest.param(put_on_gpu, marks=pytest.mark.gpu)], ids=["host", "gpu"]
)


def places_and(types: Iterable[str], on_gpu: Iterable[str]) -> pytest.MarkDecorator:
    """Each type with keys on the host, and some with keys on a GPU."""
    there = (pytest.param(put_on_gpu, dtype, marks=pytest.mark.gpu) for dtype in on_gpu)
    return pytest.mark.parametrize(("put", "dtype"), [*product([np.asarray], types), *there])


def pinned(keys: Keys) -> Keys:
    """A copy of keys in memory of the host that a GPU reads by itself."""
    import cupyx

    found: Keys = cupyx.empty_pinned(keys.shape, keys.dtype)
    found[:] = keys
    return found


def on_gpu(keys: Keys, skipped: int = 0) -> Any:
    """The primitives of keys on the GPU, which begin some keys after an allocation does."""
    from modern.primitives.cupy import CuPyPrimitives

    longer = np.concatenate([np.zeros(skipped, keys.dtype), keys])
    return CuPyPrimitives(put_on_gpu(longer)[skipped:])


def sorted_keys(some: Primitives) -> Keys:
    """All keys of primitives, in order."""
    return np.asarray(some.sort().take(range(some.size)))


def back(array: Any) -> Keys:
    """Bring an array to the host."""
    return np.asarray(array.get() if hasattr(array, "get") else array)


def assert_as_one_array(x: Any, keys: Keys, k: int) -> None:
    """Every answer about keys in pieces is that about one array."""
    calls: list[Callable[[Any], Any]] = [
        *(lambda x: modern.select(x, k), lambda x: modern.multiselect(x, [[0, k], [-1, k]])),
        *(modern.median, modern.nanmedian, lambda x: modern.quantile(x, [0.2, 0.5])),
        *(lambda x: modern.nanquantile(x, 0.9), lambda x: modern.quantile(x, 0.9, method="lower")),
    ]
    for call in calls:
        found, wanted = (expected(call, each) for each in (x, keys))
        np.testing.assert_array_equal(found, wanted, strict=True)
    for largest in (True, False):
        tops = (modern.topk(each, k, largest=largest) for each in (x, keys))
        for found, wanted in zip(*tops, strict=True):
            np.testing.assert_array_equal(found, wanted, strict=True)


def assert_permuted(found: Keys, keys: Keys) -> None:
    """The keys found are in the order of `np.sort`, and have the bits of the given keys."""
    assert found.dtype == keys.dtype
    np.testing.assert_array_equal(found, np.sort(keys, kind="stable"))
    np.testing.assert_array_equal(np.sort(bits(found)), np.sort(bits(keys)))


def largest_places(keys: Keys, k: int, largest: bool = True) -> list[int]:
    """Places of the k largest keys, or smallest: of equal keys those that come first."""
    cast = key_cast_of(keys.dtype)
    codes = encode(cast.cast(keys) if cast else keys).tolist()
    sign = -1 if largest else 1
    return sorted(range(len(codes)), key=lambda place: (sign * codes[place], place))[:k]


def magnitudes(keys: Keys) -> Keys:
    """Return |x|, exactly."""
    if keys.dtype.kind == "f":
        return np.abs(keys)
    return np.array([abs(key) for key in keys.tolist()], f"u{keys.itemsize}")


def thresholded(keys: Keys, k: int, kind: str) -> Keys:
    """Threshold one key after the other."""
    order = largest_places(magnitudes(keys), len(keys))
    result = np.zeros_like(keys)
    beyond: Any = magnitudes(keys)[order[k]] if k < len(keys) else 0
    for place in order[:k]:
        key = keys[place]
        if kind == "hard" or k == len(keys):
            result[place] = key
        elif key != key:
            result[place] = np.nan
        elif magnitudes(keys[place : place + 1])[0] > beyond:
            with np.errstate(all="ignore"):
                result[place] = shrunk(key, beyond)
    return result


def shrunk(key: Any, beyond: Any) -> Any:
    """Move a key towards zero, integers without rounding."""
    if key.dtype.kind == "f":
        return np.copysign(abs(key) - beyond, key)
    size = abs(int(key)) - int(beyond)
    return size if key > 0 else -size


def uneasy(dtype: str) -> Keys:
    """Keys with many ties of magnitude, of both signs if the type has signs."""
    rng = np.random.default_rng(8)
    keys = rng.integers(0, 9, 500).astype(dtype)
    return keys if np.dtype(dtype).kind == "u" else keys * rng.choice([-1, 1], 500).astype(dtype)
