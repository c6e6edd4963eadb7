"""Axes of arrays on a GPU: every call against the same call on the host."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import BadOption
from shadersort.keys.types import Keys
from tests.expected import expected
from tests.modern.references import put_on_gpu

pytestmark = pytest.mark.gpu
Call = Callable[[Any, Any], Any]

SHAPES = [(5, 7), (4, 1), (2, 3), (9, 17_000), (2, 3000, 5), (1000, 3)]


def most(k: int, x: Any, axis: Any) -> int:
    """Return k, or the number of keys along an axis if there are fewer."""
    return min(k, x.shape[axis] if isinstance(axis, int) else x.size)


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
    np.testing.assert_array_equal(found.get().astype(wide), expected.astype(wide), err_msg=name)


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
