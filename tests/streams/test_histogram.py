"""Histogram: counts within their bounds, and edges that are what they should be."""

from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, EmptyInput, NotFinite
from shadersort.streams import CorrelatedSum, Histogram, QuantileSummary, SlidingQuantiles
from tests.streams.adversaries import ADVERSARIES, draws


@pytest.mark.explores
@pytest.mark.parametrize("name", [name for name in ADVERSARIES if name != "extremes"])
def test_counts_are_within_their_bounds(name: str) -> None:
    for random, stream in draws(name, 20_000, count=20):
        epsilon, bins = float(random.choice([0.2, 0.1, 0.03])), int(random.integers(1, 20))
        summary = QuantileSummary(epsilon)
        summary.update(stream)
        for kind in ("equi-depth", "equi-width"):
            found = Histogram(summary, bins, kind=kind)
            assert len(found) == len(found.edges) - 1 <= bins
            assert found.counts.sum() == found.n == stream.size
            assert (found.edges[0], found.edges[-1]) == (stream.min(), stream.max())
            upto = np.searchsorted(np.sort(stream), found.edges, side="right")
            upto[0] = 0
            exact = np.diff(upto)
            assert np.all((found.lower <= exact) & (exact <= found.upper))
            assert np.abs(found.counts - exact).max() <= 2 * epsilon * stream.size
        depth = Histogram(summary, bins)
        if len(depth) == bins and len(np.unique(stream)) == stream.size:
            assert np.abs(depth.counts - stream.size / bins).max() <= 2 * epsilon * stream.size + 1


def test_edges_of_ones_own_are_those_of_numpy() -> None:
    stream = np.random.default_rng(1).normal(size=500)
    summary = QuantileSummary(0.01)
    summary.update(stream)
    edges = [-1.0, -0.5, 0.25, 3.5]
    found = Histogram(summary, edges)
    expected, _ = np.histogram(stream, edges)
    np.testing.assert_array_equal(found.counts, expected)
    np.testing.assert_allclose(
        Histogram(summary, 7, kind="equi-width").density,
        np.histogram(stream, 7, density=True)[0],
        rtol=1e-12,
    )


def test_every_summary_of_ranks_has_histograms() -> None:
    stream = np.arange(5_000.0)
    sliding, sums = SlidingQuantiles(0.1, 1_000), CorrelatedSum(0.1)
    sliding.update(stream)
    sums.update(stream, stream)
    assert Histogram(sliding, 2).edges.tolist() == [4000, 4499, 4999]
    assert Histogram(sliding.last(10), 1).counts.tolist() == [10]
    assert Histogram(sums, 5).n == 5_000
    assert repr(Histogram(sliding, 2)) == "<Histogram: 1,000 values in 2 bins from 4000 to 4999>"


def test_one_value_is_one_bin() -> None:
    summary = QuantileSummary(0.1)
    summary.update(np.full(2_000, 7.0))
    for kind in ("equi-depth", "equi-width"):
        found = Histogram(summary, 5, kind=kind)
        assert (found.edges.tolist(), found.counts.tolist()) == ([7, 7], [2_000])


def test_what_cannot_be() -> None:
    summary = QuantileSummary(0.1)
    with pytest.raises(EmptyInput):
        Histogram(summary)
    summary.update([1.0, np.inf])
    bad: Any
    for bad in (0, -1, True, 2.5, "ten"):
        with pytest.raises(BadOption):
            Histogram(summary, bad)
    for bad in ([1], [2, 1], [1, 1], [[1, 2]], ["a", "b"]):
        with pytest.raises(BadOption):
            Histogram(summary, bad)
    with pytest.raises(BadOption, match="'equi-depth' or 'equi-width'"):
        Histogram(summary, kind="deep")  # type: ignore[arg-type]
    with pytest.raises(NotFinite):
        Histogram(summary, kind="equi-width")
