"""Keys on a GPU: an array, its traffic, and what launches kernels on it."""

from functools import cache
from typing import Any, Self

import cupy
import numpy as np

from modern.kernels import DTYPES
from modern.launching.launch import Launcher
from shadersort.errors import KeysNotFlat, UnsupportedKeys
from shadersort.keys.codes import code, key
from shadersort.keys.types import Key
from shadersort.selection.primitives import Primitives, Traffic, Tuning

__all__ = ["FEW", "SAMPLES", "WIDEST_DIGIT", "GPUKeys"]

FEW = 1 << 22
"""So few keys stay in the second-level cache, where reading them again costs next to nothing."""

SAMPLES = 1 << 12
"""Keys of a random sample: so many fit into the shared memory of a block, of any GPU."""

WIDEST_DIGIT = 13
"""Bits of a digit whose counters fit into shared memory, of any GPU."""

BESIDE = 25 << 10
"""Bytes of shared memory that kernels have beside their counters, with intervals in memory."""

CHARACTERS = {dtype.char for dtype in DTYPES} | {"l", "L", "q", "Q"}
"""What NumPy calls the types; integers of 64 bits have two names."""


class GPUKeys(Primitives):
    """What all primitives on a GPU need. They are used on the stream on which they were made."""

    name = "CUDA"

    def __init__(self, keys: Any, traffic: Traffic | None = None) -> None:
        if keys.dtype.char not in CHARACTERS:
            names = ", ".join(dtype.name for dtype in DTYPES)
            raise UnsupportedKeys(f"keys of {keys.dtype} cannot be selected from: pass {names}")
        if keys.ndim != 1:
            raise KeysNotFlat(f"keys must have 1 dimension, not {keys.ndim}: pass keys.ravel()")
        launcher = Launcher(np.dtype(keys.dtype))
        self.tuning = tuned(launcher.most_shared)
        self._set(cupy.ascontiguousarray(keys), launcher, traffic or Traffic(), False)

    def _set(self, keys: Any, launcher: Launcher, traffic: Traffic, numbers: bool) -> None:
        self.keys, self.traffic = keys, traffic
        self.dtype, self.size = launcher.dtype, int(keys.size)
        self._launcher, self._ends = launcher, finite_ends(launcher.dtype)
        self._numbers = numbers or self.dtype.kind != "f"

    def _of(self, keys: Any, numbers: bool) -> Self:
        """Return primitives of other keys, which share the traffic; `numbers`: none is a NaN."""
        other = object.__new__(type(self))
        other.tuning = self.tuning
        other._set(keys, self._launcher, self.traffic, numbers or self._numbers)
        return other

    @property
    def _all(self) -> tuple[Any, np.uint64]:
        return self.keys, np.uint64(self.size)

    def _raw(self, value: int) -> Any:
        return self._launcher.raw.type(value)

    def _bits(self, value: Key) -> Any:
        return self.dtype.type(value).view(self._launcher.raw)

    @property
    def _last_code(self) -> int:
        last: int = (1 << 8 * self.dtype.itemsize) - 1
        return last

    def _key(self, value: int) -> Key:
        return key(value, self.dtype)


@cache
def tuned(most_shared: int) -> Tuning:
    """Return what suits a GPU, given the bytes of shared memory that a block may have."""
    counters = 1 << ((most_shared - BESIDE) // 4).bit_length() - 1
    return Tuning(
        copies=True,
        ranks=True,
        few=FEW,
        digit=11,
        buckets=1 << 11,
        samples=SAMPLES,
        counters=counters,
    )


@cache
def finite_ends(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the codes of the first and the last finite key that there can be."""
    info: Any = (np.finfo if dtype.kind == "f" else np.iinfo)(dtype)
    return code(dtype.type(info.min)), code(dtype.type(info.max))
