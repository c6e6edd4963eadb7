"""Lesson 15: a roofline of the machine on which the lesson runs, after Williams and others 2009."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.timing import best_seconds

OPERATIONS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Multiplications and additions for each number that is read; its result is written."""

PIECE = 1 << 14
"""Numbers that NumPy takes at once: they stay in a cache of the core from step to step."""

POLYNOMIAL = """
y = operations % 2 ? x * x : x;
for (int i = 0; i < operations / 2; ++i) y = y * x + 0.5f;
"""
"""What `polynomial` computes, in CUDA C."""


@dataclass(frozen=True, eq=False, slots=True)
class Roofline:
    """Two limits of a machine, and programs below them."""

    device: str  # what ran
    bandwidth: float  # bytes a second, of a copy of an array
    arithmetic: float  # operations a second on numbers that need not be fetched
    points: tuple[tuple[float, float], ...]  # operations for each byte, and operations a second

    @property
    def ridge(self) -> float:
        """The operations for each byte from which on arithmetic is the limit."""
        return self.arithmetic / self.bandwidth


def polynomial(operations: int, x: Keys, y: Keys) -> None:
    """Let y be x, then by turns y · x and y + c, piece by piece."""
    for at in range(0, x.size, PIECE):
        given, found = x[at : at + PIECE], y[at : at + PIECE]
        np.multiply(given, given, out=found)
        for number in range(1, operations):
            if number % 2:
                np.add(found, 0.5, out=found)
            else:
                np.multiply(found, given, out=found)


def measure_numpy(n: int = 1 << 23) -> Roofline:
    """Measure this machine by NumPy, which copies and computes on one core."""
    return _measure(np, "NumPy on one core of this machine", polynomial, n, most=PIECE)


def measure_gpu(cupy: Any, n: int = 1 << 26) -> Roofline:
    """Measure the GPU that CuPy uses."""
    given, found = "float32 x, int32 operations", "float32 y"
    kernel = cupy.ElementwiseKernel(given, found, POLYNOMIAL, "polynomial")
    name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()
    wait = cupy.cuda.Device().synchronize
    return _measure(cupy, name, lambda count, x, y: kernel(x, count, y), n, most=n, wait=wait)


def _measure(
    xp: Any,
    device: str,
    compute: Callable[[int, Any, Any], object],
    n: int,
    *,
    most: int,
    wait: Callable[[], object] = lambda: None,
) -> Roofline:
    """Time a copy of n numbers, polynomials, and a long one of the first `most`.

    A limit is the highest rate that is seen: on a busy machine a program may exceed the copy.
    """
    x = xp.linspace(0, 0.5, n, dtype=np.float32)
    y = xp.empty_like(x)

    def seconds(operations: int, count: int = n) -> float:
        work = partial(compute, operations, x[:count], y[:count])
        return best_seconds(work, turns=7, wait=wait)

    longest, moved = 16 * OPERATIONS[-1], 2 * x.nbytes
    points = [(each * n / moved, each * n / seconds(each)) for each in OPERATIONS]
    copied = moved / best_seconds(partial(xp.copyto, y, x), turns=7, wait=wait)
    computed = longest * most / seconds(longest, most)
    return Roofline(
        device,
        max(copied, *(rate / intensity for intensity, rate in points)),
        max(computed, *(rate for _, rate in points)),
        tuple(points),
    )
