"""Lesson 5: what it says about costs is what `shadersort.estimate` says."""

import numpy as np
import pytest

from shadersort.drawing.compile import build
from shadersort.drawing.cost.estimate import estimate, price
from shadersort.drawing.networks import network
from shadersort.lessons.cost import exercises, pictures, prices

HALVES = np.dtype(np.float16)
SIZES = [1 << p for p in (2, 3, 10, 14, 20, 23)]


@pytest.mark.parametrize("n", SIZES)
def test_causes_are_all_of_the_time(n: int) -> None:
    parts = prices.causes(n)
    assert set(parts) == set(prices.CAUSES)
    assert sum(parts.values()) == pytest.approx(estimate(n).seconds)
    assert min(parts.values()) >= 0


@pytest.mark.parametrize("n", SIZES)
def test_passes_as_the_exercise_prices_them_add_up_to_the_model(n: int) -> None:
    price = exercises.pass_seconds.specification
    total = sum(
        price(each.texels, 24, 6.5) if each.blend else price(each.texels, 16, 1)
        for each in prices.program_of(n).passes
    )
    assert total == pytest.approx(estimate(n).gpu_seconds, rel=1e-4)


def test_the_prediction_from_8m_keys_is_within_a_few_milliseconds() -> None:
    """As the lesson says, and the paper of its own measurements."""
    sizes = np.array([1 << p for p in range(10, 24)])
    drawing = np.array([estimate(n).gpu_seconds for n in sizes])
    predicted = exercises.scaled.specification(drawing[-1], prices.BASE, sizes)
    assert np.abs(predicted - drawing).max() < 5e-3


def test_a_better_card_is_faster_but_never_twice_as_fast() -> None:
    for n in SIZES:
        for upgrade in prices.UPGRADES:
            gain = estimate(n).seconds / estimate(n, profile=prices.faster(upgrade)).seconds
            assert 1 <= gain < 2
    with pytest.raises(KeyError):
        prices.faster("paint")


def test_a_step_of_four_channels_costs_a_quarter_more_than_one() -> None:
    """As the lesson says; only the copies wait for the memory."""
    one, four = (prices.step_cycles(channels) for channels in (1, 4))
    assert four / one == pytest.approx(1.25, abs=0.01)
    (ax,) = pictures.show_cycles(["MIN or MAX", "copy"], channels=[1, 4]).axes
    arithmetic, memory = ([bar.get_width() for bar in bars] for bars in ax.containers[:2])
    assert np.greater(arithmetic, memory).tolist() == [True, True, True, False]


def test_windows_that_share_a_texture_are_the_cheapest() -> None:
    ways = ((64, 32, 1), (16, 32, 4), (1, 128, 4))
    seconds = [
        times
        * price(
            build(network("pbsn", 1024), side, side, "blend"), prices.CARD, HALVES, channels
        ).gpu_seconds
        for times, side, channels in ways
    ]
    assert seconds[0] > 3.9 * seconds[1] > 10 * seconds[2]
