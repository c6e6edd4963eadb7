"""Iterative hard thresholding, the worked example of compressed sensing.

A sparse x with k entries is recovered from few measurements y = A x by steps along the gradient,
after each of which all but the k largest entries become zero. Plain: Blumensath and Davies,
"Iterative hard thresholding for compressed sensing", Appl. Comput. Harmon. Anal. 27(3), 2009.
Normalised: the same, "Normalized iterative hard thresholding: guaranteed stability and
performance", IEEE J. Sel. Top. Signal Process. 4(2), 2010. There the step is the best one for the
entries that are kept; if other entries would be kept after it, it is made shorter until it surely
reduces the residual.
"""

from collections.abc import Iterator
from typing import Any

from shadersort.sparse.recovery import (
    STALLED,
    Measured,
    Operator,
    Recovery,
    recover,
    repeat,
    square,
)
from shadersort.sparse.thresholding import threshold

MARGIN, SHORTER = 0.01, 2.0
"""c and κ of the second paper: a step is short enough if it changes the residual by 1 − c of what a
short step would; one that is too long is divided by κ(1 − c)."""


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
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((60, 100)), np.zeros(100)
    >>> A /= 1.01 * np.linalg.norm(A, 2)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> found = iterative_hard_thresholding(A @ x, A, 3)
    >>> found.converged, np.flatnonzero(found.x).tolist()
    (True, [3, 50, 71])
    """

    def move(given: Measured, x: Any, gradient: Any, k: int) -> Any:
        return threshold(x + gradient, k)

    return recover(repeat(move), measured, operator, k, tolerance, steps)


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
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((40, 100)), np.zeros(100)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> found = normalised_iterative_hard_thresholding(A @ x, A, 3)
    >>> found.converged, np.flatnonzero(found.x).tolist(), bool(abs(found.x - x).max() < 1e-5)
    (True, [3, 50, 71], True)
    """
    return recover(_normalised_steps, measured, operator, k, tolerance, steps)


def _normalised_steps(given: Measured, gradient: Any, k: int) -> Iterator[tuple[Any, Any]]:
    x, rest, support = gradient * 0, given.y, threshold(gradient, k) != 0

    def moved(length: float) -> tuple[Any, Any, Any]:
        """Return x after a step of some length, its change, and the image of the change."""
        found = x + gradient * gradient.dtype.type(length)
        threshold(found, k, out=found)
        return found, found - x, given.forward(found - x)

    while True:
        yield x, rest
        inside = gradient * support
        along = square(given.forward(inside))
        if not along > 0:
            return
        length = square(inside) / along
        found, change, image = moved(length)
        while bool(((found != 0) != support).any()):
            if length * square(image) <= (1 - MARGIN) * square(change):
                break
            length /= SHORTER * (1 - MARGIN)
            found, change, image = moved(length)
        if not square(change) > STALLED**2 * square(found):
            return
        x, support, rest = found, found != 0, given.y - given.forward(found)
        gradient = given.transposed(rest)
