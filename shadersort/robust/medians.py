"""The search for fits with the least h-th smallest residual: least median of squares.

Many fits are tried, and each gets the best intercept for its slopes: the middle of the shortest
interval that holds h of the differences between y and the slopes' predictions (Rousseeuw and Leroy
1987, section 5.2). So the fits are compared as if the intercept had been searched for, too.
"""

from itertools import product

import numpy as np

from shadersort.robust.concentration import residual_sizes, slices
from shadersort.robust.exact import BATCH, subsets_of
from shadersort.robust.problem import Numbers, Problem, on_host
from shadersort.robust.search import NEARBY, ROUNDS, SAME, Starts, fits_nearby, joined, searched
from shadersort.robust.starts import Places, elemental_fits

CHANCE = 20
"""Rounds of starts near the best fit, as a multiple of those for trimmed squares."""


def adjusted(problem: Problem, thetas: Numbers, h: int) -> tuple[Numbers, Numbers]:
    """Return the h-th smallest residuals of fits with the best intercepts, and these fits."""
    home = problem.home
    if not problem.intercept:
        sizes = residual_sizes(problem, thetas)[:, :, None]
        return on_host(home.rows(sizes).ranks(np.array([h - 1]))[:, 0, 0]), thetas
    lines = home.xp.asarray(np.append(-thetas, np.ones((len(thetas), 1)), axis=1))
    ordered = home.rows((lines @ problem.columns)[:, :, None]).sorted()[:, :, 0]
    low, high = ordered[:, : problem.rows - h + 1], ordered[:, h - 1 :]
    places = (high - low).argmin(axis=1)[:, None]
    low, high = (home.xp.take_along_axis(each, places, axis=1)[:, 0] for each in (low, high))
    shifted = thetas.copy()
    shifted[:, 0] += on_host((low + high) / 2)
    return on_host((high - low) / 2), shifted


def searched_medians(
    problem: Problem, h: int, starts: Starts, count: int, random: np.random.Generator
) -> tuple[Numbers, Numbers]:
    """Return the objectives and the fits that were found, the best first.

    They begin with fits of small trimmed squares, and elemental ones.
    """
    thetas = searched(problem, h, starts, count, random)[1]
    if starts != "deterministic":
        thetas = np.append(thetas, elemental_fits(problem, random, count), axis=0)
    objectives, thetas = joined([adjusted(problem, thetas, h)])
    for _ in range(ROUNDS):
        others = fits_nearby(problem, thetas[0], h, NEARBY * CHANCE, random)
        found = adjusted(problem, others, h)
        better = found[0].min() < (1 - SAME) * objectives[0]
        objectives, thetas = joined([(objectives, thetas), found])
        if not better:
            break
    return objectives, thetas


def exact_medians(problem: Problem, h: int) -> Numbers:
    """Return the fit with the least h-th smallest residual of all.

    It is the minimax fit of some h rows, and a minimax fit of p parameters has p + 1 residuals of
    equal size (Stromberg 1993). So all subsets of p + 1 rows are tried with all signs.
    """
    best, found = np.inf, np.zeros(problem.parameters)
    for subsets in subsets_of(problem.rows, problem.parameters + 1):
        thetas = minimax_fits(problem, subsets)
        for some in slices(len(thetas), BATCH):
            objectives, shifted = adjusted(problem, thetas[some], h)
            place = int(objectives.argmin())
            if objectives[place] < best:
                best, found = float(objectives[place]), shifted[place]
    return found


def minimax_fits(problem: Problem, subsets: Places) -> Numbers:
    """Return the fits whose residuals are equal but for their signs, of subsets and all signs.

    Examples
    --------
    >>> from shadersort.robust.problem import NumPyHome, problem_of
    >>> x, y = np.array([[0.0], [1], [4]]), np.array([0.0, 1, 0])
    >>> problem = problem_of(NumPyHome(), x, y, intercept=False)
    >>> len(minimax_fits(problem, np.array([[0, 1]])))
    2
    """
    parameters = problem.parameters
    signs = np.array([(1.0, *rest) for rest in product((1, -1), repeat=parameters)])
    systems = np.empty((len(subsets), len(signs), parameters + 1, parameters + 1))
    rows = problem.columns.T[subsets]
    systems[..., :-1] = rows[:, None, :, :-1]
    systems[..., -1] = signs[None]
    found = np.linalg.pinv(systems) @ rows[:, None, :, -1:]
    return np.asarray(found[..., :-1, 0].reshape(-1, parameters))
