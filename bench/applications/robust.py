"""Least trimmed squares: a concentration step beside one that sorts, and fits beside robpy's.

Both steps compute the same residuals, and the same products of the rows that they take; the one
that sorts finds these by `argsort`. Answers are compared before they are timed. `robpy` fits for h
of its own, so ours are made for the same h, without the last step; an objective is the sum of the
h smallest squared residuals, and `objective_ratio` is ours by robpy's. Without robpy its fields
are empty.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from bench.shared.contaminated import KINDS, contaminated
from bench.shared.data import WRONG
from bench.shared.record import Row
from bench.shared.robpy import fast_lts
from bench.shared.turns import least
from shadersort.arrays import NumPyHome
from shadersort.keys.types import Keys
from shadersort.robust import LeastTrimmedSquares
from shadersort.robust.concentration import residual_sizes, solved, stepped
from shadersort.robust.least_trimmed_squares import least_trimmed
from shadersort.robust.problem import Numbers, Problem, problem_of

COLUMNS = 10

STARTS = LeastTrimmedSquares().n_starts


def measurements(
    n: int = 1_000_000,
    *,
    columns: int = COLUMNS,
    seconds: float = 5.0,
    peer_rows: Sequence[int] = (10_000, 100_000, 1_000_000),
    problems: int = 50,
) -> Iterator[Row]:
    """Yield rows of a step, of fits of several sizes up to n, and of small problems."""
    yield {"what": "concentration step", "n": n, "columns": columns, **_step(n, columns, seconds)}
    yield {"what": "fit", "n": n, "columns": columns, **_whole_fit(n, columns)}
    for rows in peer_rows:
        if rows <= n:
            yield {"what": "fit, beside robpy", "n": rows, "columns": columns} | _fits(
                *many(rows, columns)
            )
    yield {"what": "objectives, beside robpy", **_objectives(problems)}


def many(n: int, columns: int, xp: Any = np) -> tuple[Any, Any]:
    """Return rows of a model, a quarter of which are moved in y, and a fifth in X.

    They are arrays of NumPy, or of another module.

    Examples
    --------
    >>> x, y = many(100, 3)
    >>> x.shape, y.shape
    ((100, 3), (100,))
    """
    random = xp.random.default_rng(n)
    x = random.standard_normal((n, columns))
    y = x.sum(axis=1) + random.standard_normal(n)
    y[: n // 4] += 50
    x[n // 4 : int(0.45 * n)] += 20
    return x, y


def step_that_sorts(problem: Problem, thetas: Numbers, h: int) -> tuple[Numbers, Numbers]:
    """Do as `stepped` does for one fit, by a sort of all residuals."""
    sizes = residual_sizes(problem, thetas)[0]
    nearest = np.argsort(sizes)[:h]
    rows = problem.columns[:, nearest]
    return (sizes[nearest] ** 2).sum(keepdims=True), solved((rows @ rows.T)[None])[0]


def _step(n: int, columns: int, seconds: float) -> Row:
    problem = problem_of(NumPyHome(), *many(n, columns), True)
    h = (n + problem.parameters + 1) // 2
    _, thetas = stepped(problem, np.zeros((1, problem.parameters)), h)
    for ours, peers in zip(
        stepped(problem, thetas, h), step_that_sorts(problem, thetas, h), strict=True
    ):
        if not np.allclose(ours, peers, rtol=1e-9, atol=1e-9):
            raise AssertionError(WRONG.format("a concentration step"))
    mine, peer = least(
        (lambda: stepped(problem, thetas, h), lambda: step_that_sorts(problem, thetas, h)), seconds
    )
    return {"ms": 1e3 * mine, "sorting_ms": 1e3 * peer, "times_as_fast": peer / mine}


def _whole_fit(n: int, columns: int) -> Row:
    """Time a fit as users call it, with its last step."""
    x, y = many(n, columns)
    s, found = _timed(lambda: LeastTrimmedSquares().fit(x, y))
    if np.abs(found.coef_ - 1).max() > 0.1:
        raise AssertionError(WRONG.format("a fit of many rows"))
    return {"s": s}


def _fits(x: Keys, y: Keys) -> Row:
    """Time a raw fit of ours, and robpy's, for the same h."""
    h = robpys_h(*x.shape)
    s, (coef, intercept) = _timed(lambda: raw_fit(x, y, h))
    row = {"s": s, "objective": objective_of(x, y, coef, intercept, h)}
    if (peer := _robpy(x, y)) is None:
        return {**row, "robpy_s": None, "times_as_fast": None, "objective_ratio": None}
    theirs = float(np.sort((y - peer[1]) ** 2)[:h].sum())
    return {
        **row,
        "robpy_s": peer[0],
        "times_as_fast": peer[0] / s,
        "objective_ratio": row["objective"] / theirs,
    }


def robpys_h(n: int, columns: int) -> int:
    """Return how many rows robpy fits by default."""
    return max(n // 2, (n + columns + 1) // 2)


def raw_fit(x: Keys, y: Keys, h: int) -> tuple[Numbers, float]:
    """Return coefficients and intercept of least trimmed squares for this h."""
    problem = problem_of(NumPyHome(), x, y, True)
    random = np.random.default_rng(0)
    return problem.coefficients(least_trimmed(problem, h, "auto", STARTS, random))


def objective_of(x: Keys, y: Keys, coef: Numbers, intercept: float, h: int) -> float:
    """Return the sum of the h smallest squared residuals, by a sort."""
    return float(np.sort((y - x @ coef - intercept) ** 2)[:h].sum())


def _robpy(x: Keys, y: Keys) -> tuple[float, Keys] | None:
    """Return the seconds and the predictions of robpy's raw fit; None if it is not installed."""
    if (fit := fast_lts(reweighting=False)) is None:
        return None
    s, found = _timed(lambda: fit.fit(x, y, verbosity=logging.WARNING))
    return s, np.asarray(found.predict(x)).ravel()


def _objectives(problems: int) -> Row:
    """Compare objectives of small problems with gross outliers: ours are less, equal or larger."""
    counts = {"less": 0, "equal": 0, "larger": 0}
    for seed in range(problems):
        data = contaminated(seed, 1 + seed % COLUMNS, KINDS[seed % len(KINDS)])
        ratio = _fits(data.x, data.y)["objective_ratio"]
        if ratio is None:
            return {"problems": problems, "less": None, "equal": None, "larger": None}
        if abs(ratio - 1) <= 1e-9:
            counts["equal"] += 1
        else:
            counts["less" if ratio < 1 else "larger"] += 1
    return {"problems": problems, **counts}


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    found = call()
    return time.perf_counter() - started, found
