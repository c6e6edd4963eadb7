"""Hostile keys: Alabi's adversaries of bucketSelect, and orders that are bad for a pivot."""

from typing import Any

import numpy as np

from shadersort.keys.datasets.base import ALL_TYPES, Dtype, RandomKeys, data_set
from shadersort.keys.datasets.distributions import uniform
from shadersort.keys.types import Keys

SECTION = "Alabi et al. 2012, section 4.2.5"

POWERS = 2.0 ** np.arange(32, -33, -1)
"""The 65 spread keys of Bucket Killer, from 2^32 down to 2^−32."""


@data_set("sorted", SECTION, dtypes=ALL_TYPES)
def sorted_keys(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Keys of "uniform" in ascending order; the paper used unsigned integers.

    Neighbouring threads count into the same bucket, so atomic increments wait for one another.
    """
    return np.sort(uniform.draw(n, dtype, random))


@data_set("reversed", "Beliakov 2011, section V-D", dtypes=ALL_TYPES)
def reversed_keys(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Keys of "uniform" in descending order: harmless to a method that only sums and counts."""
    return np.sort(uniform.draw(n, dtype, random))[::-1].copy()


@data_set("ones", SECTION, dtypes=ALL_TYPES)
def all_ones(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """All ones: no method can discard a key, but the minimum and the maximum give the answer."""
    return random.full(n, 1, dtype)


@data_set("ones-and-twos", SECTION, dtypes=ALL_TYPES)
def ones_and_twos(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Ones and twos in random order, 95% ones: two buckets, and one counter for nearly all keys.

    95% is the paper's example; the paper does not give the share of its timed vectors.
    """
    keys = random.full(n, 1, dtype)
    keys[: n // 20] = 2
    random.shuffle(keys)
    return keys


@data_set("bucket-killer", SECTION)
def bucket_killer(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Bucket Killer: 2^p for each p from −32 to 32, and all other keys close above 2^−32.

    Each round of equal buckets over the range separates about ten keys, and counts all others in
    one bucket. "Close" is within 2^−42 here, because the paper gives no distance: then seven rounds
    of 1,024 buckets leave all these keys together. Fewer than 65 keys are the largest powers.
    """
    spread = random.xp.asarray(POWERS[:n].astype(dtype))
    close = random.keys(
        n - len(spread), dtype, lambda count: 2.0**-32 * (1 + random.random(count) / 1024)
    )
    keys = np.concatenate([spread, close])
    random.shuffle(keys)
    return keys


@data_set("near-zero", SECTION)
def near_zero(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Denormals of both signs, equally likely: any number divided by their range overflows.

    They are made as bits, so that a machine that flushes denormals to zero makes them too.
    """
    width = 8 * dtype.itemsize
    fraction = np.finfo(dtype).nmant

    def denormals(count: int) -> Any:
        raw = random.raw(count)
        sign = raw >> np.uint64(63) << np.uint64(width - 1)
        bits = raw & np.uint64((1 << fraction) - 1) | sign
        return bits.astype(f"u{dtype.itemsize}")

    return random.keys(n, np.dtype(f"u{dtype.itemsize}"), denormals).view(dtype)
