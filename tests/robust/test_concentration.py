"""Concentration steps: exactly h squares are summed, of many fits as of one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.arrays import NumPyHome
from shadersort.keys.types import Keys
from shadersort.robust.concentration import (
    concentrated,
    residual_sizes,
    stepped,
    trimmed,
)
from shadersort.robust.search import elemental_fits, random_subsets
from tests.robust.problems import contaminated, problem

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


def test_a_step_is_least_squares_of_the_h_nearest_rows() -> None:
    data = contaminated(2, 3, "leverage")
    some = problem(data.x, data.y)
    (theta,) = elemental_fits(some, np.random.default_rng(1), 1)
    h = some.rows // 2
    nearest = np.argsort(residual_sizes(some, theta[None])[0])[:h]
    expected = np.linalg.lstsq(some.columns[:-1, nearest].T, some.columns[-1, nearest], rcond=None)
    np.testing.assert_allclose(stepped(some, theta[None], h)[1][0], expected[0], atol=1e-9)


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
