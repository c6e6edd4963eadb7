"""Beliakov's mixtures and outliers: the residuals of a regression on data that are partly wrong.

The paper fixes the shares, so the counts are exact, not random; the order is random.
"""

from typing import Any

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.datasets.base import Dtype, RandomKeys, data_set, generator
from shadersort.keys.datasets.distributions import BELIAKOV, half_normal, normal
from shadersort.keys.types import Keys


def _mixed(most: Keys, rest: Keys, random: RandomKeys) -> Keys:
    """Return both in a random order."""
    keys = np.concatenate([most, rest])
    random.shuffle(keys)
    return keys


def _with_far(near: Keys, n: int, random: RandomKeys) -> Keys:
    """Return n keys in a random order: the near ones, the others from N(100, 1)."""
    far = random.keys(n - len(near), near.dtype, lambda count: 100 + random.standard_normal(count))
    return _mixed(near, far, random)


def _half_and_one(n: int) -> int:
    """Return the majority that keeps the median among the near keys."""
    return min(n, n // 2 + 1)


@data_set("mixture-1", BELIAKOV + "5")
def mixture_1(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Two thirds from N(0, 1), one third from N(100, 1): a gap above the median."""
    return _with_far(normal.draw(2 * n // 3, dtype, random), n, random)


@data_set("mixture-2", BELIAKOV + "6")
def mixture_2(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Half of the keys and one from N(0, 1), the rest from N(100, 1): a gap at the median."""
    return _with_far(normal.draw(_half_and_one(n), dtype, random), n, random)


@data_set("mixture-3", BELIAKOV + "7")
def mixture_3(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Nine tenths half-normal, the rest 10 exactly: ties far out."""
    near = 9 * n // 10
    return _mixed(half_normal.draw(near, dtype, random), random.full(n - near, 10, dtype), random)


@data_set("mixture-4", BELIAKOV + "8")
def mixture_4(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Two thirds half-normal, one third from N(100, 1): a third of the residuals are outliers."""
    return _with_far(half_normal.draw(2 * n // 3, dtype, random), n, random)


@data_set("mixture-5", BELIAKOV + "9")
def mixture_5(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Half of the keys and one half-normal, the rest from N(100, 1): the most outliers allowed."""
    return _with_far(half_normal.draw(_half_and_one(n), dtype, random), n, random)


def with_outliers(keys: Keys, value: float = 1e9, count: int = 1, *, seed: int = 0) -> Keys:
    """Return a copy of the keys with `count` of them, at random places, replaced by `value`.

    Beliakov 2011, sections V-A and V-D: one or a few keys of 1e9 slow down every method that halves
    the range, but not the cutting plane; of 1e20 they swallow the sum that it minimises, unless the
    keys are transformed first.

    Parameters
    ----------
    keys
        A flat array; not modified.
    value
        Finite, and within the range of the keys' type.
    count
        Number of keys to replace, from 0 to all.
    seed
        Seed of the random places.

    Examples
    --------
    >>> with_outliers(np.zeros(4), 1e20, seed=2)
    array([0.e+00, 0.e+00, 0.e+00, 1.e+20])
    """
    if not 0 <= count <= len(keys):
        raise BadOption(f"of {len(keys)} keys 0 to {len(keys)} can be outliers, not {count}")
    whole = keys.dtype.kind in "iu"
    ends: Any = np.iinfo(keys.dtype) if whole else np.finfo(keys.dtype)
    lowest, highest = (int if whole else float)(ends.min), (int if whole else float)(ends.max)
    if not lowest <= value <= highest:
        raise BadOption(f"an outlier of {keys.dtype} is from {lowest} to {highest}, not {value}")
    changed = keys.copy()
    changed[generator(seed).permutation(len(keys))[:count]] = value
    return changed
