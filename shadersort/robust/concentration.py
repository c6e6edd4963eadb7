"""Concentration steps (Rousseeuw and Van Driessen 2006), of many fits at once.

A step takes the h smallest squared residuals of a fit, and fits those rows by least squares. The
sum of the h smallest squares never grows. Nothing is sorted: the h-th smallest residual of each fit
is an order statistic, found for all fits in one call. Rows below it count in full, and rows equal
to it by the share that is left of h (Beliakov 2011, formula (4), read as `docs/errata.md` says).
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from shadersort.arrays import kth_of_rows, run_in_threads
from shadersort.robust.problem import Numbers, Problem, on_host

# multiplications that OpenBLAS leaves to one thread; small products in more took 50 times as long
ALONE = 1 << 18

DEVICE_BLOCK = 1 << 28  # weighted numbers that are made at a time on a device
GROUP = 512  # rows of one small matrix product, or of a sum, on a device: many run side by side

RANK = 1e-12  # the least eigenvalue that counts, of a Gram matrix with ones on its diagonal
MOST_STEPS = 200  # of a concentration; few fits take more than 50

CONVERGED = 1e-12  # a step that makes the objective smaller by a smaller share is the last one


class Trimmed(NamedTuple):
    """What the h smallest of some sizes are, for each fit: arrays (fits, 1) where the sizes are."""

    bounds: Any  # the h-th smallest size
    shares: Any  # how much a size equal to the bound counts
    objectives: Any  # the sum of the h smallest squares

    def weights(self, sizes: Any) -> Any:
        """Return 1 for sizes below the bound, the share for those equal to it, 0 for the rest."""
        return (sizes < self.bounds) + self.shares * (sizes == self.bounds)


def _sum_of_spans(xp: Any, rows: int, step: int, part: Callable[[slice], Any]) -> Any:
    """Return the sum of a function of spans of the rows, which are added in their order.

    On the host, threads share the spans; their number changes no bit.
    """
    spans = [slice(start, min(start + step, rows)) for start in range(0, rows, step)]
    found: list[Any] = [None] * len(spans)

    def add(place: int) -> None:
        found[place] = part(spans[place])

    run_in_threads(range(len(spans)), add, rows if xp is np else 0)
    return sum(found[1:], found[0])


def _sum_of_rows(xp: Any, x: Any) -> Any:
    """Return the sum of each row; on a device in groups, as CuPy gives a row to one block."""
    if xp is np:
        return x.sum(axis=1)
    end = x.shape[1] // GROUP * GROUP
    return x[:, :end].reshape(len(x), -1, GROUP).sum(axis=2).sum(axis=1) + x[:, end:].sum(axis=1)


def residual_sizes(problem: Problem, thetas: Numbers) -> Any:
    """Return the absolute residuals of fits (fits, parameters): of shape (fits, rows)."""
    xp, (wide, rows), fits = problem.home.xp, problem.columns.shape, len(thetas)
    lines = np.append(-thetas, np.ones((fits, 1)), axis=1)
    if xp is not np:
        found = xp.asarray(lines) @ problem.columns
        return xp.abs(found, out=found)
    found = np.empty((fits, rows))

    def fill(some: slice) -> int:
        # for one line, matmul lets OpenBLAS take threads of its own, which stay busy when done
        multiply: Any = np.matmul if fits > 1 else partial(np.einsum, "fi,ij->fj")
        np.abs(multiply(lines, problem.columns[:, some]), out=found[:, some])
        return 0

    _sum_of_spans(xp, rows, max(ALONE // (fits * wide), 1), fill)
    return found


def trimmed(home: Any, sizes: Any, h: int) -> Trimmed:
    """Return what the h smallest of the sizes (fits, rows) are."""
    bounds = kth_of_rows(home, sizes, h - 1)

    def sums(some: slice) -> Any:
        part = sizes[:, some]
        below = part < bounds
        squares = home.xp.where(below, part, 0)
        counted = below, part == bounds, squares * squares
        return home.xp.stack([_sum_of_rows(home.xp, each) for each in counted], axis=1)

    step = max(ALONE // len(sizes), 1) if home.xp is np else sizes.shape[1]
    found = _sum_of_spans(home.xp, sizes.shape[1], step, sums)
    left = h - found[:, :1]
    return Trimmed(bounds, left / found[:, 1:2], found[:, 2:] + left * bounds**2)


def grams(problem: Problem, weights: Callable[[slice], Any]) -> Numbers:
    """Return the Gram matrices of all columns, weighted for each fit, on the host.

    `weights` returns the weights (fits, some rows) of a slice of the rows.
    """
    xp, (wide, rows) = problem.home.xp, problem.columns.shape

    def gram(some: slice) -> Any:
        part = problem.columns[:, some]
        weighted = weights(some)[:, None, :] * part
        if xp is np:
            return weighted @ part.T
        end = part.shape[1] // GROUP * GROUP
        last = weighted[:, :, end:] @ part[:, end:].T
        return last + _in_groups(weighted[:, :, :end], part[:, :end]) if end else last

    step = max((ALONE if xp is np else DEVICE_BLOCK) // wide**2, 1)
    return np.array(on_host(_sum_of_spans(xp, rows, step, gram)))


def _in_groups(weighted: Any, part: Any) -> Any:
    """Return weighted (fits, wide, rows) @ part.T, as the sum of a product for each group."""
    left = weighted.reshape(*weighted.shape[:2], -1, GROUP).transpose(0, 2, 1, 3)
    return (left @ part.reshape(len(part), -1, GROUP).transpose(1, 2, 0)).sum(axis=1)


def solved(gram: Numbers) -> tuple[Numbers, Any]:
    """Return the least squares fits of Gram matrices, and the ranks of the columns.

    If columns are collinear, the fit is the one of least norm, for columns scaled to equal norms.
    """
    inner, right = gram[:, :-1, :-1], gram[:, :-1, -1]
    norms = np.sqrt(np.diagonal(inner, axis1=1, axis2=2))
    units = np.divide(1, norms, where=norms > 0, out=np.zeros_like(norms))
    values, vectors = np.linalg.eigh(inner * units[:, :, None] * units[:, None, :])
    counted = values > RANK * values.shape[1]
    inverse = np.divide(1, values, where=counted, out=np.zeros_like(values))
    turned = np.einsum("bij,bi->bj", vectors, right * units) * inverse
    return np.einsum("bij,bj->bi", vectors, turned) * units, counted.sum(axis=1)


def stepped(problem: Problem, thetas: Numbers, h: int) -> tuple[Numbers, Numbers]:
    """Return the objectives of fits, and the fits one concentration step further."""
    sizes = residual_sizes(problem, thetas)
    found = trimmed(problem.home, sizes, h)
    gram = grams(problem, lambda some: found.weights(sizes[:, some]))
    return on_host(found.objectives)[:, 0], solved(gram)[0]


def concentrated(
    problem: Problem, thetas: Numbers, h: int, steps: int = MOST_STEPS
) -> tuple[Numbers, Numbers]:
    """Concentrate fits until they converge, or for this many steps; return objectives and fits."""
    objectives, following = stepped(problem, thetas, h)
    thetas, active = thetas.copy(), np.arange(len(thetas))
    for _ in range(steps):
        found, after = stepped(problem, following, h)
        better = found < (1 - CONVERGED) * objectives[active]
        active = active[better]
        if not active.size:
            break
        objectives[active], thetas[active] = found[better], following[better]
        following = after[better]
    return objectives, thetas
