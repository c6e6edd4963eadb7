"""Histograms, plots and iteration: bounds that hold, and edges and areas that are right."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.errors import BadOption, EmptyInput, NotFinite
from tests.streams.adversaries import ADVERSARIES, draws

STREAM = np.random.default_rng(7).integers(0, 3_000, 4_000).astype(np.float64)

RANKS: dict[str, Callable[[], Any]] = {
    "list": lambda: ss.QuantileSummary(0.05).update(STREAM),
    "histogram": lambda: ss.QuantileSummary(0.05, 4_000, as_printed=True).update(STREAM),
    "compact": lambda: ss.QuantileSummary(0.05).update(STREAM).compact(),
    "sliding": lambda: ss.SlidingQuantiles(0.05, STREAM.size).update(STREAM),
    "sums": lambda: ss.CorrelatedSum(0.05).update(STREAM, np.ones(STREAM.size)),
}


@pytest.mark.explores
@pytest.mark.parametrize("name", [name for name in ADVERSARIES if name != "extremes"])
def test_counts_are_within_their_bounds(name: str) -> None:
    for random, stream in draws(name, 20_000, count=20):
        epsilon, bins = float(random.choice([0.2, 0.1, 0.03])), int(random.integers(1, 20))
        summary = ss.QuantileSummary(epsilon).update(stream)
        for kind in ("equi-depth", "equi-width"):
            found = ss.Histogram(summary, bins, kind=kind)
            assert len(found) == len(found.edges) - 1 <= bins
            assert found.counts.sum() == found.n == stream.size
            assert (found.edges[0], found.edges[-1]) == (stream.min(), stream.max())
            upto = np.searchsorted(np.sort(stream), found.edges, side="right")
            upto[0] = 0
            exact = np.diff(upto)
            assert np.all((found.lower <= exact) & (exact <= found.upper))
            assert np.abs(found.counts - exact).max() <= 2 * epsilon * stream.size
        depth = ss.Histogram(summary, bins)
        if len(depth) == bins and len(np.unique(stream)) == stream.size:
            assert np.abs(depth.counts - stream.size / bins).max() <= 2 * epsilon * stream.size + 1


def test_edges_of_ones_own_are_those_of_numpy() -> None:
    stream = np.random.default_rng(1).normal(size=500)
    summary = ss.QuantileSummary(0.01).update(stream)
    edges = [-1.0, -0.5, 0.25, 3.5]
    expected, _ = np.histogram(stream, edges)
    np.testing.assert_array_equal(ss.Histogram(summary, edges).counts, expected)
    density, _ = np.histogram(stream, 7, density=True)
    found = ss.Histogram(summary, 7, kind="equi-width").density
    np.testing.assert_allclose(found, density, rtol=1e-12)


@pytest.mark.parametrize("kind", RANKS)
def test_every_summary_of_ranks_has_histograms_and_tells_the_ranks_it_holds(kind: str) -> None:
    summary, ordered = RANKS[kind](), np.sort(STREAM)
    assert ss.Histogram(summary, 5).n == 4_000
    held = list(summary)
    assert held == sorted(held)
    for each in held:
        assert each.smallest <= np.searchsorted(ordered, each.value, side="right")
        assert each.largest > np.searchsorted(ordered, each.value, side="left")


def test_histograms_of_the_last_values() -> None:
    sliding = ss.SlidingQuantiles(0.1, 1_000).update(np.arange(5_000.0))
    assert ss.Histogram(sliding, 2).edges.tolist() == [4000, 4499, 4999]
    assert ss.Histogram(sliding.last(10), 1).counts.tolist() == [10]
    assert repr(ss.Histogram(sliding, 2)) == "<Histogram: 1,000 values in 2 bins from 4000 to 4999>"


@pytest.mark.parametrize("kind", RANKS)
def test_a_plot_is_the_band_that_holds_the_distribution(kind: str) -> None:
    axes = RANKS[kind]().plot()
    places, middle = axes.lines[0].get_data()
    exact = np.searchsorted(np.sort(STREAM), places[1:], side="right") / STREAM.size
    assert np.abs(middle[1:] - exact).max() <= 0.05
    assert np.all(np.diff(middle) >= 0)


def test_infinite_values_have_no_place_in_a_plot() -> None:
    axes: Any = ss.QuantileSummary(0.1).update([-np.inf, 1.0, 2.0, np.inf]).plot()
    assert axes.lines[0].get_xydata().tolist() == [[1, 0.5], [2, 0.75]]
    with pytest.raises(NotFinite):
        ss.QuantileSummary(0.1).update([np.inf, -np.inf]).plot()


def test_the_area_of_a_bar_is_its_share() -> None:
    histogram = ss.Histogram(ss.QuantileSummary(0.01).update(STREAM), [0, 1_000, 3_000])
    bars: Any = histogram.plot().patches
    areas = [bar.get_width() * bar.get_height() for bar in bars]
    shares = [np.mean(STREAM < 1_000), np.mean(STREAM >= 1_000)]
    np.testing.assert_allclose(areas, shares, atol=0.02)


def test_one_value_is_one_bin() -> None:
    summary = ss.QuantileSummary(0.1).update(np.full(2_000, 7.0))
    for kind in ("equi-depth", "equi-width"):
        found = ss.Histogram(summary, 5, kind=kind)
        assert (found.edges.tolist(), found.counts.tolist()) == ([7, 7], [2_000])


def test_what_cannot_be() -> None:
    summary = ss.QuantileSummary(0.1)
    with pytest.raises(EmptyInput):
        ss.Histogram(summary)
    summary.update([1.0, np.inf])
    bad: Any
    for bad in (0, -1, True, 2.5, "ten", [1], [2, 1], [1, 1], [[1, 2]], ["a", "b"]):
        with pytest.raises(BadOption):
            ss.Histogram(summary, bad)
    with pytest.raises(BadOption, match="'equi-depth' or 'equi-width'"):
        ss.Histogram(summary, kind="deep")  # type: ignore[arg-type]
    with pytest.raises(NotFinite):
        ss.Histogram(summary, kind="equi-width")


def test_items_come_in_order_with_bounds_of_their_counts() -> None:
    items = np.repeat([1, 3, 7], [5, 50, 500])
    for summary in (ss.FrequencySummary(0.01), ss.SlidingFrequencies(0.01, items.size)):
        held = list(summary.update(items))
        assert [each.item for each in held] == [1, 3, 7]
        for each, exact in zip(held, (5, 50, 500), strict=True):
            assert each.lower <= exact <= each.upper
    texts = list(ss.FrequencySummary(0.01).update(["tea", "milk", "tea"]))
    assert sorted(tuple(each) for each in texts) == [("milk", 1, 1), ("tea", 2, 2)]
