"""Iterative hard thresholding, the worked example of compressed sensing.

A sparse x with k entries is recovered from few measurements y = A x by steps along the gradient,
after each of which all but the k largest entries become zero. Plain: Blumensath and Davies,
"Iterative hard thresholding for compressed sensing", Appl. Comput. Harmon. Anal. 27(3), 2009.
Normalised: the same, "Normalized iterative hard thresholding: guaranteed stability and
performance", IEEE J. Sel. Top. Signal Process. 4(2), 2010. There the step is the best one for the
entries that are kept; if other entries would be kept after it, it is made shorter until it surely
reduces the residual.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.arrays import Home, home_of, is_between, whole_number
from shadersort.errors import BadOption, NotFinite, UnsupportedKeys, ValuesMismatch
from shadersort.selection.top_keys import count_of
from shadersort.sparse.thresholding import threshold

Operator = Any
"""A matrix; or a pair of functions, that of A and that of its transpose."""

MARGIN, SHORTER = 0.01, 2.0
"""c and κ of the second paper: a step is short enough if it changes the residual by 1 − c of what a
short step would; one that is too long is divided by κ(1 − c)."""

STALLED = 2.0**-40
"""A step of less than this share of x changes nothing any more."""


@dataclass(frozen=True)
class Recovery:
    """What iterative hard thresholding recovered, and how it went.

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


def iterative_hard_thresholding(
    measured: Any, operator: Operator, k: int, *, tolerance: float = 1e-6, steps: int = 500
) -> Recovery:
    """Recover an array with k entries that are not zero from measurements y = A x.

    By the plain algorithm of Blumensath and Davies 2009, which repeats `x = H(x + Aᵀ(y − A x))`,
    where H keeps the k largest entries. The norm of A has to be below 1: divide y and A by a number
    that is larger than A's largest singular value. Otherwise steps may be too long; the recovery
    stops before the first step that would make the residual larger, and has not converged. For any
    other A, use `normalised_iterative_hard_thresholding`, which has the same parameters and errors.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((60, 100)), np.zeros(100)
    >>> A /= 1.01 * np.linalg.norm(A, 2)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> found = iterative_hard_thresholding(A @ x, A, 3)
    >>> found.converged, np.flatnonzero(found.x).tolist()
    (True, [3, 50, 71])
    """
    return _recovered(_plain_steps, measured, operator, k, tolerance, steps)


def normalised_iterative_hard_thresholding(
    measured: Any, operator: Operator, k: int, *, tolerance: float = 1e-6, steps: int = 500
) -> Recovery:
    """Recover an array with k entries that are not zero from measurements y = A x.

    By the normalised algorithm of Blumensath and Davies 2010. It stops when `|y − A x|` is at most
    `tolerance · |y|`, when x stays as it is, or after `steps` steps. Everything is computed where
    `measured` is. A step takes a few products with A and its transpose, and one thresholding.

    Parameters
    ----------
    measured
        y, of any shape: finite real numbers.
    operator
        A, a matrix (size of y, size of x); or a pair of functions: one returns A x for an array x,
        the other one the product of the transpose of A and an array like y. The shape of what the
        second one returns is the shape of x, as that of a picture.
    k
        How many entries of x are not zero, at most.
    tolerance
        The residual that is small enough, as a share of `|y|`.
    steps
        The largest number of steps.

    Raises
    ------
    NotFinite, UnsupportedKeys, ValuesMismatch
        y has a NaN or an infinity, is not real, or the matrix has another number of rows.
    BadOption, BadRank
        x has fewer than k entries, k is no integer, or an option is impossible.
    ArraysApart
        `measured` and the matrix are in two places.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((40, 100)), np.zeros(100)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> found = normalised_iterative_hard_thresholding(A @ x, A, 3)
    >>> found.converged, np.flatnonzero(found.x).tolist(), bool(abs(found.x - x).max() < 1e-5)
    (True, [3, 50, 71], True)
    """
    return _recovered(_normalised_steps, measured, operator, k, tolerance, steps)


@dataclass(frozen=True)
class _Measured:
    """Measurements, and the functions of A and of its transpose, between arrays at home."""

    y: Any
    forward: Callable[[Any], Any]
    transposed: Callable[[Any], Any]


Steps = Callable[[_Measured, Any, int], Iterator[tuple[Any, Any]]]
"""Takes the first gradient and k, too; yields x and y − A x, from x = 0 until x does not change."""


