"""Keys on a GPU: an array, its traffic, and what launches kernels on it."""

from functools import cache
from typing import Any, Self

import cupy
import numpy as np

from modern.kernels import DTYPES
from modern.launching.waiting import Launcher
from modern.primitives.cells_shape import is_possible
from shadersort.errors import KeysNotFlat, UnsupportedKeys
from shadersort.keys.codes import code, key
from shadersort.keys.stand_ins import is_bfloat16, stand_in_of
from shadersort.keys.types import Key
from shadersort.selection.primitives import Primitives, Traffic, Tuning

FEW = 1 << 22
"""Up to this many keys stay in the second-level cache, where reading them again costs little."""

SAMPLES = 1 << 12
"""Keys of a random sample: they fit into the shared memory of a block, on any GPU."""

WIDEST_DIGIT = 13
"""Bits of the widest digit whose counters fit into shared memory, on any GPU."""

BESIDE = 25 << 10
"""Bytes of shared memory that kernels need beside their counters, with intervals in memory."""

SYMBOLS = 1 << 16
"""Values of a key of 16 bits, or of two neighbouring keys of 8 bits."""

COUNTERS_OF_SYMBOLS = 2 * SYMBOLS
"""Bytes of the counters that a block has for all of them."""

STATIC_OF_COUNTING = 1 << 10
"""The most bytes of shared memory that counting.cu needs beside them."""

CHARACTERS = {dtype.char for dtype in DTYPES} | {"l", "L", "q", "Q"}
"""NumPy's characters of the types; integers of 64 bits have two."""


class GPUKeys(Primitives):
    """What every call of the primitives on a GPU works on; used on the stream it was made on."""

    name = "CUDA"
    divided: tuple[Any, Any] = (None, None)
    """The buckets of the last histogram, and what kernels need of them."""

    def __init__(self, keys: Any, traffic: Traffic | None = None) -> None:
        check(keys)
        self.stand_in = stand_in_of(np.dtype(keys.dtype))
        if self.stand_in is not None:
            keys = self.stand_in.of(keys)
        launcher = Launcher(np.dtype(keys.dtype))
        self.tuning = tuned(launcher.most_shared)
        self._set(cupy.ascontiguousarray(keys), launcher, traffic or Traffic(), False)

    def _set(self, keys: Any, launcher: Launcher, traffic: Traffic, numbers: bool) -> None:
        self.keys, self.traffic = keys, traffic  # a contiguous CuPy array
        self.dtype, self.size = launcher.dtype, int(keys.size)
        self.launcher = launcher  # launches kernels for the type of the keys
        self.ends = finite_ends(launcher.dtype)
        self.numbers = numbers or self.dtype.kind != "f"  # whether it is known that none is a NaN

    def of(self, keys: Any, numbers: bool) -> Self:
        """Return primitives of other keys, which share the traffic; `numbers`: none is a NaN."""
        other = object.__new__(type(self))
        other.tuning = self.tuning
        other._set(keys, self.launcher, self.traffic, numbers or self.numbers)
        return other

    def supports(self, call: str) -> bool:
        """Whether there is a call of its own, which may need a large GPU, and many keys."""
        if call == "cells":
            return is_possible(self.launcher, self.size)
        return super().supports(call) and (call != "counting" or counts_values(self.launcher))

    @property
    def all(self) -> tuple[Any, np.uint64]:
        """The first two arguments of most kernels: the array, and its size."""
        return self.keys, np.uint64(self.size)

    def raw(self, value: int) -> Any:
        """Return an integer as the unsigned type that has the size of a key."""
        return self.launcher.raw.type(value)

    def bits(self, value: Key) -> Any:
        """Return the bits of a key."""
        return self.dtype.type(value).view(self.launcher.raw)

    def key(self, code: int) -> Key:
        """Return the key of a code."""
        return key(code, self.dtype)

    @property
    def last_code(self) -> int:
        """The largest code that the type has."""
        last: int = (1 << 8 * self.dtype.itemsize) - 1
        return last


def check(keys: Any) -> None:
    """Raise an error if kernels cannot select from an array."""
    known = keys.dtype.char in CHARACTERS or keys.dtype.kind == "b" or is_bfloat16(keys.dtype)
    if not known:
        names = ", ".join(("bool", "bfloat16", *(dtype.name for dtype in DTYPES)))
        raise UnsupportedKeys(f"keys of {keys.dtype} cannot be selected from: pass {names}")
    if keys.ndim != 1:
        raise KeysNotFlat(f"keys must have 1 dimension, not {keys.ndim}: pass keys.ravel()")


def as_launched(keys: Any) -> tuple[Any, Launcher]:
    """Return keys as the kernels of one-read and counting read them, and what launches these.

    The keys are contiguous. Those of bfloat16 are not copied; other kernels get float32 for them.
    """
    check(keys)
    dtype = np.dtype(keys.dtype)
    launcher = Launcher(np.dtype(np.uint8) if dtype.kind == "b" else dtype)
    return cupy.ascontiguousarray(keys.view(launcher.raw)), launcher


def counts_values(launcher: Launcher) -> bool:
    """Whether a block has room for a counter for every value of a type of key."""
    room = launcher.most_shared - COUNTERS_OF_SYMBOLS
    return launcher.dtype.itemsize <= 2 and room >= STATIC_OF_COUNTING


@cache
def tuned(most_shared: int) -> Tuning:
    """Return what suits a GPU, given the bytes of shared memory that a block may have."""
    counters = 1 << ((most_shared - BESIDE) // 4).bit_length() - 1
    return Tuning(
        copies=True,
        fused=FEW,
        few=FEW,
        digit=11,
        buckets=1 << 11,
        samples=SAMPLES,
        counters=counters,
    )


@cache
def finite_ends(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the codes of the first and the last finite key that a type has."""
    info: Any = (np.finfo if dtype.kind == "f" else np.iinfo)(dtype)
    return code(dtype.type(info.min)), code(dtype.type(info.max))
