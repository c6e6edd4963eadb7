"""Streams on a GPU of the summaries that take more than an error: windows, prefixes, pairs."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from bench.shared.data import make
from bench.shared.options import Options
from bench.shared.record import Row
from bench.streams import frequencies, sums
from shadersort import CorrelatedSum, HierarchicalHeavyHitters, SlidingFrequencies

POOL = 1 << 22
"""Keys of Zipf's distribution that are drawn on the host; the stream is drawn from them."""
PIECE = 1 << 26
"""Keys drawn at once."""
LENGTHS = (32, 24, 16, 8)
"""Bits of the prefixes that are checked."""


class Case(NamedTuple):
    """A summary of a stream.

    Attributes
    ----------
    told
        What the case is, for its row.
    stream
        The arrays of an update, on the device.
    kind, arguments
        What makes the summary.
    check
        Returns the worst error of a summary, as a share; raises AssertionError if it is too large.
    """

    told: Row
    stream: tuple[Any, ...]
    kind: Any
    arguments: tuple[Any, ...]
    check: Callable[[Any], float]


def drawn(xp: Any, data: str, n: int, dtype: Any = np.float32, seed: int = 1) -> Any:
    """Return a stream on the device."""
    if data == "uniform":
        return make(xp, "uniform", n, seed=seed)
    pool = xp.asarray(frequencies.zipf(POOL, dtype))
    rng, found = xp.random.default_rng(seed), xp.empty(n, dtype)
    for first in range(0, n, PIECE):
        part = found[first : first + PIECE]
        part[:] = pool[rng.integers(0, POOL, part.size)]
    return found


def _sliding(xp: Any, options: Options, n: int) -> Iterator[Case]:
    """Frequencies among the last values: windows of one length, and of all lengths."""
    for data in ("zipf 1.2", "uniform"):
        stream = drawn(xp, data, n)
        for window, epsilon in product(
            options.window or [10**6, 10**7], options.epsilon or [1e-2, 1e-3]
        ):
            exact = counted(xp, stream[-window:])
            check = partial(frequencies.checked, exact=exact, epsilon=epsilon)
            for shortest in (window, 1):
                told = {"data": data, "epsilon": epsilon, "window": window, "shortest": shortest}
                kind = partial(SlidingFrequencies, shortest=shortest)
                yield Case(told, (stream,), kind, (epsilon, window), check)


def _heavy(xp: Any, options: Options, n: int) -> Iterator[Case]:
    """Heavy prefixes of addresses, by bytes."""
    stream = drawn(xp, "zipf 1.2", n, np.uint32) * np.uint32(2654435761)
    exact = {length: counted(xp, stream >> (32 - length)) for length in LENGTHS}

    def check(summary: Any) -> float:
        return max(frequencies.worst(summary, counts, n) for n, counts in exact.items())

    for epsilon in options.epsilon or [1e-3]:
        told = {"data": "zipf, scattered", "epsilon": epsilon}
        yield Case(told, (stream,), HierarchicalHeavyHitters, (epsilon, "ipv4"), check)


def _correlated(xp: Any, options: Options, n: int) -> Iterator[Case]:
    """Correlated sums: of normal numbers, over the pairs up to some uniform x."""
    x = drawn(xp, "uniform", n)
    y = xp.random.default_rng(2).standard_normal(n)
    check = partial(sums.checked, exact=sums.exact_sums(xp, x, y))
    for epsilon in options.epsilon or [1e-2]:
        yield Case(
            {"data": "uniform", "epsilon": epsilon}, (x, y), CorrelatedSum, (epsilon,), check
        )


CASES = {"sliding-frequencies": _sliding, "heavy": _heavy, "correlated": _correlated}


def on_host(array: Any) -> Any:
    """Return an array of NumPy or of CuPy as one of NumPy."""
    return array if isinstance(array, np.ndarray) else array.get()


def counted(xp: Any, values: Any) -> frequencies.Exact:
    """Return the different values and how often each occurs, on the host."""
    ordered = xp.sort(values)
    first = xp.ones(ordered.shape, np.bool_)
    xp.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = xp.flatnonzero(first)
    return on_host(ordered[starts]), np.diff(on_host(starts), append=ordered.size)
