"""Keys drawn independently from one distribution: the papers' ordinary data."""

from typing import Any

import numpy as np

from shadersort.keys.datasets.base import ALL_TYPES, Dtype, RandomKeys, data_set
from shadersort.keys.types import Keys

BELIAKOV = "Beliakov 2011, section V-A, set "
ALABI = "Alabi et al. 2012, section 4.1.2"
ALABI_WIDE = "Alabi et al. 2012, sections 4.1.2 and 4.2.4"
BLANCHARD = "Blanchard et al. 2015, section 3.1"


@data_set("uniform", BELIAKOV + "1", ALABI, BLANCHARD, dtypes=ALL_TYPES)
def uniform(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Floats from U(0, 1), above 0 and up to 1; integers from the whole range of their type.

    The simplest data: buckets of equal width fill evenly. All bit patterns of integers are equally
    likely, the best case of a radix method.
    """
    if dtype.kind == "f":
        return random.keys(n, dtype, lambda count: 1 - random.random(count))
    unused = np.uint64(64 - 8 * dtype.itemsize)

    def integers(count: int) -> Any:
        bits = random.raw(count) >> unused
        return bits.astype(f"u{dtype.itemsize}").view(dtype)

    return random.keys(n, dtype, integers)


@data_set("uniform-wide", ALABI_WIDE)
def uniform_wide(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """U(−10^6, 10^6): more exponents than U(0, 1), which should help a radix method."""
    return random.keys(n, dtype, lambda count: 1e6 - 2e6 * random.random(count))


@data_set("normal", BELIAKOV + "2", ALABI, BLANCHARD)
def normal(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """N(0, 1): symmetric, dense about its median."""
    return random.keys(n, dtype, random.standard_normal)


@data_set("normal-wide", ALABI_WIDE)
def normal_wide(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """N(0, 100), a standard deviation of 10: more exponents than N(0, 1)."""
    return random.keys(n, dtype, lambda count: 10 * random.standard_normal(count))


@data_set("half-normal", BELIAKOV + "3", ALABI_WIDE, BLANCHARD)
def half_normal(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Absolute values of N(0, 1): the absolute residuals of a regression with normal noise.

    Dense at its smallest key, so the lowest bucket of a bucket method is full.
    """
    return random.keys(n, dtype, lambda count: np.abs(random.standard_normal(count)))


@data_set("beta", BELIAKOV + "4")
def beta(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Beta(2, 5): bounded and skew.

    Each key is the second smallest of six uniform numbers, an order statistic with this
    distribution that needs no logarithm.
    """
    return random.keys(n, dtype, lambda count: np.sort(random.random((count, 6)))[:, 1])


@data_set("cauchy", BLANCHARD)
def cauchy(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Cauchy: tails so heavy that equal buckets are useless, and sampled buckets are poor.

    The paper takes tan(π(x − 1/2)) of uniform x. Here each key is the ratio of two normal numbers:
    the same distribution, without a tangent whose last bit may differ between machines.
    """
    return random.keys(
        n, dtype, lambda count: random.standard_normal(count) / random.standard_normal(count)
    )


@data_set("discrete", "Blanchard et al. 2015, section 3.3", dtypes=ALL_TYPES)
def discrete(n: int, dtype: Dtype, random: RandomKeys) -> Keys:
    """Integers from 0 to 100, equally likely: as many distinct keys as percentiles.

    Every bucket with a key in it is wanted, so bucketMultiSelect discards nothing; in the paper it
    took four times as long as a sort.
    """
    return random.keys(n, dtype, lambda count: np.floor(101 * random.random(count)))
