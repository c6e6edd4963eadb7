"""Many rows: a search in a random part of them, then in a larger part, then in all.

That is the idea of FAST-LTS (Rousseeuw and Van Driessen 2006). Concentration steps on many rows
converge linearly, by about a seventh a step, so the last ones are accelerated.
"""

from collections.abc import Callable

import numpy as np

from shadersort.robust.concentration import stepped
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.search import MOST_STEPS, SAME

FIRST, SECOND = 1500, 30_000
"""Rows of the two parts."""

INTO_SECOND, INTO_LAST = 10, 3
"""Fits that come into the second part, and into all rows."""

DEPTH = 4
"""Steps from which the next one is extrapolated."""

Found = tuple[Numbers, Numbers]
"""Objectives and fits, the best first."""


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
    thetas = _different(*search(problem.at(places[:FIRST]), _part_of(h, FIRST, rows)))
    if rows > 2 * SECOND:
        share = _part_of(h, SECOND, rows)
        thetas = _different(*improve(problem.at(places), thetas[:INTO_SECOND], share))
    return thetas[:INTO_LAST]


def _part_of(h: int, part: int, rows: int) -> int:
    """Return the h of a part of the rows."""
    return -(-h * part // rows)


def _different(objectives: Numbers, thetas: Numbers) -> Numbers:
    """Return the fits, the best first, without those that have another's objective."""
    order = np.argsort(objectives, kind="stable")
    ordered = objectives[order]
    new = np.append(True, np.diff(ordered) > SAME * ordered[1:])
    return np.asarray(thetas[order[new]])


def polished(problem: Problem, theta: Numbers, h: int) -> tuple[float, Numbers]:
    """Return the objective and the fit where concentration steps from a fit end.

    The steps are extrapolated (Anderson 1965) as long as that finds a smaller objective; otherwise
    a plain step is taken, which never finds a larger one.
    """
    (objective,), following = stepped(problem, theta[None], h)
    thetas, steps = [theta], [following[0] - theta]
    for _ in range(MOST_STEPS):
        plain = thetas[-1] + steps[-1]
        theta = extrapolated(thetas, steps)
        (found,), following = stepped(problem, theta[None], h)
        if not found < objective and len(thetas) > 1:
            thetas, steps, theta = thetas[-1:], steps[-1:], plain
            (found,), following = stepped(problem, theta[None], h)
        if not found < objective:
            break
        objective = found
        thetas = [*thetas[-DEPTH:], theta]
        steps = [*steps[-DEPTH:], following[0] - theta]
    return float(objective), thetas[-1]


def extrapolated(thetas: list[Numbers], steps: list[Numbers]) -> Numbers:
    """Return where steps lead that change linearly with the place where they begin.

    Examples
    --------
    >>> halves = [np.array([8.0]), np.array([4.0])]
    >>> extrapolated(halves, [each / -2 for each in halves])
    array([0.])
    """
    ahead = thetas[-1] + steps[-1]
    if len(thetas) == 1:
        return ahead
    changes = np.diff(steps, axis=0).T
    mix = np.linalg.lstsq(changes, steps[-1], rcond=1e-10)[0]
    return np.asarray(ahead - (np.diff(thetas, axis=0).T + changes) @ mix)
