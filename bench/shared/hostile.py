"""Keys that are hostile to a sampled bracket, to counters, or to floats: no paper's data.

They are drawn as the papers' data are, by the generator of an array module.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from bench.shared.data import exists, make, random_keys
from shadersort.keys.datasets import DATASETS
from shadersort.keys.datasets.base import Dtype, RandomKeys
from shadersort.keys.types import Keys

Draw = Callable[[int, Dtype, RandomKeys], Keys]

LEVELS = 12
"""Scales of nested keys, at most."""

FINER = {2: 2, 4: 8, 8: 48}
"""Each scale of nested floats is finer by so many powers of two, by the bytes of a key."""


def few_values(n: int, dtype: Dtype, random: RandomKeys, low: int = 2, high: int = 64) -> Keys:
    """Draw 2 to 64 distinct keys, or as many as another range has, equally likely."""
    values = _any(_between(random, low, high), dtype, random)
    return random.keys(n, dtype, lambda count: values[_below(values.size, count, random)])


def runs(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Draw runs of 2 to 4,096 equal keys: a sample of neighbours tells less than it seems to."""
    length = _between(random, 2, 4096)
    values = _any(-(-n // length), dtype, random).reshape(-1, 1)
    # not by `repeat`, for which CuPy launches a kernel for each run
    repeated: Keys = random.xp.broadcast_to(values, (values.size, length)).reshape(-1)
    return repeated[:n].copy()


def periodic(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Repeat the same 1 to 65,536 keys again and again: regular places see few of them."""
    values = _any(_between(random, 1, 1 << 16), dtype, random)
    repeated: Keys = random.xp.tile(values, -(-n // values.size))
    return repeated[:n].copy()


def nested_scales(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Draw half of the keys at one scale, half of the others at a much finer one, and so on."""
    xp = random.xp

    def draw(count: int) -> Any:
        levels = xp.minimum(xp.floor(-xp.log2(1 - random.random(count))), LEVELS)
        if dtype.kind == "f":
            return random.standard_normal(count) * xp.exp2(-FINER[dtype.itemsize] * levels)
        return _integers(count, dtype, random) >> (levels * (dtype.itemsize // 2)).astype(dtype)

    return random.keys(n, dtype, draw)


def half_nan(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Draw a NaN or a normal key, equally likely."""

    def draw(count: int) -> Any:
        some = random.standard_normal(count)
        some[random.random(count) < 0.5] = np.nan
        return some

    return random.keys(n, dtype, draw)


def least_denormals(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Draw zeros and the least denormals of both signs: arithmetic may flush them to zero."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    sign = np.uint64(8 * dtype.itemsize - 1)

    def draw(count: int) -> Any:
        raw = random.raw(count)
        return (raw & np.uint64(3) | raw >> np.uint64(63) << sign).astype(unsigned)

    return random.keys(n, unsigned, draw).view(dtype)


def random_bits(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Draw all bit patterns, equally likely: infinities, NaNs of both signs and with payloads."""
    return random.keys(n, dtype, lambda count: _integers(count, dtype, random))


HOSTILE: Mapping[str, Draw] = MappingProxyType(
    {
        "few values": few_values,
        "rounded": partial(few_values, low=256, high=1 << 14),
        "runs": runs,
        "periodic": periodic,
        "nested scales": nested_scales,
        "half NaN": half_nan,
        "least denormals": least_denormals,
        "random bits": random_bits,
    }
)
"""Data by their names, beside those of `shadersort.keys.datasets`."""

FLOATS_ALONE = ("half NaN", "least denormals")


def names_of(dtype: Any) -> list[str]:
    """Return the names of all data of a type, the papers' and hostile ones."""
    floats = np.dtype(dtype).kind == "f"
    papers = [name for name in DATASETS if exists(name, dtype)]
    return papers + [name for name in HOSTILE if floats or name not in FLOATS_ALONE]


def draw(xp: Any, name: str, n: int, *, dtype: Any, seed: int) -> Any:
    """Return n keys of any of these data, as an array of the module `xp`."""
    if name not in HOSTILE:
        return make(xp, name, n, dtype=dtype, seed=seed)
    kind = np.dtype(dtype)
    return HOSTILE[name](n, kind, random_keys(xp, seed, kind))


def _any(n: int, dtype: Dtype, random: RandomKeys) -> Any:
    """Return normal floats, or integers of the whole range."""
    if dtype.kind == "f":
        return random.keys(n, dtype, random.standard_normal)
    return random.keys(n, dtype, lambda count: _integers(count, dtype, random))


def _integers(count: int, dtype: Dtype, random: RandomKeys) -> Any:
    """Return random bits as keys."""
    unused = np.uint64(64 - 8 * dtype.itemsize)
    return (random.raw(count) >> unused).astype(f"u{dtype.itemsize}").view(dtype)


def _between(random: RandomKeys, low: int, high: int) -> int:
    """Return an integer; its logarithm is evenly spread."""
    return int(low * (high / low) ** float(random.random(1)[0]))


def _below(most: int, count: int, random: RandomKeys) -> Any:
    """Return integers from 0 up to, but not including, `most`."""
    xp = random.xp
    return xp.minimum(xp.floor(most * random.random(count)), most - 1).astype(np.int64)
