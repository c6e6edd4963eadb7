"""What summaries hold, entry by entry, and as a picture."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shadersort.errors import NotFinite
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    Histogram,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
)

STREAM = np.random.default_rng(7).integers(0, 3_000, 4_000).astype(np.float64)

RANKS: dict[str, Callable[[], Any]] = {
    "list": lambda: QuantileSummary(0.05).update(STREAM),
    "histogram": lambda: QuantileSummary(0.05, 4_000, as_printed=True).update(STREAM),
    "compact": lambda: QuantileSummary(0.05).update(STREAM).compact(),
    "sliding": lambda: SlidingQuantiles(0.05, STREAM.size).update(STREAM),
    "sums": lambda: CorrelatedSum(0.05).update(STREAM, np.ones(STREAM.size)),
}


@pytest.mark.parametrize("kind", RANKS)
def test_iteration_gives_bounds_of_the_rank_of_each_value_held(kind: str) -> None:
    held, ordered = list(RANKS[kind]()), np.sort(STREAM)
    assert held == sorted(held)
    for each in held:
        assert each.smallest <= np.searchsorted(ordered, each.value, side="right")
        assert each.largest > np.searchsorted(ordered, each.value, side="left")


@pytest.mark.parametrize("kind", RANKS)
def test_a_plot_is_the_band_that_holds_the_distribution(kind: str) -> None:
    axes = RANKS[kind]().plot()
    places, middle = axes.lines[0].get_data()
    exact = np.searchsorted(np.sort(STREAM), places[1:], side="right") / STREAM.size
    assert np.abs(middle[1:] - exact).max() <= 0.05
    assert np.all(np.diff(middle) >= 0)


def test_infinite_values_have_no_place_in_a_plot() -> None:
    axes: Any = QuantileSummary(0.1).update([-np.inf, 1.0, 2.0, np.inf]).plot()
    assert axes.lines[0].get_xydata().tolist() == [[1, 0.5], [2, 0.75]]
    with pytest.raises(NotFinite):
        QuantileSummary(0.1).update([np.inf, -np.inf]).plot()


def test_the_area_of_a_bar_is_its_share() -> None:
    histogram = Histogram(QuantileSummary(0.01).update(STREAM), [0, 1_000, 3_000])
    bars: Any = histogram.plot().patches
    areas = [bar.get_width() * bar.get_height() for bar in bars]
    np.testing.assert_allclose(
        areas, [np.mean(STREAM < 1_000), np.mean(STREAM >= 1_000)], atol=0.02
    )


def test_items_come_in_order_with_bounds_of_their_counts() -> None:
    items = np.repeat([1, 3, 7], [5, 50, 500])
    for summary in (
        FrequencySummary(0.01).update(items),
        SlidingFrequencies(0.01, items.size).update(items),
    ):
        held = list(summary)
        assert [each.item for each in held] == [1, 3, 7]
        for each, exact in zip(held, (5, 50, 500), strict=True):
            assert each.lower <= exact <= each.upper


def test_texts_are_held_as_texts() -> None:
    held = list(FrequencySummary(0.01).update(["tea", "milk", "tea"]))
    assert sorted((each.item, each.lower, each.upper) for each in held) == [
        ("milk", 1, 1),
        ("tea", 2, 2),
    ]


def test_prefixes_come_longest_first() -> None:
    summary = HierarchicalHeavyHitters(0.01, "bits", digits=2, step=1).update([3, 3, 0])
    assert [(each.prefix, each.length, each.lower) for each in summary] == [
        *((0, 2, 1), (3, 2, 2)),
        *((0, 1, 1), (1, 1, 2)),
        (0, 0, 3),
    ]
