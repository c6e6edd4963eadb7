"""The papers' data, drawn where they are measured: on a GPU by CuPy, on the host by NumPy.

The data sets are those of `shadersort.keys.datasets`, but the machine's own generator draws them,
and fills 2^28 keys on a GPU in milliseconds. So their bits are others.
"""

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from shadersort.errors import DidNotConverge, MethodUnavailable, OutOfDeviceMemory, TooManyKeys
from shadersort.keys.datasets import DATASETS
from shadersort.keys.datasets.base import Dtype, RandomKeys
from shadersort.keys.types import Keys

REFUSALS = DidNotConverge, MethodUnavailable, OutOfDeviceMemory, TooManyKeys
"""Errors that a record states in place of a time. A wrong answer is not among them."""


def ensure(right: bool, what: Any) -> None:
    """Raise AssertionError if an answer is wrong."""
    if not right:
        raise AssertionError(f"a wrong answer is not timed: {what}")


class _Generated(RandomKeys):
    """Random numbers of an array module, in single precision unless the keys have more."""

    block = 1 << 24

    def __init__(self, xp: Any, seed: int, dtype: Dtype) -> None:
        self.xp, self._random = xp, xp.random.default_rng(seed)
        self._of: dict[str, Any] = {"dtype": np.float64 if dtype.itemsize == 8 else np.float32}

    def random(self, shape: int | tuple[int, ...]) -> Any:
        return self._random.random(shape, **self._of)

    def standard_normal(self, count: int) -> Any:
        return self._random.standard_normal(count, **self._of)

    def keys(self, n: int, dtype: Dtype, draw: Callable[[int], Any]) -> Keys:
        keys: Keys = self.xp.empty(n, dtype)
        for start in range(0, n, self.block):
            part = keys[start : start + self.block]
            part[:] = draw(part.size)
        return keys

    def raw(self, count: int) -> Any:
        words = self._random.integers(0, 2**32 - 1, 2 * count, dtype=np.uint32, endpoint=True)
        return words.view(np.uint64)

    def shuffle(self, keys: Any) -> None:
        keys[:] = keys[self.xp.argsort(self._random.random(keys.size, dtype=np.float32))]


def exists(name: str, dtype: Any) -> bool:
    """Return whether a data set can be drawn in a type: every one in floats, some in integers."""
    return np.dtype(dtype).kind == "f" or "int32" in DATASETS[name].dtypes


def make(xp: Any, name: str, n: int, *, dtype: Any = "float32", seed: int = 0) -> Any:
    """Return n keys of a data set, as an array of the module `xp`."""
    kind = np.dtype(dtype)
    return DATASETS[name].draw(n, kind, random_keys(xp, seed, kind))


def random_keys(xp: Any, seed: int, dtype: Dtype) -> RandomKeys:
    """Return the random numbers of the generator of an array module."""
    return _Generated(xp, seed, dtype)


class Data:
    """Keys of a distribution on a machine, and the same keys in order."""

    def __init__(self, xp: Any, distribution: str, dtype: str, n: int, seed: int = 1) -> None:
        self.xp, self.n = xp, n
        self.keys = make(xp, distribution, n, dtype=dtype, seed=seed)
        self.ordered = xp.sort(self.keys)

    def on_host(self) -> "Data":
        """Return the same keys in the host's memory."""
        hosted = copy(self)
        hosted.xp = np
        hosted.keys, hosted.ordered = (self.xp.asnumpy(each) for each in (self.keys, self.ordered))
        return hosted

    def right(self, found: Any, ks: Any) -> bool:
        """Return whether these are the keys of some ranks."""
        expected = self.ordered[ks if np.ndim(ks) == 0 else self.xp.asarray(ks)]
        return bool(self.xp.all(self.xp.asarray(found) == expected))

    def check(self, found: Any, ks: Any, what: str) -> None:
        """Raise AssertionError unless these are the keys of some ranks."""
        ensure(self.right(found, ks), what)
