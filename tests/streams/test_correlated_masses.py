"""Summaries with masses: whole windows, the order of sums, and what stays of a failed update."""

from fractions import Fraction

import numpy as np
import pytest

from shadersort.errors import NotFinite
from shadersort.streams import CorrelatedSum
from shadersort.streams.correlated.mass_summaries import (
    STEP,
    SUMMED,
    Budgets,
    MassSummaries,
    window_sums,
)


def test_the_columns_that_are_kept_are_the_last_of_their_slots() -> None:
    """By the definition, a row at a time."""
    random = np.random.default_rng(4)
    for length in (1, 2, 50):
        x, y = np.arange(length)[None], random.integers(-3, 4, (1, length)).astype(np.float64)
        for step, slots in ((1, 3), (4, 5), (7, 1)):
            found = MassSummaries.exact(x, y).compress(length, step, slots).values[0]
            mass = np.cumsum(np.abs(y[0])) - np.abs(y[0])
            share = mass / max(np.abs(y).sum(), 1) * slots
            kinds = np.arange(length) // step, np.minimum(share.astype(int), slots - 1)
            counts = (length - 1) // step + 1, slots
            kept = [0]
            for slot_of, count in zip(kinds, counts, strict=True):
                kept += [np.flatnonzero(slot_of <= slot)[-1:].sum() for slot in range(count)]
            np.testing.assert_array_equal(found, np.sort(kept))


def test_windows_are_added_up_in_one_order() -> None:
    random = np.random.default_rng(5)
    for dtype in ("float16", "float32", "float64", "int64", "uint8"):
        windows = (random.random((3, 5 * SUMMED)) * 100).astype(dtype)
        for row, found in zip(windows, window_sums(windows), strict=True):
            columns = [0.0] * SUMMED
            for i, value in enumerate(row.tolist()):
                columns[i % SUMMED] += value
            total = 0.0
            for each in columns:
                total += each
            assert found == total
    both = np.zeros((1, SUMMED))
    both[0, :2] = np.inf, -np.inf
    assert window_sums(both).tobytes() == np.array([np.nan]).tobytes()


def test_masses_that_overflow_together_are_refused() -> None:
    """Positive and negative masses, neither of which overflows."""
    x, y = np.arange(5_000.0), np.full(5_000, 5e304)
    y[::2] *= -1
    sums = CorrelatedSum(0.3).update(x[:10], x[:10])
    before = sums.to_bytes()
    with pytest.raises(NotFinite, match="more than float64 holds"):
        sums.update(np.tile(x, 10), np.tile(y, 10))
    assert sums.to_bytes() == before


def test_shares_never_sum_to_more_than_one() -> None:
    for epsilon in (0.5, 0.01, 1e-3):
        plan = Budgets(Fraction(epsilon))
        assert sum(plan.share(level) for level in range(200)) <= 1
        assert plan.epsilon * plan.window >= STEP
        for level in range(1, 40):
            extra = plan.step(level) - 1
            assert extra <= plan.epsilon * plan.share(level) * plan.size(level)