def _recovered(
    method: Steps, measured: Any, operator: Operator, k: int, tolerance: float, steps: int
) -> Recovery:
    if not is_between(tolerance, 0, np.inf):
        raise BadOption(f"tolerance is a number, and must be 0 at least, not {tolerance!r}")
    steps = whole_number("steps", steps, least=0)
    is_pair = isinstance(operator, tuple | list) and all(callable(each) for each in operator)
    home = home_of(measured) if is_pair else home_of(measured, operator)
    with home.here():
        y = _checked(home, measured)
        given = _pair(home, operator, y) if is_pair else _product(home, operator, y)
        size = max(_square(y), np.finfo(np.float64).tiny)
        x, residuals = None, list[float]()
        gradient = given.transposed(y)
        for found, rest in method(given, gradient, count_of(k, gradient.size)):
            x = found
            residuals.append(float(np.sqrt(_square(rest) / size)))
            if residuals[-1] <= tolerance or len(residuals) > steps:
                break
        return Recovery(home.give(x), tuple(residuals[1:]), residuals[-1] <= tolerance)


def _plain_steps(given: _Measured, gradient: Any, k: int) -> Iterator[tuple[Any, Any]]:
    x, rest = gradient * 0, given.y
    while True:
        yield x, rest
        before, size = x, _square(rest)
        x = threshold(x + gradient, k)
        rest = given.y - given.forward(x)
        if not (_square(x - before) > STALLED**2 * _square(x) and _square(rest) <= size):
            return
        gradient = given.transposed(rest)


def _normalised_steps(given: _Measured, gradient: Any, k: int) -> Iterator[tuple[Any, Any]]:
    x, rest, support = gradient * 0, given.y, threshold(gradient, k) != 0

    def moved(length: float) -> tuple[Any, Any, Any]:
        """Return x after a step of some length, its change, and the image of the change."""
        found = x + gradient * gradient.dtype.type(length)
        threshold(found, k, out=found)
        return found, found - x, given.forward(found - x)

    while True:
        yield x, rest
        inside = gradient * support
        along = _square(given.forward(inside))
        if not along > 0:
            return
        length = _square(inside) / along
        found, change, image = moved(length)
        while bool(((found != 0) != support).any()):
            if length * _square(image) <= (1 - MARGIN) * _square(change):
                break
            length /= SHORTER * (1 - MARGIN)
            found, change, image = moved(length)
        if not _square(change) > STALLED**2 * _square(found):
            return
        x, support, rest = found, found != 0, given.y - given.forward(found)
        gradient = given.transposed(rest)


def _square(x: Any) -> float:
    return float((x * x).sum(dtype=np.float64))


def _checked(home: Home, measured: Any) -> Any:
    """Return measurements as floats of at least 32 bits."""
    y = home.own(measured)
    if y.dtype.kind not in "fiub":
        raise UnsupportedKeys(f"measurements are real, not {y.dtype}: use two for a complex")
    if not bool(home.xp.isfinite(y).all()):
        raise NotFinite("measurements contain NaN or infinity: leave them out of y and A")
    return y.astype(np.result_type(y.dtype, np.float32), copy=False)


def _product(home: Home, matrix: Any, y: Any) -> _Measured:
    """Return measurements by a matrix."""
    matrix = home.own(matrix)
    if matrix.ndim != 2 or matrix.shape[0] != y.size:
        raise ValuesMismatch(
            f"the matrix has the shape {matrix.shape}, but {y.size} measurements need as many rows"
        )
    matrix = matrix.astype(np.result_type(matrix.dtype, y.dtype), copy=False)
    return _Measured(
        y, lambda x: (matrix @ x).reshape(y.shape), lambda rest: matrix.T @ rest.reshape(-1)
    )


def _pair(home: Home, pair: Any, y: Any) -> _Measured:
    """Return measurements by a caller's functions."""
    if len(pair) != 2:
        raise BadOption(f"the operator has {len(pair)} functions: pass two, of A and its transpose")
    forward, transposed = pair

    def images(x: Any) -> Any:
        found = home.own(forward(home.give(x)))
        if found.shape != y.shape:
            raise ValuesMismatch(f"A x has the shape {found.shape}, but y has {y.shape}")
        return found

    return _Measured(y, images, lambda rest: home.own(transposed(home.give(rest))))
