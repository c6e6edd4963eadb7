"""Rows of bfloat16: on a GPU kernels read its bits, and keys are computed with as float32.

Here a class of the host stands for the rows on a GPU, which takes and gives bits, too.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import modern
from modern.rows import asked
from modern.rows.cuda_numbers import numbers_of
from shadersort.keys.stand_ins import BfloatBits, Bfloats, stand_in_of
from shadersort.keys.types import Keys
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.own import OwnRows
from shadersort.selection.rows.protocol import Rows
from tests.modern.test_axes import quiet

ml_dtypes = pytest.importorskip("ml_dtypes")
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
BITS, FLOATS = BfloatBits(BFLOAT16), Bfloats(BFLOAT16)


class Back(Bfloats):
    """float32 for bits, and bits for float32."""

    def back(self, found: Any) -> Any:
        return super().back(found).view(np.uint16)


class BitRows(OwnRows):
    """Rows of bits, answered by rows of float32."""

    def __init__(self, bits: Keys) -> None:
        super().__init__(NumPyRows(FLOATS.of(bits)), Back(BFLOAT16))
        self.keys, self.dtype = bits, bits.dtype


def on_gpu(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answer as if every array with axes were on a GPU; return the types of rows that are made."""
    made: list[str] = []

    def rows(keys: Keys, key_type: Any) -> Rows:
        made.append(keys.dtype.name)
        assert key_type == (BFLOAT16 if keys.dtype == np.uint16 else None)
        return BitRows(keys) if key_type else NumPyRows(keys)

    monkeypatch.setattr(asked, "is_on_gpu", lambda x: True)
    monkeypatch.setattr(asked, "on_device", nullcontext)
    monkeypatch.setattr("modern.rows.cuda.CUDARows", rows)
    return made


def drawn(shape: tuple[int, ...]) -> Keys:
    """Keys with ties, zeros of both signs, infinities and NaNs."""
    random = np.random.default_rng(len(shape))
    keys = random.standard_normal(shape).astype(BFLOAT16)
    for value in (0.0, -0.0, 1.0, np.inf, -np.inf, np.nan):
        keys[random.random(shape) < 0.05] = value
    return keys


WEIGHTS = np.random.default_rng(3).integers(1, 9, (4, 30))

BY_BITS: dict[str, Callable[[Keys], Any]] = {
    "select": lambda x: modern.select(x, -2, axis=1),
    "argselect": lambda x: modern.argselect(x, 1, axis=1, ties="highest"),
    "argmedian": lambda x: modern.argmedian(x, axis=0),
    "median": lambda x: modern.median(x, axis=1, keepdims=True),
    "nanmedian": lambda x: modern.nanmedian(x, axis=0),
    "quantile": lambda x: modern.quantile(x, [0.2, 0.5], axis=1, method="lower"),
    "nanquantile": lambda x: modern.nanquantile(x, 0.3, axis=0, method="higher"),
    "topk": lambda x: modern.topk(x, 3, axis=1),
    "smallest": lambda x: modern.topk(x, 2, axis=0, largest=False, ties="highest"),
    "argtopk": lambda x: modern.argtopk(x, 4, axis=1),
    "sort": lambda x: modern.sort(x, axis=0),
    "threshold": lambda x: modern.threshold(x, 5, axis=1),
}
BY_FLOATS: dict[str, Callable[[Keys], Any]] = {
    "weights": lambda x: modern.quantile(x, 0.4, axis=1, weights=WEIGHTS, method="inverted_cdf"),
    "soft": lambda x: modern.threshold(x, 5, axis=1, kind="soft"),
}


@pytest.mark.parametrize("name", BY_BITS | BY_FLOATS)
def test_answers_are_those_of_the_host(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, x = (BY_BITS | BY_FLOATS)[name], drawn((4, 30))
    expected = quiet(call, x)
    made = on_gpu(monkeypatch)
    found = quiet(call, x)
    assert set(made) == {"uint16" if name in BY_BITS else "float32"}
    both = (found, expected) if isinstance(found, tuple) else ((found,), (expected,))
    for ours, theirs in zip(*both, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours.astype("f8"), theirs.astype("f8"))


def test_bits_stand_in_without_a_copy() -> None:
    keys = drawn((3, 5))
    assert np.shares_memory(BITS.of(keys), keys)
    assert BITS.back(BITS.of(keys)).tobytes() == keys.tobytes()
    assert stand_in_of(BFLOAT16, bits=True) == BITS
    assert stand_in_of(BFLOAT16) == FLOATS
    assert stand_in_of(np.dtype(np.float16), bits=True) is None


@pytest.mark.parametrize(
    "dtype", [BFLOAT16, np.float16, np.float32, np.float64, np.int8, np.uint16]
)
def test_what_bits_say(dtype: Any) -> None:
    """The ends of a type are where its own comparisons see them."""
    told, kind = numbers_of(np.dtype(dtype)), np.dtype(dtype)
    least, most = (np.array(each).view(kind) for each in told.limits)
    if told.infinite is None:
        assert (least, most) == (np.iinfo(dtype).min, np.iinfo(dtype).max)
        return
    assert (float(least), float(most)) == (-np.inf, np.inf)
    assert told.sign == int(np.array(-0.0, dtype).view(told.raw))
