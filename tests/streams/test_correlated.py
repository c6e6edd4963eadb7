"""CorrelatedSum: sums up to any point within the guarantee, and what it refuses."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.streams import CorrelatedSum
from shadersort.streams.correlated.mass_summaries import STEP, Budgets
from tests.streams.adversaries import ADVERSARIES, draws
from tests.streams.exact import points_about


def masses_for(random: np.random.Generator, n: int) -> Keys:
    """Whole numbers, so that sums are exact: equal, of both signs, zeros, or one that is all."""
    kind = random.integers(5)
    if kind == 0:
        return np.ones(n)
    if kind == 1:
        return random.integers(-1000, 1000, n).astype(np.float64)
    if kind == 2:
        return np.where(np.arange(n) == n // 3, 1e9, 0.0)
    if kind == 3:
        return np.floor(np.exp(random.uniform(0, 20, n)))
    return np.zeros(n)


def assert_sums_within(sums: CorrelatedSum, x: Keys, y: Keys) -> None:
    order = np.argsort(x, kind="stable")
    prefix = np.concatenate([[0], np.cumsum(y[order])])
    points = points_about(x[order])
    exact = prefix[np.searchsorted(x[order], points, side="right")]
    low, high = sums.sum_bounds(points)
    assert np.all((low <= exact) & (exact <= high)), "a sum outside its bounds"
    worst = np.abs(sums.sum_up_to(points) - exact).max()
    assert worst <= sums.epsilon * np.abs(y).sum(), "a sum beyond the guarantee"
    assert sums.total == y.sum()


def test_sums_up_to_aggregates() -> None:
    random = np.random.default_rng(8)
    x, y = random.normal(10, 2, 50_000), random.random(50_000)
    sums = CorrelatedSum(0.01)
    sums.update(x, y)
    for q in (0.1, 0.5, 0.9):  # of a quantile the rank is off, too
        at = np.quantile(x, q)
        assert sums.query(q) == pytest.approx(y[x <= at].sum(), abs=0.03 * y.sum())
    assert sums.query("median") == sums.query(0.5)
    half = sums.query("max", lambda value: value / 2)
    assert half == pytest.approx(y[x <= x.max() / 2].sum(), abs=0.01 * y.sum())
    assert sums.sum_up_to([[1, 2], [3, 4]]).shape == (2, 2)


@pytest.mark.parametrize("name", ADVERSARIES)
def test_sums_up_to_the_sum_and_the_count_are_within_the_guarantee(name: str) -> None:
    """By brute force, for f that bring both into the range of x, and for both themselves."""
    for random, x in draws(name, 3_000, count=6):
        if not np.isfinite(x).all():
            continue
        epsilon, y = random.choice([0.5, 0.1]), masses_for(random, x.size)
        sums = CorrelatedSum(epsilon).update(x, y)
        total, within = x.astype(np.float64).sum(), epsilon * np.abs(y).sum()
        assert sums.aggregate("count") == x.size
        assert sums.aggregate("sum") == pytest.approx(total, rel=1e-9, abs=1e-9)
        assert sums.aggregate("mean") * x.size == pytest.approx(total, rel=1e-9, abs=1e-9)
        for aggregate in ("sum", "count", "mean", "min", "max"):
            for factor in (1, 0.5, 2 / x.size, -1 / x.size):
                point = np.float64(sums.aggregate(aggregate)) * factor
                found = sums.query(aggregate, partial(np.multiply, factor))
                assert abs(found - y[x <= point].sum()) <= within


def test_pairs_with_a_nan_are_left_out() -> None:
    sums = CorrelatedSum(0.1)
    sums.update([1, 2, np.nan, 4], [1.0, np.nan, np.nan, 8])
    assert (sums.n, sums.nans, sums.total) == (2, 2, 9)


def test_a_failed_update_leaves_it_as_it_was() -> None:
    refused: list[tuple[Any, Any, type[Exception]]] = [
        ([1, 2], [1], errors.ValuesMismatch),
        (1, [1, 2], errors.ValuesMismatch),
        (iter([[1.0], [2.0]]), iter([[1.0]]), errors.ValuesMismatch),
        ([1], [np.inf], errors.NotFinite),
        (["a"], [1], errors.UnsupportedKeys),
        ([1], ["a"], errors.UnsupportedKeys),
        ([1], [1j], errors.UnsupportedKeys),
    ]
    sums = CorrelatedSum(0.1)
    sums.update(np.arange(700.0), np.ones(700))
    before = sums.to_bytes()
    for x, y, error in refused:
        with pytest.raises(error):
            sums.update(x, y)
        assert sums.to_bytes() == before
    assert sums.total == 700


def test_questions_that_cannot_be_answered() -> None:
    empty = CorrelatedSum(0.1)
    for ask in (empty.median, lambda: empty.query("mean"), lambda: empty.total):
        with pytest.raises(errors.EmptyInput):
            ask()
    sums = CorrelatedSum(0.1)
    sums.update([1, 2], [3, 4])
    with pytest.raises(errors.BadOption, match="'mean'"):
        sums.query("mode")  # type: ignore[arg-type]
    with pytest.raises(errors.QuantileOutOfRange):
        sums.query("mean", lambda mean: np.nan)
    other = CorrelatedSum(0.1)
    other.update([1.5], [1])
    with pytest.raises(errors.SummariesDiffer):
        sums.merge(other)


def test_sums_beyond_float64_are_refused_and_leave_the_summary_as_it_was() -> None:
    large = np.full(10_000, 1.7e308)
    sums = CorrelatedSum(0.3).update([1.0], [2.0])
    before = sums.to_bytes()
    with pytest.raises(errors.NotFinite, match="more than float64 holds"):
        sums.update(large, large)
    assert sums.to_bytes() == before
    halves = np.where(np.arange(50_000) % 2, 5e304, -5e304)  # neither sign overflows alone
    with pytest.raises(errors.NotFinite, match="more than float64 holds"):
        sums.update(np.tile(np.arange(5_000.0), 10), halves)
    assert sums.to_bytes() == before
    few = sums.update(large[:9], large[:9])  # they wait for their window
    assert few.copy().sum_up_to(1.0) == 2
    infinite = CorrelatedSum(0.9).update(np.full(200, np.inf), np.ones(200))
    assert infinite.copy().aggregate("sum") == np.inf


def test_shares_never_sum_to_more_than_one() -> None:
    for epsilon in (0.5, 0.01, 1e-3):
        plan = Budgets(Fraction(epsilon))
        assert sum(plan.share(level) for level in range(200)) <= 1
        assert plan.epsilon * plan.window >= STEP
        for level in range(1, 40):
            extra = plan.step(level) - 1
            assert extra <= plan.epsilon * plan.share(level) * plan.size(level)
