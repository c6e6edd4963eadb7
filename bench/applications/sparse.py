"""Thresholding of many arrays together, beside a partition of their joined copy by NumPy.

The arrays have the shapes of layers: matrices, and vectors that are much smaller. `reads` is the
time in place as a multiple of that of one read of all keys, in which each array's largest is found.
"""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from bench.shared.data import WRONG
from bench.shared.record import Row
from bench.shared.turns import least
from shadersort.keys.types import Keys
from shadersort.sparse import threshold

SHARES = (0.01, 0.1, 0.5)
"""Shares of the keys that are kept."""


def measurements(
    n: int = 30_000_000,
    *,
    arrays: int = 40,
    shares: Sequence[float] = SHARES,
    seconds: float = 2.0,
) -> Iterator[Row]:
    """Yield a row for each share of about n keys; `ratio` is our time, in place, by NumPy's."""
    layers = made(n, arrays)
    size = sum(each.size for each in layers)
    for share in shares:
        k = int(share * size)
        yield {
            "what": f"threshold, {share:.0%} kept",
            "k": k,
            "n": size,
            "arrays": len(layers),
            **_measured(layers, k, seconds),
        }


def made(n: int, arrays: int) -> list[Keys]:
    """Return float32 arrays of about n keys together: matrices and vectors by turns.

    Examples
    --------
    >>> [each.shape for each in made(2000, 4)]
    [(31, 31), (31,), (31, 31), (31,)]
    """
    rng = np.random.default_rng(arrays)
    side = max(int((2 * n / arrays) ** 0.5), 1)
    shapes = [(side, side) if place % 2 == 0 else (side,) for place in range(arrays)]
    return [rng.standard_normal(shape, np.float32) for shape in shapes]


def numpys(layers: Sequence[Keys], k: int) -> list[Keys]:
    """Do the same as NumPy can; of equal magnitudes at the threshold, it keeps all."""
    sizes = np.abs(np.concatenate([each.ravel() for each in layers]))
    least_kept = np.partition(sizes, sizes.size - k)[sizes.size - k]
    return [np.where(np.abs(each) >= least_kept, each, np.float32(0)) for each in layers]


def _measured(layers: Sequence[Keys], k: int, seconds: float) -> Row:
    """Check the results, and time our calls, NumPy's and a read in turns."""
    _check(threshold(layers, k), numpys(layers, k), k)
    ours, peer, read = least(
        (
            lambda: threshold(layers, k),
            lambda: numpys(layers, k),
            lambda: [each.max() for each in layers],
        ),
        seconds,
    )
    in_place = _in_place(layers, k, seconds)
    return {
        "ms": 1e3 * ours,
        "in_place_ms": 1e3 * in_place,
        "numpy_ms": 1e3 * peer,
        "ratio": in_place / peer,
        "reads": in_place / read,
    }


def _in_place(layers: Sequence[Keys], k: int, seconds: float) -> float:
    """Return the least seconds of a call in place, each time on the keys as they were."""
    copies = [each.copy() for each in layers]
    found, begun = float("inf"), time.perf_counter()
    while found == float("inf") or time.perf_counter() - begun < seconds:
        for copy, each in zip(copies, layers, strict=True):
            copy[...] = each
        found = min(found, *least((lambda: threshold(copies, k, out=copies),), 0, turns=1))
    return found


def _check(found: Sequence[Keys], expected: Sequence[Keys], k: int) -> None:
    """Raise AssertionError unless k keys are kept, which NumPy keeps, too; but for equal ones."""
    kept = [np.where(one != 0, other, 0) for one, other in zip(found, expected, strict=True)]
    same = all(np.array_equal(one, other) for one, other in zip(found, kept, strict=True))
    left_out = [other[one != other] for one, other in zip(found, expected, strict=True)]
    equals = np.unique(np.abs(np.concatenate(left_out)))
    if not same or sum(np.count_nonzero(each) for each in found) != k or equals.size > 1:
        raise AssertionError(WRONG.format(f"threshold, k = {k:,}"))
