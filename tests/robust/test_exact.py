"""Tiny problems: nothing is less than what is found, of all subsets; and its single steps."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.arrays import NumPyHome
from shadersort.keys.types import Keys
from shadersort.robust import LeastTrimmedSquares
from shadersort.robust.concentration import concentrated, stepped, trimmed
from shadersort.robust.search import elemental_fits, random_subsets
from tests.robust.problems import contaminated, problem, tiny


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


SIZES = st.sampled_from([0.0, 0.5, 1.0, 2.0, 1e-310, np.inf])
"""Sizes with many ties."""


@settings(max_examples=50)
@given(st.integers(1, 9).flatmap(lambda n: arrays(np.float64, (2, n), elements=SIZES)), st.data())
def test_h_squares_are_summed(sizes: Keys, data: st.DataObject) -> None:
    h = data.draw(st.integers(1, sizes.shape[1]))
    found = trimmed(NumPyHome(), sizes, h)
    smallest = np.sort(sizes, axis=1)[:, :h]
    np.testing.assert_allclose(found.objectives[:, 0], (smallest**2).sum(axis=1))
    np.testing.assert_array_equal(found.bounds[:, 0], smallest[:, -1])
    weights = found.weights(sizes)
    np.testing.assert_allclose(weights.sum(axis=1), h)
    assert ((weights == 1) | (sizes >= found.bounds)).all()
    assert ((weights == 0) | (sizes <= found.bounds)).all()


def test_steps_never_find_more() -> None:
    data = contaminated(3, 5, "one side")
    some = problem(data.x, data.y)
    h = some.rows // 2
    following = elemental_fits(some, np.random.default_rng(2), 20)
    before = np.full(20, np.inf)
    for _ in range(30):
        objectives, following = stepped(some, following, h)
        assert (objectives <= before * (1 + 1e-12)).all()
        before = objectives
    ends, _ = concentrated(some, elemental_fits(some, np.random.default_rng(2), 20), h, 200)
    assert (ends <= objectives * (1 + 1e-12)).all()


@settings(max_examples=20)
@given(st.integers(1, 40), st.data())
def test_random_subsets_have_different_rows(rows: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, rows))
    subsets = random_subsets(np.random.default_rng(data.draw(st.integers(0, 9))), rows, size, 20)
    assert all(len(set(each)) == size for each in subsets.tolist())
    assert subsets.min() >= 0
    assert subsets.max() < rows
