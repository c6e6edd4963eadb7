"""Tools of several tests: bits, reference answers, critical inputs."""

import numpy as np

from shadersort.drawing.compile import METHODS
from shadersort.drawing.networks import NETWORKS
from shadersort.keys.types import BLENDED, DTYPES, Keys

WAYS = [(network, method) for network in NETWORKS for method in METHODS]
"""Every network by every method."""

WAYS_OF_2005 = [way for way in WAYS if way[1] in ("blend", "fragment")]
"""The ways of a card without compute shaders that draws into one texture at a time."""

TYPES = [dtype.name for dtype in DTYPES]

METHODS_AND_TYPES = [
    (method, dtype)
    for method in METHODS
    for dtype in TYPES
    if method != "blend" or np.dtype(dtype) in BLENDED
]
"""Every method with the types of key it sorts: integers of 32 bits do not blend."""


def bits(keys: Keys) -> Keys:
    """The bit patterns of keys."""
    return np.ascontiguousarray(keys).view(f"u{keys.itemsize}")


def assert_sorted_permutation(result: Keys, keys: Keys) -> None:
    """Assert the order of `np.sort`, the bits of the keys, NaNs in their order, −0.0 before 0.0."""
    assert result.dtype == keys.dtype
    ordered = np.sort(keys, kind="stable")
    if keys.dtype.kind == "f":
        ordered[np.isnan(ordered)] = keys[np.isnan(keys)]
        zeros = np.flatnonzero(ordered == 0)
        negative = np.count_nonzero(np.signbit(ordered[zeros]))
        ordered[zeros[:negative]], ordered[zeros[negative:]] = -0.0, 0.0
    np.testing.assert_array_equal(bits(result), bits(ordered))


def random_bits(seed: int, shape: int | tuple[int, ...], dtype: str) -> Keys:
    """Random bit patterns, equally likely: one in 128 of float32 is a NaN or infinite."""
    rng = np.random.default_rng(seed)
    size = np.dtype(dtype).itemsize
    return rng.integers(0, 1 << (8 * size), shape, dtype=f"u{size}").view(dtype)


def telling_floats(dtype: str) -> Keys:
    """Every kind of float: signed zeros, denormals, limits, infinities, NaNs with payloads."""
    limits = np.finfo(dtype)
    positive = [0, limits.smallest_subnormal, limits.tiny, limits.eps, 1, limits.max, np.inf]
    keys = np.array([*positive, np.nan], dtype)
    payloads = (bits(np.array([np.inf], dtype)) + np.arange(1, 4)).astype(f"u{limits.bits // 8}")
    return np.concatenate([keys, -keys, payloads.view(dtype), -payloads.view(dtype)])


def awkward_inputs(n: int, dtype: str) -> dict[str, Keys]:
    """Inputs of n keys that have broken sorts before; long ramps of short floats end in inf."""
    with np.errstate(over="ignore"):
        ramp = np.arange(n).astype(dtype)
    return {
        "random": random_bits(n, n, dtype),
        "sorted": ramp,
        "reversed": ramp[::-1].copy(),
        "equal": np.full(n, 3, dtype),
        "two values": (np.arange(n) % 2).astype(dtype),
        "organ pipe": np.minimum(ramp, ramp[::-1]),
    }
