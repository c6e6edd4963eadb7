"""FAST-LTS (Rousseeuw and Van Driessen 2006): a search for the least sum of h squared residuals.

Fits through random elemental subsets are concentrated a little, and the best of these until they
converge. Of many rows, a random part is searched first; its best fits are concentrated in a larger
part, and the best of those in all rows. Of few rows, all subsets of h rows are tried instead.
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from shadersort.robust.concentration import (
    concentrated,
    residual_sizes,
    solved,
    stepped,
    trimmed,
)
from shadersort.robust.problem import Numbers, Problem

Places = npt.NDArray[np.int64]
"""Subsets of the rows: their places, of shape (subsets, size)."""

Found = tuple[Numbers, Numbers]
"""Objectives and fits, the best first."""

FEW = 14
"""Of so few rows, all subsets of h are tried: at most 3,432."""

CONCENTRATED, KEPT = 300, 10
"""Random starts that are concentrated by two steps, and those until they converge."""

FIRST, SECOND = 1500, 30_000
"""Rows of the two parts."""

INTO_LAST = 3  # fits that are tried in all rows

SAME = 1e-9
"""Objectives that differ by a smaller share belong to the same fit."""


def least_trimmed(problem: Problem, h: int, count: int, random: np.random.Generator) -> Numbers:
    """Return the fit whose h smallest squared residuals have the least sum that is found."""
    if h == problem.rows:
        return np.zeros(problem.parameters)
    if problem.rows <= FEW:
        return _exact(problem.on_host(), h)
    thetas = best_of_parts(
        problem, h, lambda part, some: searched(part, some, count, random), concentrated, random
    )
    objectives, thetas = concentrated(problem, thetas, h)
    return np.asarray(thetas[objectives.argmin()])


def searched(problem: Problem, h: int, count: int, random: np.random.Generator) -> Found:
    """Return the best fits that begin with random elemental subsets, in a problem on the host."""
    thetas = elemental_fits(problem, random, count)
    objectives = trimmed(problem.home, residual_sizes(problem, thetas), h).objectives[:, 0]
    thetas = thetas[np.argsort(objectives, kind="stable")[:CONCENTRATED]]
    thetas = in_order(*concentrated(problem, thetas, h, 1))[1]
    return in_order(*concentrated(problem, thetas[:KEPT], h))


def in_order(objectives: Numbers, thetas: Numbers) -> Found:
    """Return objectives and fits, the best first."""
    order = np.argsort(objectives, kind="stable")
    return objectives[order], thetas[order]


def best_of_parts(
    problem: Problem,
    h: int,
    search: Callable[[Problem, int], Found],
    improve: Callable[[Problem, Numbers, int], Found],
    random: np.random.Generator,
) -> Numbers:
    """Return the best fits of a part of the rows, different ones; of all rows if they are few.

    `search` finds fits of the first part, and `improve` those of the second from these. Both parts
    are on the host.
    """
    rows = problem.rows
    if rows <= 2 * FIRST:
        return search(problem.on_host(), h)[1][:1]
    places = random.choice(rows, min(SECOND, rows), replace=False)
    thetas = _different(*search(problem.at(places[:FIRST]), -(-h * FIRST // rows)))
    if rows > 2 * SECOND:
        part = -(-h * SECOND // rows)
        thetas = _different(*improve(problem.at(places), thetas[:KEPT], part))
    return thetas[:INTO_LAST]


def _different(objectives: Numbers, thetas: Numbers) -> Numbers:
    """Return the fits, the best first, without those that have another's objective."""
    ordered, thetas = in_order(objectives, thetas)
    return np.asarray(thetas[np.append(True, np.diff(ordered) > SAME * ordered[1:])])


def _exact(problem: Problem, h: int) -> Numbers:
    """Return the fit that has the least sum of the h smallest squares of all.

    It is the least squares fit of some h rows, so all subsets are tried.
    """
    thetas = fits_of(problem, np.array(list(combinations(range(problem.rows), h))))
    return np.asarray(thetas[stepped(problem, thetas, h)[0].argmin()])


def random_subsets(random: np.random.Generator, rows: int, size: int, count: int) -> Places:
    """Return random subsets of the rows; no row is twice in a subset."""
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
