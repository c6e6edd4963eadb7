"""Lesson 13: its buckets divide keys, its pictures use measured shares, and it times a GPU."""

from typing import Any

import numpy as np
import pytest

import modern
from shadersort.lessons import record
from shadersort.lessons.hundred.pictures import edges_of, pivots_of, show_distribution
from shadersort.lessons.hundred.times import show_times, times
from shadersort.lessons.shared.reproduced import variant_of


@pytest.mark.parametrize("intervals", [1, 2, 16])
def test_buckets_of_a_sample_cover_it_and_grow(intervals: int) -> None:
    sample = np.random.default_rng(0).standard_normal(1024)
    pivots = pivots_of(sample, intervals)
    edges = edges_of(pivots, 64)
    assert edges.size == 65
    assert (edges[0], edges[-1]) == (sample.min(), sample.max())
    assert (np.diff(edges) > 0).all()
    inside = np.histogram(sample, pivots)[0]
    assert np.ptp(inside) <= 2


def test_equal_order_statistics_have_no_infinite_density() -> None:
    keys = np.repeat([0.0, 1.0, 5.0], [10, 80, 10])
    deciles, percentiles = (np.quantile(keys, np.linspace(0, 1, n)) for n in (11, 101))
    figure = show_distribution(keys, deciles, percentiles)
    for line in figure.axes[0].lines:
        assert np.isfinite(line.get_ydata()).all()


def test_both_ways_are_timed_where_a_gpu_would_be() -> None:
    found = times(np, lambda: None, modern.multiselect, 5000, [5, 11], turns=1)
    assert set(found) == {"sort-choose", "bucket-multi"}
    assert all(set(some) == {5, 11} and min(some.values()) > 0 for some in found.values())


@pytest.mark.parametrize("live", [{}, {"sort-choose": {5: 2.0}, "bucket-multi": {5: 1.0}}])
def test_times_of_here_get_axes_of_their_own(live: dict[str, Any]) -> None:
    recorded = record("reproduce-nvidia-h200")
    figure = show_times(recorded, live)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles[:2] == ["Tesla K40, 2015, from the paper", recorded.label]
    assert len(titles) == 2 + bool(live)
    paper, now = figure.axes[:2]
    assert [np.size(line.get_xdata()) for line in paper.lines] == [4, 4]
    assert all(np.size(line.get_xdata()) == 4 for line in now.lines)
    assert {str(line.get_label()).split(", ")[-1] for line in now.lines} == {
        variant_of(row) for row in recorded.where(table="blanchard-2015-5")
    }
