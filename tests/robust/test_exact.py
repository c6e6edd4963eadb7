"""Tiny problems: nothing is less than what is found, of all subsets; and its single steps."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from shadersort.keys.types import Keys
from shadersort.robust import LeastTrimmedSquares
from tests.robust.problems import contaminated, tiny


def design(x: Keys, intercept: bool) -> Keys:
    return np.append(x, np.ones((len(x), 1)), axis=1) if intercept else x


def least_of_all_subsets(x: Keys, y: Keys, h: int) -> float:
    """The least sum of squares of any h rows, by least squares of each subset."""
    found = np.inf
    for subset in map(list, combinations(range(len(y)), h)):
        fit = np.linalg.lstsq(x[subset], y[subset], rcond=None)[0]
        found = min(found, float(((y[subset] - x[subset] @ fit) ** 2).sum()))
    return found


@pytest.mark.filterwarnings("ignore:columns")
@settings(max_examples=20)
@given(tiny())
def test_trimmed_squares_are_least(given: tuple[Keys, Keys, bool]) -> None:
    x, y, intercept = given
    found = LeastTrimmedSquares(fit_intercept=intercept).fit(x, y)
    best = least_of_all_subsets(design(x, intercept), y, found.h_)
    assert found.objective_ == pytest.approx(best, rel=1e-9, abs=1e-18)


@pytest.mark.parametrize("rows", [13, 14, 15, 16])
def test_trimmed_squares_are_least_where_subsets_are_drawn(rows: int) -> None:
    """Of one row more than 14, and of two, subsets are drawn."""
    for seed in range(3):
        x, y, _, _ = contaminated(seed, 2 if rows <= 14 else 1, "both")
        x, y = x[:rows], y[:rows]
        found = LeastTrimmedSquares().fit(x, y)
        best = least_of_all_subsets(design(x, True), y, found.h_)
        assert found.objective_ == pytest.approx(best)
