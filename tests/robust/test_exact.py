"""Tiny problems: nothing is less than what is found, of all subsets; and its single steps."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.robust import LeastTrimmedSquares
from shadersort.robust.search import random_subsets
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


@settings(max_examples=20)
@given(st.integers(1, 40), st.data())
def test_random_subsets_have_different_rows(rows: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, rows))
    subsets = random_subsets(np.random.default_rng(data.draw(st.integers(0, 9))), rows, size, 20)
    assert all(len(set(each)) == size for each in subsets.tolist())
    assert 0 <= subsets.min() <= subsets.max() < rows
