"""Fits to start from: of random elemental subsets, all in one batch; or of given subsets."""

import numpy as np
import numpy.typing as npt

from shadersort.robust.concentration import solved
from shadersort.robust.problem import Numbers, Problem

Places = npt.NDArray[np.int64]
"""Subsets of the rows: their places, of shape (subsets, size)."""


def random_subsets(random: np.random.Generator, rows: int, size: int, count: int) -> Places:
    """Return random subsets of the rows; no row is twice in a subset.

    Examples
    --------
    >>> subsets = random_subsets(np.random.default_rng(0), 5, 3, 100)
    >>> subsets.shape, all(len(set(each)) == 3 for each in subsets.tolist())
    ((100, 3), True)
    """
    found = np.empty((count, size), np.int64)
    for place in range(size):  # Floyd's sampling: the last candidate replaces one drawn before
        last = rows - size + place
        drawn = random.integers(last + 1, size=count)
        twice = (found[:, :place] == drawn[:, None]).any(axis=1)
        found[:, place] = np.where(twice, last, drawn)
    return found


def fits_of(problem: Problem, subsets: Places) -> Numbers:
    """Return the least squares fits of subsets of the rows of a problem on the host."""
    parts = problem.columns.T[subsets]
    return solved(parts.transpose(0, 2, 1) @ parts)[0]


def elemental_fits(problem: Problem, random: np.random.Generator, count: int) -> Numbers:
    """Return fits through random subsets of as many rows as a fit has parameters."""
    size = problem.parameters
    return fits_of(problem, random_subsets(random, problem.rows, size, count))
