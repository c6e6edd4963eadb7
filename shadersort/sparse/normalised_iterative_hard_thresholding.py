"""Normalised iterative hard thresholding, the worked example of compressed sensing.

Blumensath and Davies, "Normalized iterative hard thresholding: guaranteed stability and
performance", IEEE Journal of Selected Topics in Signal Processing 4(2), 2010: a sparse x with k
entries is recovered from few measurements y = A x by steps along the gradient, after each of which
all but the k largest entries become zero. The step is the best one for the entries that are kept;
if other entries would be kept after it, it is made shorter until it surely reduces the residual.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.arguments import is_between, whole_number
from shadersort.arrays import Home, home_of
from shadersort.errors import BadOption, NotFinite, UnsupportedKeys, ValuesMismatch
from shadersort.selection.top_keys import count_of
from shadersort.sparse.thresholding import threshold

Operator = Any
"""A matrix; or a pair of functions, that of A and that of its transpose."""

Observe = Callable[[int, float], None]

MARGIN = 0.01
"""c of the paper: the residual is reduced at least by this share of what a short step would."""

SHORTER = 2.0
"""κ of the paper: about by how much a step that is too long is divided."""

STALLED = 2.0**-40
"""A step of less than this share of x changes nothing any more."""

ADJOINT = 1e-2
"""By how much, relatively, two products may differ that an operator and its transpose share."""


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
    measured: Any,
    operator: Operator,
    k: int,
    *,
    tolerance: float = 1e-6,
    steps: int = 500,
    observe: Observe | None = None,
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
    observe
        Is called after each step with its number, from 1, and its residual.

    Raises
    ------
    NotFinite, UnsupportedKeys, ValuesMismatch
        y has a NaN or an infinity, is not real, or the matrix has another number of rows.
    BadCount, BadRank
        x has fewer than k entries, or k is no integer.
    BadOption
        The second function is not the transpose of the first one, or an option is impossible.
    ArraysApart
        `measured` and the matrix are in two places.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((40, 100)), np.zeros(100)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> found = iterative_hard_thresholding(A @ x, A, 3)
    >>> found.converged, np.flatnonzero(found.x).tolist(), bool(abs(found.x - x).max() < 1e-5)
    (True, [3, 50, 71], True)
    """
    if not is_between(tolerance, 0, np.inf):
        raise BadOption(f"tolerance is a number, and must be 0 at least, not {tolerance!r}")
    steps = whole_number("steps", steps, least=0, error=BadOption)
    is_pair = isinstance(operator, tuple | list) and all(callable(each) for each in operator)
    home = home_of(measured) if is_pair else home_of(measured, operator)
    with home.here():
        y = _checked(home, measured)
        run = _Run(home, y, _pair(home, operator, y) if is_pair else _product(home, operator, y), k)
        residuals: list[float] = []
        while run.residual > tolerance and len(residuals) < steps and run.step():
            residuals.append(run.residual)
            if observe is not None:
                observe(len(residuals), run.residual)
        return Recovery(home.given(run.x), tuple(residuals), run.residual <= tolerance)


class _Run:
    """The state between two steps: x, and the rest of y that it does not explain."""

    def __init__(self, home: Home, y: Any, pair: tuple[Any, Any], k: int) -> None:
        self._xp, self._y, (self._forward, self._transposed) = home.xp, y, pair
        self._size = max(_square(y), np.finfo(np.float64).tiny)
        self._gradient = self._transposed(y)
        self._k = count_of(k, self._gradient.size)
        self.x, self._rest = self._gradient * 0, y
        self._support = threshold(self._gradient, self._k) != 0
        _check_adjoint(self._forward(self._gradient), y, self._gradient)

    @property
    def residual(self) -> float:
        """`|y − A x| / |y|`."""
        return float(np.sqrt(_square(self._rest) / self._size))

    def step(self) -> bool:
        """Take one step; return whether it changed x."""
        inside = self._gradient * self._support
        along = _square(self._forward(inside))
        if not along > 0:
            return False
        length = _square(inside) / along
        x, change, image = self._moved(length)
        support = x != 0
        while bool((support != self._support).any()):
            if length * _square(image) <= (1 - MARGIN) * _square(change):
                break
            length /= SHORTER * (1 - MARGIN)
            x, change, image = self._moved(length)
            support = x != 0
        if not _square(change) > STALLED**2 * _square(x):
            return False
        self.x, self._support, self._rest = x, support, self._y - self._forward(x)
        self._gradient = self._transposed(self._rest)
        return True

    def _moved(self, length: float) -> tuple[Any, Any, Any]:
        """Return x after a step of some length, its change, and the image of the change."""
        x = self.x + self._gradient * self._gradient.dtype.type(length)
        threshold(x, self._k, out=x)
        change = x - self.x
        return x, change, self._forward(change)


def _square(x: Any) -> float:
    """Return the sum of squares."""
    return float((x * x).sum(dtype=np.float64))


def _checked(home: Home, measured: Any) -> Any:
    """Return measurements as floats of at least 32 bits."""
    y = home.own(measured)
    if y.dtype.kind not in "fiub":
        raise UnsupportedKeys(
            f"measurements are real numbers, not {y.dtype}: use two for a complex"
        )
    if not bool(home.xp.isfinite(y).all()):
        raise NotFinite("measurements contain NaN or infinity: leave them out of y and A")
    return y.astype(np.result_type(y.dtype, np.float32), copy=False)


def _product(home: Home, matrix: Any, y: Any) -> tuple[Any, Any]:
    """Return the functions of a matrix."""
    matrix = home.own(matrix)
    if matrix.ndim != 2 or matrix.shape[0] != y.size:
        raise ValuesMismatch(
            f"the matrix has the shape {matrix.shape}, but {y.size} measurements need as many rows"
        )
    matrix = matrix.astype(np.result_type(matrix.dtype, y.dtype), copy=False)
    return lambda x: (matrix @ x).reshape(y.shape), lambda rest: matrix.T @ rest.reshape(-1)


def _pair(home: Home, pair: Any, y: Any) -> tuple[Any, Any]:
    """Return a caller's functions, between arrays at home."""
    if len(pair) != 2:
        raise BadOption(f"the operator has {len(pair)} functions: pass two, of A and its transpose")
    forward, transposed = pair

    def images(x: Any) -> Any:
        found = home.own(forward(home.given(x)))
        if found.shape != y.shape:
            raise ValuesMismatch(f"A x has the shape {found.shape}, but y has {y.shape}")
        return found

    return images, lambda rest: home.own(transposed(home.given(rest)))


def _check_adjoint(image: Any, y: Any, gradient: Any) -> None:
    """Raise BadOption unless A g · y is g · g for g, the product of the transpose and y."""
    found, expected = float((image * y).sum(dtype=np.float64)), _square(gradient)
    most = ADJOINT * (expected + np.sqrt(_square(image) * _square(y)))
    if not abs(found - expected) <= most:
        raise BadOption(
            f"the second function is not the transpose of the first one: the products {found:.4g} "
            f"and {expected:.4g} should be equal"
        )
