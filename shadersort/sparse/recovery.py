"""Recovery of a sparse array from measurements y = A x: what its methods share.

A method yields x and y − A x, step by step. `repeat` makes a method of what one step does to x.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.arrays import Home, home_of, is_between, whole_number
from shadersort.errors import BadOption, NotFinite, UnsupportedKeys, ValuesMismatch
from shadersort.selection.top_keys import count_of

Operator = Any
"""A matrix; or a pair of functions, that of A and that of its transpose."""

STALLED = 2.0**-40
"""A step of less than this share of x changes nothing any more."""


@dataclass(frozen=True)
class Recovery:
    """What was recovered, and how it went.

    Attributes
    ----------
    x
        The recovered array, with at most k entries that are not zero.
    residuals
        `|y − A x| / |y|` after each step.
    converged
        Whether the last residual is at most the tolerance.
    """

    x: Any
    residuals: tuple[float, ...]
    converged: bool

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.residuals)


@dataclass(frozen=True)
class Measured:
    """Measurements, and the functions of A and of its transpose, between arrays at home."""

    y: Any
    forward: Callable[[Any], Any]
    transposed: Callable[[Any], Any]


Steps = Callable[[Measured, Any, int], Iterator[tuple[Any, Any]]]
"""Takes the first gradient and k, too; yields x and y − A x, from x = 0 until x does not change."""


def recover(
    method: Steps, measured: Any, operator: Operator, k: int, tolerance: float, steps: int
) -> Recovery:
    """Check the arguments of a method, and run it until the residual is small enough."""
    if not is_between(tolerance, 0, np.inf):
        raise BadOption(f"tolerance is a number, and must be 0 at least, not {tolerance!r}")
    steps = whole_number("steps", steps, least=0)
    is_pair = isinstance(operator, tuple | list) and all(callable(each) for each in operator)
    home = home_of(measured) if is_pair else home_of(measured, operator)
    with home.here():
        y = _checked(home, measured)
        given = _pair(home, operator, y) if is_pair else _product(home, operator, y)
        size = max(square(y), np.finfo(np.float64).tiny)
        x, residuals = None, list[float]()
        gradient = given.transposed(y)
        for found, rest in method(given, gradient, count_of(k, gradient.size)):
            x = found
            residuals.append(float(np.sqrt(square(rest) / size)))
            if residuals[-1] <= tolerance or len(residuals) > steps:
                break
        return Recovery(home.give(x), tuple(residuals[1:]), residuals[-1] <= tolerance)


def repeat(move: Callable[[Measured, Any, Any, int], Any], *, may_grow: bool = False) -> Steps:
    """Return the method that moves x by (measurements, x, the gradient, k) again and again.

    It ends when x stays as it is, and before a step that would make the residual larger, unless it
    `may_grow`.
    """

    def steps(given: Measured, gradient: Any, k: int) -> Iterator[tuple[Any, Any]]:
        x, rest = gradient * 0, given.y
        while True:
            yield x, rest
            before, size = x, square(rest)
            x = move(given, x, gradient, k)
            rest = given.y - given.forward(x)
            if not square(x - before) > STALLED**2 * square(x):
                return
            if not (may_grow or square(rest) <= size):
                return
            gradient = given.transposed(rest)

    return steps


def square(x: Any) -> float:
    """Return the sum of the squares."""
    return float((x * x).sum(dtype=np.float64))


def _checked(home: Home, measured: Any) -> Any:
    """Return measurements as floats of at least 32 bits."""
    y = home.own(measured)
    if y.dtype.kind not in "fiub":
        raise UnsupportedKeys(f"measurements are real, not {y.dtype}: use two for a complex")
    if not bool(home.xp.isfinite(y).all()):
        raise NotFinite("measurements contain NaN or infinity: leave them out of y and A")
    return y.astype(np.result_type(y.dtype, np.float32), copy=False)


def _product(home: Home, matrix: Any, y: Any) -> Measured:
    """Return measurements by a matrix."""
    matrix = home.own(matrix)
    if matrix.ndim != 2 or matrix.shape[0] != y.size:
        raise ValuesMismatch(
            f"the matrix has the shape {matrix.shape}, but {y.size} measurements need as many rows"
        )
    matrix = matrix.astype(np.result_type(matrix.dtype, y.dtype), copy=False)
    return Measured(
        y, lambda x: (matrix @ x).reshape(y.shape), lambda rest: matrix.T @ rest.reshape(-1)
    )


def _pair(home: Home, pair: Any, y: Any) -> Measured:
    """Return measurements by a caller's functions."""
    if len(pair) != 2:
        raise BadOption(f"the operator has {len(pair)} functions: pass two, of A and its transpose")
    forward, transposed = pair

    def images(x: Any) -> Any:
        found = home.own(forward(home.give(x)))
        if found.shape != y.shape:
            raise ValuesMismatch(f"A x has the shape {found.shape}, but y has {y.shape}")
        return found

    return Measured(y, images, lambda rest: home.own(transposed(home.give(rest))))
