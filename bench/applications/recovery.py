"""How often regressions find a model among 45% of gross outliers, each at its defaults.

The problems are those of `bench.shared.contaminated`, of 1 to 10 columns. A model is found if no
coefficient is off by more than the standard deviation of its errors. robpy is left out, with a
warning, if it is not installed.
"""

import logging
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench.shared.contaminated import KINDS, NEAR, Contaminated, contaminated
from bench.shared.record import Row
from bench.shared.robpy import fast_lts
from shadersort.keys.types import Keys
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares

MOST_COLUMNS = 10

Fit = Callable[[Keys, Keys], Keys]
"""Returns the coefficients of a fit."""


def measurements(problems: int = 200) -> Iterator[Row]:
    """Yield a row for each method: of how many problems it finds the model, by their kinds."""
    data = [
        (kind, contaminated(seed, 1 + seed // len(KINDS) % MOST_COLUMNS, kind))
        for seed, kind in zip(range(problems), KINDS * problems, strict=False)
    ]
    for name, fit in methods().items():
        yield {"what": "recovery", "method": name, "problems": problems, **_recovered(fit, data)}


def methods() -> dict[str, Fit]:
    """Return the fits by their names.

    robpy is missing, with a warning, if it is not installed.
    """
    from sklearn.linear_model import (
        HuberRegressor,
        LinearRegression,
        RANSACRegressor,
        TheilSenRegressor,
    )

    found = {
        "LTS": _coefficients(lambda: LeastTrimmedSquares()),
        "LTS, deterministic starts": _coefficients(
            lambda: LeastTrimmedSquares(starts="deterministic")
        ),
        "LTS, MM-step": _coefficients(lambda: LeastTrimmedSquares(finish="mm")),
        "LMS": _coefficients(lambda: LeastMedianSquares()),
        "OLS": _coefficients(lambda: LinearRegression()),
        "Huber": _coefficients(lambda: HuberRegressor()),
        "RANSAC": _coefficients(lambda: RANSACRegressor(random_state=0)),
        "Theil-Sen": _coefficients(lambda: TheilSenRegressor(random_state=0)),
    }
    return found | _robpys()


def _coefficients(made: Callable[[], Any]) -> Fit:
    def fit(x: Keys, y: Keys) -> Keys:
        found = made().fit(x, y)
        return np.asarray(getattr(found, "estimator_", found).coef_)

    return fit


def _robpys() -> dict[str, Fit]:
    """Return the fit of robpy, if it is installed."""
    from sklearn.base import clone

    if (made := fast_lts()) is None:
        return {}

    def fit(x: Keys, y: Keys) -> Keys:
        found = clone(made).fit(x, y, verbosity=logging.WARNING)
        return np.asarray(found.model.coef_).ravel()

    return {"robpy": fit}


def _recovered(fit: Fit, data: list[tuple[str, Contaminated]]) -> Row:
    """Return how many models are found, of each kind, and the mean time of a fit."""
    counts = dict.fromkeys(KINDS, 0)
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some methods do not converge on such data
        for kind, (x, y, coef, _) in data:
            counts[kind] += int(np.abs(_or_nothing(fit, x, y) - coef).max() < NEAR)
    ms = 1e3 * (time.perf_counter() - started) / len(data)
    return {"recovered": sum(counts.values()), **counts, "ms": ms}


def _or_nothing(fit: Fit, x: Keys, y: Keys) -> Keys:
    """Return the coefficients, or NaNs if a method finds no fit and says so."""
    try:
        return fit(x, y)
    except ValueError:  # RANSAC found no consensus
        return np.full(x.shape[1], np.nan)
