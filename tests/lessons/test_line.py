"""Lesson 15: lines, steps and data do what the lesson says of them."""

from itertools import combinations

import numpy as np
import pytest

from shadersort.lessons.line import data, lines
from shadersort.robust import LeastTrimmedSquares

HALF = 21
"""The h of forty points."""


def some_points(seed: int, n: int = 12) -> data.Points:
    rng = np.random.default_rng(seed)
    return rng.permutation(n).astype(float), rng.integers(-5, 6, n).astype(float)


@pytest.mark.parametrize("seed", range(20))
def test_lines_are_those_of_numpy(seed: int) -> None:
    x, y = some_points(seed)
    np.testing.assert_allclose(lines.least_squares(x, y), np.polyfit(x, y, 1), atol=1e-12)
    np.testing.assert_allclose(
        lines.through(x, y, 2, 7), np.polyfit(x[[2, 7]], y[[2, 7]], 1), atol=1e-12
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_points_are_the_first_ones_in_order(seed: int) -> None:
    """With ties: heights are small whole numbers, and the line is level."""
    x, y = some_points(seed)
    for h in range(1, len(x) + 1):
        kept = lines.nearest(x, y, (0.0, 0.0), h)
        assert set(np.flatnonzero(kept)) == set(np.argsort(np.abs(y), kind="stable")[:h])
        assert lines.objective(x, y, (0.0, 0.0), h) == np.sort(y**2)[:h].sum()


@pytest.mark.parametrize("seed", range(10))
def test_no_step_makes_the_sum_larger(seed: int) -> None:
    x, y = data.with_wrong_ones(seed=seed)
    for i, j in ((0, 1), (5, 30), (25, 39)):
        chain = lines.concentrations(x, y, lines.through(x, y, i, j), HALF)
        sums = [lines.objective(x, y, line, HALF) for line in chain]
        assert (np.diff(sums) <= 1e-12).all()
        assert lines.concentrated(x, y, chain[-1], HALF) == chain[-1]


def test_the_package_finds_what_all_pairs_find() -> None:
    x, y = data.with_wrong_ones()
    found = LeastTrimmedSquares().fit(x[:, None], y)
    ends = [
        lines.objective(x, y, lines.concentrations(x, y, lines.through(x, y, i, j), HALF)[-1], HALF)
        for i, j in combinations(range(40), 2)
    ]
    assert found.h_ == HALF == (40 + 3) // 2
    assert found.objective_ == pytest.approx(min(ends))
    assert len(set(np.round(ends, 6))) > 5  # valleys
    assert found.coef_[0] == pytest.approx(0.5, abs=0.05)


def test_two_good_points_are_nearly_always_a_good_start() -> None:
    x, y = data.with_wrong_ones()
    ends = [
        lines.concentrations(x, y, lines.through(x, y, i, j), HALF)[-1]
        for i, j in combinations(range(22), 2)
    ]
    assert np.mean([0.4 < slope < 0.6 for slope, _ in ends]) > 0.95
    sums = np.array([lines.objective(x, y, line, HALF) for line in ends])
    assert np.mean(sums < 1.0001 * sums.min()) > 0.5


def test_the_line_of_least_squares_is_a_bad_start() -> None:
    """As the caption of its film says; a pair of good points is a good one."""
    x, y = data.with_wrong_ones()
    bad = lines.concentrations(x, y, lines.least_squares(x, y), HALF)[-1]
    good = lines.concentrations(x, y, lines.through(x, y, 0, 1), HALF)[-1]
    assert bad[0] < 0 < 0.4 < good[0]
    crowd = slice(22, 34)
    assert lines.nearest(x, y, bad, HALF)[crowd].all()
    assert not lines.nearest(x, y, good, HALF)[crowd].any()


def test_a_fit_of_half_the_points_stands_nearly_half_of_wrong_ones() -> None:
    slopes = {
        wrong: LeastTrimmedSquares().fit(x[:, None], y).coef_[0]
        for wrong in (0, 10, 18, 22)
        for x, y in [data.with_wrong_ones(40 - wrong, wrong, 0)]
    }
    assert all(slopes[wrong] == pytest.approx(0.5, abs=0.05) for wrong in (0, 10, 18))
    assert slopes[22] < 0
    assert lines.least_squares(*data.with_wrong_ones(30, 10, 0))[0] < 0.1


def test_stars_give_the_published_fits() -> None:
    """Of least squares by Rousseeuw and Leroy, and of LTS by R's robustbase."""
    temperature, light = data.stars()
    assert len(temperature) == 47
    np.testing.assert_allclose(
        lines.least_squares(temperature, light), (-0.4133, 6.7935), atol=1e-4
    )
    found = LeastTrimmedSquares().fit(temperature[:, None], light)
    np.testing.assert_allclose((found.coef_[0], found.intercept_), (3.046, -8.500), atol=1e-3)
    giants = temperature < 3.5
    assert giants.sum() == 4
    assert found.outliers_[giants].all()
    assert (np.flatnonzero(found.outliers_) + 1).tolist() == [7, 9, 11, 18, 20, 30, 34]
