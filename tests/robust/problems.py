"""Problems for the tests: few rows with ties; `bench.shared.contaminated` has gross outliers."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bench.shared.contaminated import KINDS as KINDS
from bench.shared.contaminated import contaminated as contaminated
from shadersort.arrays import NumPyHome
from shadersort.keys.types import Keys
from shadersort.robust.problem import Problem, problem_of


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
