"""Lessons 1 to 6: their pictures, and what they say of costs and records."""

import operator
from itertools import product
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.drawing.compile import build
from shadersort.drawing.cost.estimate import estimate, price
from shadersort.drawing.networks import network
from shadersort.lessons import record, subplots
from shadersort.lessons.by_drawing.pictures import show_stage
from shadersort.lessons.cost import pictures, prices
from shadersort.lessons.cost.exercises import pass_seconds, scaled
from shadersort.lessons.four_sorts.counted import Counted
from shadersort.lessons.ladder import live, rates
from shadersort.lessons.ladder.exercises import after_one_step
from shadersort.lessons.shared.images import draw_ranks
from shadersort.lessons.shared.tables import short
from shadersort.names import NetworkName


def traced(texels: int, network: NetworkName) -> ss.Trace:
    keys = np.random.default_rng(texels).permutation(texels).astype(np.float32)
    return ss.trace(np.repeat(keys, 4), network=network, device="software")


def written(ax: Any, count: int) -> list[float]:
    """The keys that stand in a grid; letters at the corners of quads follow them."""
    return [float(text.get_text()) for text in ax.texts[:count]]


@pytest.mark.parametrize("network", ss.NETWORKS)
def test_a_picture_of_the_first_steps_shows_what_each_pass_left(network: NetworkName) -> None:
    seen = traced(16, network)
    blending = [each for each in seen if each.command.blend][:8]
    axes = show_stage(seen).axes
    for ax, each in zip(axes, (*blending[::2], *blending[1::2]), strict=True):
        assert f"pass {each.index}: {str(each.command.blend).upper()}" in ax.get_title()
        assert written(ax, 16) == each.after[..., 0].ravel().tolist()
    for ax, step in zip(axes[:4], seen.program.network.steps[:4], strict=True):
        assert ax.get_title().startswith(f"blocks of {step.block}\n")


def test_images_are_coloured_by_rank() -> None:
    _, axes = subplots(1, 2)
    keys = np.array([[30.0, -1.0], [2.0, 1e9]])
    draw_ranks(axes[0], keys, keys, "one channel")
    assert np.asarray(axes[0].images[0].get_array()).tolist() == [[2 / 3, 0], [1 / 3, 1]]
    draw_ranks(axes[1], np.full((1, 1, 3), 1e9), keys, "three channels")
    assert np.asarray(axes[1].images[0].get_array()).tolist() == [[[1, 1, 1]]]


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_comparison_counts_once(compare: Any) -> None:
    for one, other in ((1, 2), (2, 1), (2, 2)):
        before, keys = Counted.comparisons, [Counted(one), Counted(other)]
        assert compare(*keys) == compare(one, other)
        assert Counted.comparisons == before + 1
        assert compare(keys[0], 1.5) == compare(one, 1.5)


# lesson 5: what it says about costs is what `shadersort.estimate` says

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
    price = pass_seconds.specification
    total = sum(
        price(each.texels, 24, 6.5) if each.blend else price(each.texels, 16, 1)
        for each in prices.program_of(n).passes
    )
    assert total == pytest.approx(estimate(n).gpu_seconds, rel=1e-4)


def test_the_prediction_from_8m_keys_is_within_a_few_milliseconds() -> None:
    """As the lesson says, and the paper of its own measurements."""
    sizes = np.array([1 << p for p in range(10, 24)])
    drawing = np.array([estimate(n).gpu_seconds for n in sizes])
    predicted = scaled.specification(drawing[-1], prices.BASE, sizes)
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


# lesson 6: what it says of the records is in them, and it measures where it runs

DRAWN = record("ladder-nvidia-h200")


def test_two_rates_predict_what_draws() -> None:
    for name, method in product(live.RECORDED, ("blend", "fragment", "fused")):
        (row,) = DRAWN.where(network=name, method=method)
        assert 0.95 < row["program_ms"] / rates.predicted(name, method) < 1.3


def test_two_of_66_blocks_draw_and_16_bits_blend_as_fast_as_they_are_written() -> None:
    tflops = {row["stage"]: row["tflops"] for row in rates.CHIP.where(work="arithmetic")}
    assert tflops["compute"] / tflops["fragment"] == pytest.approx(66 / 2, abs=1)
    written = rates.write_rate("fragment", "f2")
    assert rates.write_rate("fragment, blended", "f2") > 0.98 * written


def test_a_step_by_partners_is_a_step_of_the_network() -> None:
    keys = np.random.default_rng(0).permutation(32)
    for step in ss.network("odd-even-merge", 32).steps:
        expected = ss.Network("one step", 32, (step,)).apply(keys)
        keys = after_one_step.specification(keys, rates.partners_of(step, 32))
        assert np.array_equal(keys, expected)
    assert np.array_equal(keys, np.arange(32))


def test_a_ladder_is_measured_where_it_runs() -> None:
    with ss.open_device("software") as device:
        rows = live.timed_here(device, 16, seconds=0)
    ways = [(row["network"], row["method"]) for row in rows]
    assert ways == [*product(("pbsn", "bitonic"), live.METHODS), ("", "np.sort")]
    assert all(row["program_ms"] > 0 and row["keys"] == 16 for row in rows)


def test_machines_are_compared_by_multiples_of_their_fastest_network() -> None:
    other = record("ladder-llvmpipe")
    shown = live.ladder(DRAWN, other)
    assert len(shown.head) == 5
    for column, each in ((2, DRAWN), (4, other)):
        found = {row[0]: row[column] for row in shown.rows}
        rows = {f"{row['network']} {row['method']}": row["program_ms"] for row in each.rows}
        fastest = min(rows[name] for name in rows if name in found)
        assert found["pbsn blend"] == short(rows["pbsn blend"] / fastest)
        assert "1.0" in found.values()
    assert {row[0]: row[3] for row in shown.rows}["cupy.sort"] == "–"
