"""Problems for the tests: gross outliers, and few rows with many ties."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.arrays import NumPyHome
from shadersort.keys.types import Keys
from shadersort.robust.problem import Problem, problem_of


class Contaminated(NamedTuple):
    x: Keys
    y: Keys
    coef: Keys
    outliers: Keys


KINDS = ("vertical", "leverage", "both", "one side")


def contaminated(seed: int, columns: int, kind: str, share: float = 0.45) -> Contaminated:
    """A model with normal errors of 0.5, and gross outliers: far in y, in x and y, or both."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(20 * (columns + 1), 60 * (columns + 1)))
    x = random.standard_normal((rows, columns))
    coef = 3 * random.standard_normal(columns)
    y = x @ coef + 1 + 0.5 * random.standard_normal(rows)
    moved = random.permutation(rows)[: int(share * rows)]
    parts = {"vertical": 1.0, "one side": 1.0, "leverage": 0.0, "both": 0.5}
    vertical, leverage = np.split(moved, [int(parts[kind] * len(moved))])
    sizes = random.uniform(20, 100, len(vertical))
    y[vertical] += sizes if kind == "one side" else random.choice([-1, 1], len(vertical)) * sizes
    middle = random.standard_normal(columns)
    middle *= 10 / np.linalg.norm(middle)
    x[leverage] = middle + 0.3 * random.standard_normal((len(leverage), columns))
    y[leverage] = 60 * random.choice([-1, 1]) + random.standard_normal(len(leverage))
    return Contaminated(x, y, coef, moved)


@st.composite
def tiny(draw: st.DrawFn, most_rows: int = 9, most_columns: int = 3) -> tuple[Keys, Keys, bool]:
    """Few rows of small whole numbers, with ties and collinear columns; an intercept or not."""
    intercept = draw(st.booleans())
    columns = draw(st.integers(1, most_columns))
    rows = draw(st.integers(columns + 2, most_rows))
    whole = st.integers(-4, 4).map(float)
    x = draw(arrays(np.float64, (rows, columns), elements=whole))
    return x, draw(arrays(np.float64, rows, elements=whole)), intercept


def problem(x: Keys, y: Keys, intercept: bool = True) -> Problem:
    return problem_of(NumPyHome(), x, y, intercept)
