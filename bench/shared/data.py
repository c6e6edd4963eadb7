"""The papers' data, drawn where they are measured: on a GPU by CuPy, on the host by NumPy.

The names are those of `shadersort.keys.datasets`, whose data are the same bits everywhere. These
are not: the device's own generator draws them, and fills 2^28 keys in milliseconds.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.errors import (
    DidNotConverge,
    DtypeUnavailable,
    MethodUnavailable,
    OutOfDeviceMemory,
    TooManyKeys,
    UnknownDataSet,
    choices,
)
from shadersort.keys import datasets

__all__ = ["DATA", "OF_INTEGERS", "REFUSALS", "WRONG", "Data", "make"]

WRONG = "a wrong answer is not timed: {}"

REFUSALS = DidNotConverge, MethodUnavailable, OutOfDeviceMemory, TooManyKeys
"""Errors that a record states in place of a time. A wrong answer is not among them."""

Rng = Any
Keys = Any
Make = Callable[[Any, Rng, int, np.dtype[Any]], Keys]

SPREAD = 2.0 ** np.arange(32, -33, -1)
"""The keys of Bucket Killer that are far apart."""


def make(xp: Any, name: str, n: int, *, dtype: Any = "float32", seed: int = 0) -> Keys:
    """Return n keys of a data set, as an array of the module `xp`.

    Examples
    --------
    >>> make(np, "ones", 3, dtype="int32")
    array([1, 1, 1], dtype=int32)
    """
    if name not in DATA:
        raise UnknownDataSet(f"no data set is called {name!r} here: use {choices(DATA)}")
    kind = np.dtype(dtype)
    if kind.kind != "f" and name not in OF_INTEGERS:
        raise DtypeUnavailable(f"{name!r} cannot be had in {kind}")
    return DATA[name](xp, xp.random.default_rng(seed), n, kind)


def _uniform(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    if dtype.kind == "f":
        return (1 - rng.random(n, dtype=_drawn(dtype))).astype(dtype, copy=False)
    words = n * dtype.itemsize // 4 + 1
    bits = rng.integers(0, 2**32 - 1, words, dtype=np.uint32, endpoint=True)
    return bits.view(dtype)[:n].copy() if dtype.itemsize <= 4 else bits[: words - 1].view(dtype)


def _uniform_wide(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return (1e6 - 2e6 * rng.random(n, dtype=_drawn(dtype))).astype(dtype, copy=False)


def _normal(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return rng.standard_normal(n, dtype=_drawn(dtype)).astype(dtype, copy=False)


def _normal_wide(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return 10 * _normal(xp, rng, n, dtype)


def _half_normal(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return xp.abs(_normal(xp, rng, n, dtype))


def _beta(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return rng.beta(2, 5, n).astype(dtype)


def _cauchy(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return _normal(xp, rng, n, dtype) / _normal(xp, rng, n, dtype)


def _far(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return 100 + _normal(xp, rng, n, dtype)


def _tens(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return xp.full(n, 10, dtype)


def _mixture(near: Make, share: Callable[[int], int], far: Make) -> Make:
    """Mix two kinds of keys, as many of the near as `share` says, in a random order."""

    def draw(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
        count = min(share(n), n)
        parts = [near(xp, rng, count, dtype), far(xp, rng, n - count, dtype)]
        return _shuffled(xp, rng, xp.concatenate(parts))

    return draw


def _shuffled(xp: Any, rng: Rng, keys: Keys) -> Keys:
    return keys[xp.argsort(rng.random(keys.size, dtype=np.float32))]


def _ones(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return xp.ones(n, dtype)


def _ones_and_twos(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    keys = xp.ones(n, dtype)
    keys[: n // 20] = 2
    return _shuffled(xp, rng, keys)


def _sorted(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return xp.sort(_uniform(xp, rng, n, dtype))


def _reversed(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    return _sorted(xp, rng, n, dtype)[::-1].copy()


def _bucket_killer(xp: Any, rng: Rng, n: int, dtype: np.dtype[Any]) -> Keys:
    spread = xp.asarray(SPREAD[:n].astype(dtype))
    close = 2.0**-32 * (1 + _uniform(xp, rng, n - spread.size, dtype) / 1024)
    return _shuffled(xp, rng, xp.concatenate([spread, close.astype(dtype, copy=False)]))


def _drawn(dtype: np.dtype[Any]) -> Any:
    """Return the type that generators draw: single precision for halves."""
    return np.float64 if dtype.itemsize == 8 else np.float32


def _two_thirds(n: int) -> int:
    return 2 * n // 3


def _half_and_one(n: int) -> int:
    return n // 2 + 1


def _nine_tenths(n: int) -> int:
    return 9 * n // 10


DATA: dict[str, Make] = {
    "uniform": _uniform,
    "normal": _normal,
    "half-normal": _half_normal,
    "beta": _beta,
    "mixture-1": _mixture(_normal, _two_thirds, _far),
    "mixture-2": _mixture(_normal, _half_and_one, _far),
    "mixture-3": _mixture(_half_normal, _nine_tenths, _tens),
    "mixture-4": _mixture(_half_normal, _two_thirds, _far),
    "mixture-5": _mixture(_half_normal, _half_and_one, _far),
    "uniform-wide": _uniform_wide,
    "normal-wide": _normal_wide,
    "cauchy": _cauchy,
    "sorted": _sorted,
    "reversed": _reversed,
    "ones": _ones,
    "ones-and-twos": _ones_and_twos,
    "bucket-killer": _bucket_killer,
}
"""How each data set is drawn."""

OF_INTEGERS = ("uniform", "sorted", "reversed", "ones", "ones-and-twos")
"""Those that can be had as integers."""


class Data:
    """Keys of a distribution on a machine, and the same keys in order."""

    def __init__(self, xp: Any, distribution: str, dtype: str, n: int) -> None:
        if distribution in DATA:
            self.keys = make(xp, distribution, n, dtype=dtype, seed=1)
        else:
            self.keys = xp.asarray(datasets.make(distribution, n, dtype=dtype, seed=1))
        self.xp, self.n = xp, n
        self.ordered = xp.sort(self.keys)

    def check(self, found: Any, ks: Any, what: str) -> None:
        """Raise AssertionError unless these are the keys of some ranks."""
        expected = self.ordered[ks if np.ndim(ks) == 0 else self.xp.asarray(ks)]
        if not bool(self.xp.all(self.xp.asarray(found) == expected)):
            raise AssertionError(WRONG.format(what))
