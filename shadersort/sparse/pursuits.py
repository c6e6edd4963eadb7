"""Pursuits: recovery that fits the entries of a support by least squares in every step.

=====================================  ===========================================  ===============
method                                 support that is fitted                       then
=====================================  ===========================================  ===============
hard thresholding pursuit              k largest of x + length · gradient           –
subspace pursuit                       that of x, k largest of the gradient         k largest,
                                                                                    fitted again
compressive sampling matching pursuit  that of x, 2k largest of the gradient        k largest
=====================================  ===========================================  ===============

Foucart, "Hard thresholding pursuit: an algorithm for compressive sensing", SIAM J. Numer. Anal.
49(6), 2011. Dai and Milenkovic, "Subspace pursuit for compressive sensing signal reconstruction",
IEEE Trans. Inf. Theory 55(5), 2009. Needell and Tropp, "CoSaMP: iterative signal recovery from
incomplete and inaccurate samples", Appl. Comput. Harmon. Anal. 26(3), 2009.
"""

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


def hard_thresholding_pursuit(
    measured: Any, operator: Operator, k: int, *, tolerance: float = 1e-6, steps: int = 500
) -> Recovery:
    """Recover an array with k entries that are not zero from measurements y = A x.

    By the algorithm of Foucart 2011. A step goes along the gradient; the support of the k largest
    entries is then fitted by least squares. The paper supposes that A nearly keeps the norm of
    sparse arrays, and takes steps of length 1. Here the length is `|x|² / |A x|²`, so A may have
    any norm. Parameters and errors are those of `normalised_iterative_hard_thresholding`; it ends
    as `iterative_hard_thresholding` does.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((40, 100)), np.zeros(100)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> found = hard_thresholding_pursuit(A @ x, A, 3)
    >>> found.converged, np.flatnonzero(found.x).tolist()
    (True, [3, 50, 71])
    """

    def move(given: Measured, x: Any, gradient: Any, k: int) -> Any:
        known = x if bool((x != 0).any()) else threshold(gradient, k)
        size = square(given.forward(known))
        length = square(known) / size if size else 0.0
        return fit(given, threshold(x + gradient * length, k) != 0)

    return recover(repeat(move), measured, operator, k, tolerance, steps)


def subspace_pursuit(
    measured: Any, operator: Operator, k: int, *, tolerance: float = 1e-6, steps: int = 500
) -> Recovery:
    """Recover an array with k entries that are not zero from measurements y = A x.

    By the algorithm of Dai and Milenkovic 2009. Parameters and errors are those of
    `normalised_iterative_hard_thresholding`; it ends as `iterative_hard_thresholding` does.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((40, 100)), np.zeros(100)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> np.flatnonzero(subspace_pursuit(A @ x, A, 3).x).tolist()
    [3, 50, 71]
    """

    def move(given: Measured, x: Any, gradient: Any, k: int) -> Any:
        joined = fit(given, (x != 0) | (threshold(gradient, k) != 0))
        return fit(given, threshold(joined, k) != 0)

    return recover(repeat(move), measured, operator, k, tolerance, steps)


def compressive_sampling_matching_pursuit(
    measured: Any, operator: Operator, k: int, *, tolerance: float = 1e-6, steps: int = 500
) -> Recovery:
    """Recover an array with k entries that are not zero from measurements y = A x.

    By CoSaMP, the algorithm of Needell and Tropp 2009. Parameters and errors are those of
    `normalised_iterative_hard_thresholding`. It ends when x stays as it is; until then, residuals
    may grow and fall again.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> A, x = rng.standard_normal((40, 100)), np.zeros(100)
    >>> x[[3, 50, 71]] = 2.0, -1.0, 3.0
    >>> compressive_sampling_matching_pursuit(A @ x, A, 3).converged
    True
    """

    def move(given: Measured, x: Any, gradient: Any, k: int) -> Any:
        wanted = threshold(gradient, min(2 * k, gradient.size))
        return threshold(fit(given, (x != 0) | (wanted != 0)), k)

    return recover(repeat(move, may_grow=True), measured, operator, k, tolerance, steps)


def fit(given: Measured, support: Any) -> Any:
    """Return the array on a support with the least |y − A x|, by conjugate gradients.

    In exact arithmetic they end after as many steps as the support has entries; they may take twice
    as many. A step takes a product with A and one with its transpose.
    """
    rest = given.y
    gradient = given.transposed(rest) * support
    x, direction, size = gradient * 0, gradient, square(gradient)
    enough = STALLED**2 * size
    for _ in range(2 * int(support.sum())):
        if not size > enough:
            break
        image = given.forward(direction)
        length = size / square(image)
        x, rest = x + direction * length, rest - image * length
        gradient = given.transposed(rest) * support
        before, size = size, square(gradient)
        direction = gradient + direction * (size / before)
    return x
