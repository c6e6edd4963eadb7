"""cdf, pmf, iteration and plots of every summary that knows ranks, against the exact distribution.

A soak tries 20,000 streams in mixed ways: weights, cuts, trees of merges, bytes in the middle.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import EmptySummary, NotFinite
from shadersort.keys.types import Keys
from shadersort.palette import GREEN, PALE_GREEN
from shadersort.streams import (
    CorrelatedSum,
    NumPySorter,
    QuantileSummary,
    SlidingQuantiles,
    TailSummary,
    TextureSorter,
)
from shadersort.streams.rank_answers import RanksAnswered
from shadersort.streams.summary import Summary
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES, draws
from tests.streams.exact import assert_ranks_within, merged, points_about

HISTOGRAM: Any = {"structure": "exponential-histogram"}
KINDS: dict[str, Callable[[float, Keys], Any]] = {
    "list": lambda epsilon, stream: QuantileSummary(epsilon).update(stream),
    "histogram": lambda epsilon, stream: QuantileSummary(epsilon, **HISTOGRAM).update(stream),
    "tail": lambda epsilon, stream: TailSummary(epsilon).update(stream),
    "compact": lambda epsilon, stream: QuantileSummary(epsilon).update(stream).compact(),
    "sliding": lambda epsilon, stream: SlidingQuantiles.of_any_window(epsilon, len(stream)).update(
        stream
    ),
    "last": lambda epsilon, stream: (
        SlidingQuantiles.of_any_window(epsilon, 2 * len(stream))
        .update(np.full(len(stream), -3.0))
        .update(stream)
        .last(len(stream))
    ),
    "sums": lambda epsilon, stream: CorrelatedSum(epsilon).update(stream, np.ones(len(stream))),
    "group": lambda epsilon, stream: QuantileSummary.grouped(
        np.zeros(len(stream), int), stream, epsilon
    )[0],
}
SLIDING = ("sliding", "last")


@pytest.mark.explores
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ADVERSARIES)
def test_shares_are_within_the_guarantee(kind: str, name: str) -> None:
    for random, stream in draws(name, 5_000, count=1 if SEED is None else 20):
        epsilon = float(random.choice([0.3, 0.1, 0.02]))
        summary = KINDS[kind](epsilon, stream)
        points = points_about(np.sort(stream))
        exact = np.searchsorted(np.sort(stream), points, side="right") / stream.size
        low, high = summary.cdf_bounds(points)
        assert np.all((low <= exact) & (exact <= high))
        error = epsilon * (1 - exact if kind == "tail" else 1) + 1e-12
        assert np.all(np.abs(summary.cdf(points) - exact) <= error)
        shares = summary.pmf(points)
        exact_shares = np.diff(exact, prepend=0, append=1)
        assert np.abs(shares - exact_shares).max() <= 2 * epsilon + 1e-12
        assert shares.min() >= 0
        assert abs(shares.sum() - 1) < 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_iteration_gives_bounds_of_the_rank_of_each_value_held(kind: str) -> None:
    stream = np.random.default_rng(7).integers(0, 3_000, 4_000).astype(np.float64)
    summary, ordered = KINDS[kind](0.05, stream), np.sort(stream)
    held = list(summary)
    assert held == sorted(held)
    for each in held:
        assert each.smallest <= np.searchsorted(ordered, each.value, side="right")
        assert each.largest > np.searchsorted(ordered, each.value, side="left")
    if isinstance(summary, Summary) and kind not in SLIDING:
        assert len(held) == len(summary)


@pytest.mark.parametrize("kind", KINDS)
def test_a_plot_is_the_band_that_holds_the_distribution(kind: str) -> None:
    pytest.importorskip("matplotlib")
    stream = np.random.default_rng(8).normal(size=4_000)
    summary = KINDS[kind](0.05, stream)
    axes = summary.plot()
    (band,), (line,) = axes.collections, axes.lines
    assert tuple(np.round(band.get_facecolor()[0] * 255)) == (*bytes.fromhex(PALE_GREEN[1:]), 255)
    assert line.get_color() == GREEN
    places, middle = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    exact = np.searchsorted(np.sort(stream), places[1:], side="right") / stream.size
    assert np.abs(middle[1:] - exact).max() <= 0.05
    assert np.all(np.diff(middle) >= 0)
    assert (places[0], middle[-1]) == (summary.minimum, 1)
    low, high = summary.cdf_bounds(places[1:])
    corners = {tuple(each) for each in np.asarray(band.get_paths()[0].vertices).tolist()}
    for bound in (low, high):
        assert set(zip(places[1:].tolist(), bound.tolist(), strict=True)) <= corners
    assert summary.plot(axes) is axes


def test_infinite_values_have_no_place_in_a_plot() -> None:
    pytest.importorskip("matplotlib")
    axes = QuantileSummary(0.1).update([-np.inf, 1.0, 2.0, np.inf]).plot()
    assert np.asarray(axes.lines[0].get_xydata()).tolist() == [[1, 0.5], [2, 0.75]]
    with pytest.raises(NotFinite):
        QuantileSummary(0.1).update([np.inf, -np.inf]).plot()
    empty = QuantileSummary(0.1)
    for ask in (empty.plot, lambda: empty.cdf_bounds(1.0), lambda: list(empty)):
        with pytest.raises(EmptySummary):
            ask()


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_any_way_through_weights_merges_and_bytes_keeps_the_guarantee(
    name: str, software: Device
) -> None:
    sorters = [NumPySorter(), NumPySorter(threads=1), TextureSorter(device=software)]
    for random, stream in draws(name, 8_000, count=4 if SEED is None else 0):
        epsilon = float(random.choice([0.4, 0.1, 0.03, 0.01]))
        weights = random.integers(0, random.choice([2, 9]), stream.size)
        cuts = np.sort(random.integers(0, stream.size + 1, random.integers(0, 12)))
        parts: list[QuantileSummary] = []
        for values, many in zip(np.split(stream, cuts), np.split(weights, cuts), strict=True):
            sorter: Any = sorters[random.choice(3, p=[0.5, 0.48, 0.02])]
            part = QuantileSummary(epsilon, dtype=stream.dtype, sorter=sorter)
            half = len(values) // 2
            part.update(values[:half], many[:half])
            if random.random() < 0.3:
                part = QuantileSummary.from_bytes(part.to_bytes())
            parts.append(part.update(np.repeat(values[half:], many[half:])))
        whole = np.repeat(stream, weights)
        summary: RanksAnswered = merged(parts, random)
        if whole.size:
            assert_ranks_within(summary, whole, epsilon * whole.size)
