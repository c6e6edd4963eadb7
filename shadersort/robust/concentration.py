"""Concentration steps (Rousseeuw and Van Driessen 2006), of many fits at once.

A step takes the h smallest squared residuals of a fit, and fits those rows by least squares. The
sum of the h smallest squares never grows. Nothing is sorted: the h-th smallest residual of each fit
is an order statistic, found for all fits in one call. Rows below it count in full, and rows equal
to it by the share that is left of h (Beliakov 2011, formula (4), read as `docs/errata.md` says).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from shadersort.robust.problem import Numbers, Problem, on_host
from shadersort.selection.rows.chunks import in_threads

SPAN = 1 << 16
"""Rows whose products a thread of the host adds up."""

ALONE = 1 << 18
"""Multiplications of a matrix product that OpenBLAS leaves to one thread. More threads for small
products wait for each other: on a busy host that took 50 times as long."""

WEIGHTED = 1 << 17
"""Weighted numbers that a thread of the host makes at a time: they stay in its cache."""

DEVICE_BLOCK = 1 << 25
"""Weighted numbers that are made at a time on a device."""

RANK = 1e-12
"""Least eigenvalue that counts, of a Gram matrix with ones on its diagonal."""


class Trimmed(NamedTuple):
    """What the h smallest of some sizes are, for each fit: arrays (fits, 1) where the sizes are."""

    bounds: Any  # the h-th smallest size
    shares: Any  # how much a size equal to the bound counts
    objectives: Any  # the sum of the h smallest squares

    def weights(self, sizes: Any) -> Any:
        """Return 1 for sizes below the bound, the share for those equal to it, 0 for the rest.

        Examples
        --------
        >>> from shadersort.arrays import NumPyHome
        >>> sizes = np.array([[3.0, 1, 2, 2]])
        >>> trimmed(NumPyHome(), sizes, 2).weights(sizes)
        array([[0. , 1. , 0.5, 0.5]])
        """
        return (sizes < self.bounds) + self.shares * (sizes == self.bounds)


def residual_sizes(problem: Problem, thetas: Numbers) -> Any:
    """Return the absolute residuals of fits (fits, parameters): of shape (fits, rows)."""
    xp, (wide, rows), fits = problem.home.xp, problem.columns.shape, len(thetas)
    lines = np.append(-thetas, np.ones((fits, 1)), axis=1)
    if (own := problem.home.steps.residual_sizes(problem.columns, lines)) is not None:
        return own
    if xp is not np:
        found = xp.asarray(lines) @ problem.columns
        return xp.abs(found, out=found)
    found = np.empty((fits, rows))

    def fill(some: slice) -> None:
        part, columns = found[:, some], problem.columns[:, some]
        if fits > 1:
            np.matmul(lines, columns, out=part)
        else:  # for one line OpenBLAS takes threads of its own, which stay busy when it is done
            np.einsum("fi,ij->fj", lines, columns, out=part)
        np.abs(part, out=part)

    in_threads(slices(rows, max(ALONE // (fits * wide), 1)), fill, fits * rows * wide)
    return found


def slices(rows: int, step: int) -> Iterator[slice]:
    """Yield slices of the rows, of so many rows each.

    Examples
    --------
    >>> list(slices(5, 3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def trimmed(home: Any, sizes: Any, h: int) -> Trimmed:
    """Return what the h smallest of the sizes (fits, rows) are.

    Examples
    --------
    >>> from shadersort.arrays import NumPyHome
    >>> trimmed(NumPyHome(), np.array([[3.0, 1, 2, 2]]), 3).objectives
    array([[9.]])
    """
    bounds = home.rows(sizes[:, :, None]).ranks(np.array([h - 1]))[:, :, 0]
    below, equal, squares = _sums(home, sizes, bounds)
    left = h - below
    return Trimmed(bounds, left / equal, squares + left * bounds**2)


def _sums(home: Any, sizes: Any, bounds: Any) -> tuple[Any, Any, Any]:
    """Return how many sizes are below the bounds and at them, and the sums of squares below."""
    if (own := home.steps.trimmed_sums(sizes, bounds)) is not None:
        return own[:, :1], own[:, 1:2], own[:, 2:]
    if home.xp is not np:
        return _sums_of(home.xp, sizes, bounds)
    spans = list(slices(sizes.shape[1], max(SPAN // len(sizes), 1)))
    found = np.zeros((3, len(spans), len(sizes)))

    def add(place: int) -> None:
        every = _sums_of(np, sizes[:, spans[place]], bounds)
        found[:, place] = [each[:, 0] for each in every]

    in_threads(iter(range(len(spans))), add, sizes.size)
    below, equal, squares = found.sum(axis=1)[:, :, None]
    return below, equal, squares


def _sums_of(xp: Any, sizes: Any, bounds: Any) -> tuple[Any, Any, Any]:
    """Return the numbers and the sum of squares of some sizes."""
    below = sizes < bounds
    squares = xp.where(below, sizes, 0)
    squares *= squares
    equal = sizes == bounds
    counted = below.sum(axis=1, keepdims=True), equal.sum(axis=1, keepdims=True)
    return *counted, squares.sum(axis=1, keepdims=True)


class Weights(NamedTuple):
    """The weights of all rows for each fit."""

    numbers: Any  # (fits, rows): the weights, or sizes
    trimmed: Trimmed | None = None  # what the weights of sizes are

    def of(self, some: slice) -> Any:
        """Return the weights (fits, some rows) of a slice of the rows."""
        part = self.numbers[:, some]
        return part if self.trimmed is None else self.trimmed.weights(part)

    @property
    def bounded(self) -> tuple[Any, Any] | None:
        """The bounds and the shares of sizes."""
        return None if self.trimmed is None else self.trimmed[:2]


def grams(problem: Problem, weights: Weights) -> Numbers:
    """Return the Gram matrices of all columns, weighted for each fit, on the host.

    The sums of spans of rows are added in the order of the rows, so the number of threads changes
    no bit.
    """
    (wide, rows), fits = problem.columns.shape, len(weights.numbers)
    own = problem.home.steps.grams(problem.columns, weights.numbers, weights.bounded)
    if own is not None:
        return np.array(on_host(own))
    if problem.home.xp is not np:
        step = max(DEVICE_BLOCK // (fits * wide), 1)
        return np.array(on_host(_gram(problem, weights, slice(0, rows), step)))
    spans = list(slices(rows, SPAN))
    found = np.zeros((len(spans), fits, wide, wide))

    def add(place: int) -> None:
        found[place] = _gram_of_span(problem, weights, spans[place])

    in_threads(iter(range(len(spans))), add, fits * rows * wide)
    return np.asarray(found.sum(axis=0))


def _gram_of_span(problem: Problem, weights: Weights, span: slice) -> Any:
    """Return the weighted Gram matrices of a span of rows, on the host.

    A call of NumPy multiplies many parts, each of which OpenBLAS leaves to one thread: short calls
    of several threads would wait for each other.
    """
    wide, fits = len(problem.columns), len(weights.numbers)
    step = max(ALONE // wide**2, 1)
    parts = max(WEIGHTED // (fits * wide * step), 1)
    found: Any = 0.0
    for some in slices(span.stop - span.start, parts * step):
        first, last = span.start + some.start, span.start + some.stop
        whole = last - (last - first) % step
        if whole > first:
            found = found + _gram_of_parts(problem, weights, slice(first, whole), step)
        if whole < last:
            found = found + _gram(problem, weights, slice(whole, last), step)
    return found


def _gram_of_parts(problem: Problem, weights: Weights, span: slice, step: int) -> Any:
    """Return the weighted Gram matrices of a span of rows, which is a multiple of the step."""
    part = problem.columns[:, span]
    weighted = weights.of(span)[:, None, :] * part
    left = weighted.reshape(*weighted.shape[:2], -1, step).transpose(0, 2, 1, 3)
    right = part.reshape(len(part), -1, step).transpose(1, 2, 0)
    return (left @ right).sum(axis=1)


def _gram(problem: Problem, weights: Weights, span: slice, step: int) -> Any:
    """Return the weighted Gram matrices of a span of rows, which are taken some at a time."""
    found: Any = 0.0
    for start in range(span.start, span.stop, step):
        some = slice(start, min(start + step, span.stop))
        part = problem.columns[:, some]
        found = found + (weights.of(some)[:, None, :] * part) @ part.T
    return found


def solved(gram: Numbers) -> tuple[Numbers, Any]:
    """Return the least squares fits of Gram matrices, and the ranks of the columns.

    If columns are collinear, the fit is the one of least norm, for columns scaled to equal norms.

    Examples
    --------
    >>> columns = np.array([[1.0, 1, 1], [2, 2, 2], [3, 4, 5]])
    >>> solved((columns @ columns.T)[None])
    (array([[2., 1.]]), array([1]))
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
    gram = grams(problem, Weights(sizes, found))
    return on_host(found.objectives)[:, 0], solved(gram)[0]


def concentrated(problem: Problem, thetas: Numbers, h: int, steps: int) -> tuple[Numbers, Numbers]:
    """Concentrate fits until nothing changes, or for so many steps; return objectives and fits."""
    objectives, following = stepped(problem, thetas, h)
    thetas, active = thetas.copy(), np.arange(len(thetas))
    for _ in range(steps):
        found, after = stepped(problem, following, h)
        better = found < objectives[active]
        active = active[better]
        if not active.size:
            break
        objectives[active], thetas[active] = found[better], following[better]
        following = after[better]
    return objectives, thetas
