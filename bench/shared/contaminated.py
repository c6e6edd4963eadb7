"""Regressions of which nearly half of the rows are gross outliers."""

from typing import NamedTuple

import numpy as np

from shadersort.keys.types import Keys

VERTICAL = {"vertical": 1.0, "one side": 1.0, "leverage": 0.0, "both": 0.5}
KINDS = tuple(VERTICAL)
"""Outliers far in y, to both sides or to one; close together, far in X; or half of them so: the
share of the outliers that are far in y only."""

NEAR = 0.5
"""A fit has recovered the model if no coefficient is farther off; errors deviate by as much."""


class Contaminated(NamedTuple):
    """Rows of a linear model with an intercept of 1, and its outliers."""

    x: Keys  # (rows, columns)
    y: Keys  # (rows,)
    coef: Keys  # of the model
    outliers: Keys  # the places of the rows that do not belong to it


def contaminated(seed: int, columns: int, kind: str, share: float = 0.45) -> Contaminated:
    """Return 20 to 60 rows for each parameter, with normal errors and a share of outliers."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(20 * (columns + 1), 60 * (columns + 1)))
    x = random.standard_normal((rows, columns))
    coef = 3 * random.standard_normal(columns)
    y = x @ coef + 1 + 0.5 * random.standard_normal(rows)
    moved = random.permutation(rows)[: int(share * rows)]
    vertical, leverage = np.split(moved, [int(VERTICAL[kind] * len(moved))])
    sizes = random.uniform(20, 100, len(vertical))
    y[vertical] += sizes if kind == "one side" else random.choice([-1, 1], len(vertical)) * sizes
    middle = random.standard_normal(columns)
    middle *= 10 / np.linalg.norm(middle)
    x[leverage] = middle + 0.3 * random.standard_normal((len(leverage), columns))
    y[leverage] = 60 * random.choice([-1, 1]) + random.standard_normal(len(leverage))
    return Contaminated(x, y, coef, moved)
