"""Ten streams of float32: what sketches are used for, and orders that are hard for some of them."""

from collections.abc import Callable, Mapping

import numpy as np

from bench.streams.frequencies import zipf
from shadersort.keys import datasets
from shadersort.keys.types import Keys

SEED, SAW_TOOTH = 1, 1000
"""Of the random numbers; and how often a saw-tooth begins at its start."""


def _ordered(n: int) -> Keys:
    return datasets.make("sorted", n, seed=SEED)


def _inwards(n: int) -> Keys:
    """Return the smallest value, the largest one, the second smallest one, and so on."""
    ordered = _ordered(n)
    found = np.empty_like(ordered)
    found[::2], found[1::2] = ordered[: n - n // 2], ordered[n - n // 2 :][::-1]
    return found


def _saw_tooth(n: int) -> Keys:
    """Return values that rise from the least to the most, again and again."""
    ordered = _ordered(n)
    return np.concatenate([ordered[first::SAW_TOOTH] for first in range(SAW_TOOTH)])


def _log_normal(n: int) -> Keys:
    """Return what is spread like times of answers: most are short, and some are very long."""
    return np.random.default_rng(SEED).lognormal(0, 2, n).astype(np.float32)


STREAMS: Mapping[str, Callable[[int], Keys]] = {
    "uniform": lambda n: datasets.make("uniform", n, seed=SEED),
    "normal": lambda n: datasets.make("normal", n, seed=SEED),
    "log-normal": _log_normal,
    "Zipf, 1.2": lambda n: zipf(n, "float32"),
    "ten values": lambda n: np.random.default_rng(SEED).integers(1, 11, n).astype(np.float32),
    "sorted": _ordered,
    "reversed": lambda n: _ordered(n)[::-1].copy(),
    "zig-zag inwards": _inwards,
    "zig-zag outwards": lambda n: _inwards(n)[::-1].copy(),
    "saw-tooth": _saw_tooth,
}
"""What makes a stream of n values, by its name."""
