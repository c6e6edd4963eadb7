"""Streams built to break summaries, by name; and how many of them a run tries."""

from collections.abc import Callable, Iterator

import numpy as np

from shadersort.keys.types import Keys
from tests.soaking import SEED

Random = np.random.Generator

STREAMS = 600 if SEED is None else 20_000
"""How many streams each guarantee is tried on; in a soak they are fresh ones in every round."""


def _zig_zag(random: Random, n: int) -> Keys:
    """First the middle, then ever further out, by turns below and above."""
    steps = np.arange(n)
    return np.where(steps % 2, steps, -steps)


def _every_second_window(random: Random, n: int) -> Keys:
    """A value that comes only in every second window, of some length."""
    window = int(random.integers(1, max(2, n // 3)))
    return np.where(np.arange(n) // window % 2, 7, random.integers(0, 100, n))


def _distinct_then_one(random: Random, n: int) -> Keys:
    """Distinct values, and then one that never ends."""
    first = int(random.integers(0, n + 1))
    return np.concatenate([random.permutation(first), np.full(n - first, first // 2)])


def _bit_reversed(random: Random, n: int) -> Keys:
    """Each next value halves the largest gap."""
    steps, found = np.arange(n), np.zeros(n, np.int64)
    for bit in range(max(1, n.bit_length())):
        found = found << 1 | steps >> bit & 1
    return found


def _drifting(random: Random, n: int) -> Keys:
    return np.arange(n) // 10 + random.integers(0, 50, n)


def _extremes(random: Random, n: int) -> Keys:
    """Infinities, signed zeros, denormals and ordinary numbers."""
    kinds = np.array([-np.inf, np.inf, -0.0, 0.0, 5e-324, -5e-324, 1.5, -1e300])
    return random.choice(kinds, n)


ADVERSARIES: dict[str, Callable[[Random, int], Keys]] = {
    "sorted": lambda random, n: np.arange(n),
    "reversed": lambda random, n: np.arange(n)[::-1],
    "zig-zag": _zig_zag,
    "all equal": lambda random, n: np.full(n, 3),
    "two values": lambda random, n: random.integers(0, 2, n),
    "zipf": lambda random, n: np.minimum(random.zipf(1.2, n), 1 << 20),
    "in every second window": _every_second_window,
    "distinct, then one": _distinct_then_one,
    "bit-reversed": _bit_reversed,
    "drifting": _drifting,
    "extremes": _extremes,
    "normal": lambda random, n: random.normal(size=n),
    "uniform": lambda random, n: random.random(n),
    "saw-tooth": lambda random, n: np.arange(n) % int(random.integers(2, max(3, n))),
}
"""Each makes a stream of n values."""


def draws(name: str, most: int, count: int = 0) -> Iterator[tuple[Random, Keys]]:
    """Yield streams of one kind, of up to `most` values, and what chose them.

    So many that all kinds together are `STREAMS`, or `count` of them.
    """
    kinds = list(ADVERSARIES)
    for seed in range(count or -(-STREAMS // len(kinds))):
        random = np.random.default_rng([kinds.index(name), seed, *([] if SEED is None else [SEED])])
        n = int(most ** random.uniform(0.3, 1)) + int(random.integers(0, 3))
        values = ADVERSARIES[name](random, n).astype(np.float64)
        dtype = random.choice(["float64", "float32", "int64"]) if name != "extremes" else "float64"
        yield random, values.astype(dtype)
