"""Where searches start: subsets with few outliers, found by chance or without."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from shadersort.robust.deterministic import central_subsets, mean_ranks, standardised, tau_scales
from shadersort.robust.starts import elemental_fits, random_subsets

from shadersort.robust.search import deterministic_fits, searched
from tests.robust.problems import contaminated, problem


@given(st.integers(1, 40), st.data())
def test_random_subsets_have_different_rows(rows: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, rows))
    subsets = random_subsets(np.random.default_rng(data.draw(st.integers(0, 9))), rows, size, 20)
    assert all(len(set(each)) == size for each in subsets.tolist())
    assert subsets.min() >= 0
    assert subsets.max() < rows


def test_random_subsets_are_equally_likely() -> None:
    subsets = random_subsets(np.random.default_rng(0), 5, 2, 20_000)
    _, counts = np.unique(np.sort(subsets, axis=1), axis=0, return_counts=True)
    assert len(counts) == 10
    assert (abs(counts - 2000) < 200).all()


def test_elemental_fits_pass_through_their_rows() -> None:
    data = contaminated(1, 3, "both")
    some = problem(data.x, data.y)
    thetas = elemental_fits(some, np.random.default_rng(0), 10)
    subsets = random_subsets(np.random.default_rng(0), some.rows, 4, 10)
    for theta, subset in zip(thetas, subsets, strict=True):
        rows = some.columns[:, subset]
        np.testing.assert_allclose(theta @ rows[:-1], rows[-1], atol=1e-6)


@pytest.mark.parametrize("kind", ["vertical", "leverage", "both"])
def test_central_subsets_have_few_outliers(kind: str) -> None:
    data = contaminated(4, 3, kind, share=0.3)
    columns = np.append(data.x.T, [data.y], axis=0)
    subsets = central_subsets(columns, len(data.y) // 2)
    shares = np.isin(subsets, data.outliers).mean(axis=1)
    assert subsets.shape == (6, len(data.y) // 2)
    assert (shares < 0.1).sum() >= 4


def test_the_order_of_the_rows_does_not_matter() -> None:
    data = contaminated(5, 2, "both")
    columns = np.append(data.x.T, [data.y], axis=0)
    order = np.random.default_rng(0).permutation(len(data.y))
    plain = np.sort(central_subsets(columns, 30), axis=1)
    again = np.sort(order[central_subsets(columns[:, order], 30)], axis=1)
    np.testing.assert_array_equal(plain, again)


def test_deterministic_fits_are_twelve() -> None:
    data = contaminated(6, 2, "both")
    assert deterministic_fits(problem(data.x, data.y)).shape == (12, 3)


def test_rows_that_a_fit_leaves_out_are_tried() -> None:
    """A start from the rest of the rows finds the model, where the six measures follow outliers."""
    data = contaminated(13, 9, "leverage")
    some = problem(data.x, data.y)
    h = (some.rows + some.parameters + 1) // 2
    _, thetas = searched(some, h, "deterministic", 1, np.random.default_rng(0))
    found, _ = some.coefficients(thetas[0])
    assert np.abs(found - data.coef).max() < 0.5


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=20))
def test_ranks_are_those_of_scipy(numbers: list[int]) -> None:
    column = np.array([numbers], float)
    np.testing.assert_array_equal(mean_ranks(column)[0], rankdata(numbers))


def test_tau_scales() -> None:
    normal = np.random.default_rng(0).standard_normal((1, 10_000))
    clean = tau_scales(normal)[0]
    far = normal.copy()
    far[0, :3000] = 1e9
    assert 0.9 < clean < 1
    assert tau_scales(far)[0] < 2.5 * clean
    assert tau_scales(7 * normal)[0] == pytest.approx(7 * clean)


def test_constant_columns_have_no_scale() -> None:
    found = standardised(np.array([[5.0, 5, 5, 5], [1, 2, 3, 4]]))
    np.testing.assert_array_equal(found[0], 0)
    assert found[1].std() > 0.5
