"""Keys that are made to hurt: Alabi's adversaries of bucketSelect, and orders that hurt a pivot."""

from typing import Any

import numpy as np

from shadersort.keys.datasets.base import ALL_TYPES, Dtype, Source, data_set
from shadersort.keys.datasets.distributions import uniform
from shadersort.keys.types import Keys

__all__ = [
    "all_ones",
    "bucket_killer",
    "near_zero",
    "ones_and_twos",
    "reversed_keys",
    "sorted_keys",
]

SECTION = "Alabi et al. 2012, section 4.2.5"

POWERS = 2.0 ** np.arange(32, -33, -1)
"""The 65 spread keys of Bucket Killer, from 2^32 down to 2^−32."""


@data_set("sorted", SECTION, dtypes=ALL_TYPES)
def sorted_keys(n: int, dtype: Dtype, source: Source) -> Keys:
    """Keys of "uniform" in ascending order; the paper used unsigned integers.

    Neighbouring threads count into the same bucket, so atomic increments wait for one another.
    """
    return np.sort(uniform.draw(n, dtype, source))


@data_set("reversed", "Beliakov 2011, section V-D", dtypes=ALL_TYPES)
def reversed_keys(n: int, dtype: Dtype, source: Source) -> Keys:
    """Keys of "uniform" in descending order: nothing to a method that only sums and counts."""
    return np.sort(uniform.draw(n, dtype, source))[::-1].copy()


@data_set("ones", SECTION, dtypes=ALL_TYPES)
def all_ones(n: int, dtype: Dtype, source: Source) -> Keys:
    """All ones: no method can discard a key; the minimum and the maximum tell the answer."""
    return source.full(n, 1, dtype)


@data_set("ones-and-twos", SECTION, dtypes=ALL_TYPES)
def ones_and_twos(n: int, dtype: Dtype, source: Source) -> Keys:
    """Ones and twos in random order, 95% ones: two buckets, and one counter that all wait for.

    95% is the paper's example; it does not say what share its timed vectors had.
    """
    keys = source.full(n, 1, dtype)
    keys[: n // 20] = 2
    source.shuffle(keys)
    return keys


@data_set("bucket-killer", SECTION)
def bucket_killer(n: int, dtype: Dtype, source: Source) -> Keys:
    """Bucket Killer: 2^p for each p from −32 to 32, and all other keys close above 2^−32.

    Each round of equal buckets over the range parts with about ten keys, and counts all others in
    one bucket. "Close" is within 2^−42 here, as the paper names no distance: then seven rounds of
    1,024 buckets leave all these keys together. Fewer than 65 keys are the largest powers.
    """
    spread = source.xp.asarray(POWERS[:n].astype(dtype))
    close = source.keys(
        n - len(spread), dtype, lambda count: 2.0**-32 * (1 + source.random(count) / 1024)
    )
    keys = np.concatenate([spread, close])
    source.shuffle(keys)
    return keys


@data_set("near-zero", SECTION)
def near_zero(n: int, dtype: Dtype, source: Source) -> Keys:
    """Denormals of both signs, all alike: any number of buckets divided by their range overflows.

    They are made as bits, so that a machine which flushes denormals to zero makes them too.
    """
    width = 8 * dtype.itemsize
    fraction = np.finfo(dtype).nmant

    def denormals(count: int) -> Any:
        raw = source.raw(count)
        sign = raw >> np.uint64(63) << np.uint64(width - 1)
        bits = raw & np.uint64((1 << fraction) - 1) | sign
        return bits.astype(f"u{dtype.itemsize}")

    return source.keys(n, np.dtype(f"u{dtype.itemsize}"), denormals).view(dtype)
