"""The search for fits with a small sum of the h smallest squares, in a problem on the host.

From many starts the best are concentrated until nothing changes. Then two kinds of start follow
that come from what was found. The first kind fits the rows that a fit leaves out: if nearly half of
the rows are outliers close together, a fit may follow these, and leave out the others. The second
kind goes through a few rows that the best fit takes: that finds better fits nearby.
"""

from typing import Literal

import numpy as np

from shadersort.robust.concentration import concentrated, residual_sizes, trimmed
from shadersort.robust.deterministic import central_subsets
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.starts import Places, elemental_fits, fits_of, random_subsets

Starts = Literal["auto", "deterministic", "random", "exact"]
STARTS: tuple[Starts, ...] = ("auto", "deterministic", "random", "exact")
"""Where a search starts: "auto" takes all subsets of a tiny problem, otherwise both other kinds."""

CONCENTRATED, KEPT = 300, 10
"""Random starts that are concentrated by two steps, and those until nothing changes."""

NEARBY, ROUNDS = 100, 5
"""Starts near the best fit, and how often they are drawn at most: while they find a better one."""

SAME = 1e-9
"""Objectives that differ by a smaller share belong to the same fit."""

MOST_STEPS = 200
"""Concentration steps at most; few fits take more than 50."""


def searched(
    problem: Problem, h: int, starts: Starts, count: int, random: np.random.Generator
) -> tuple[Numbers, Numbers]:
    """Return the objectives and the fits that were found, the best first."""
    firsts = []
    if starts != "random":
        firsts.append(concentrated(problem, deterministic_fits(problem), h, MOST_STEPS))
    if starts != "deterministic":
        firsts.append(_best_of_random(problem, h, count, random))
    objectives, thetas = joined(firsts)
    others = concentrated(problem, _fits_left_out(problem, thetas, h), h, MOST_STEPS)
    objectives, thetas = joined([(objectives, thetas), others])
    return _best_nearby(problem, h, objectives, thetas, random)


def deterministic_fits(problem: Problem) -> Numbers:
    """Return fits to the middle half of the rows, and to the middle quarter, by six measures."""
    columns = problem.columns[int(problem.intercept) :]
    half = (problem.rows + 1) // 2
    quarter = min(max(problem.rows // 4, 2 * problem.parameters), half)
    fits = [fits_of(problem, central_subsets(columns, size)) for size in (half, quarter)]
    return np.concatenate(fits)


def _best_of_random(
    problem: Problem, h: int, count: int, random: np.random.Generator
) -> tuple[Numbers, Numbers]:
    thetas = elemental_fits(problem, random, count)
    objectives = trimmed(problem.home, residual_sizes(problem, thetas), h).objectives[:, 0]
    thetas = thetas[_least(objectives, CONCENTRATED)]
    objectives, thetas = concentrated(problem, thetas, h, 1)
    return concentrated(problem, thetas[_least(objectives, KEPT)], h, MOST_STEPS)


def _least(objectives: Numbers, count: int) -> Places:
    """Return where the least objectives are, the first of equal ones."""
    return np.argsort(objectives, kind="stable")[:count]


def _fits_left_out(problem: Problem, thetas: Numbers, h: int) -> Numbers:
    """Return the fits of the rows that fits leave out, if they are enough for one."""
    if problem.rows - h < problem.parameters:
        return thetas
    sizes = residual_sizes(problem, thetas)
    return fits_of(problem, np.argpartition(sizes, h - 1, axis=1)[:, h:])


def _best_nearby(
    problem: Problem, h: int, objectives: Numbers, thetas: Numbers, random: np.random.Generator
) -> tuple[Numbers, Numbers]:
    for _ in range(ROUNDS):
        others = fits_nearby(problem, thetas[0], h, NEARBY, random)
        found = concentrated(problem, others, h, MOST_STEPS)
        better = found[0].min() < (1 - SAME) * objectives[0]
        objectives, thetas = joined([(objectives, thetas), found])
        if not better:
            break
    return objectives, thetas


def fits_nearby(
    problem: Problem, theta: Numbers, h: int, count: int, random: np.random.Generator
) -> Numbers:
    """Return elemental fits of rows that a fit takes, those at its bound among them.

    Rounding does not decide about these, so the same problem in other units has the same fits.
    """
    sizes = residual_sizes(problem, theta[None])[0]
    bound = np.partition(sizes, h - 1)[h - 1]
    taken = np.flatnonzero(sizes <= (1 + SAME) * bound)
    return fits_of(problem, taken[random_subsets(random, len(taken), problem.parameters, count)])


def joined(found: list[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    """Return several lots of objectives and fits as one, the best first."""
    objectives, thetas = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.argsort(objectives, kind="stable")
    return objectives[order], thetas[order]
