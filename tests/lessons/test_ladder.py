"""Lesson 6: what it says of the records is in them, and it measures where it runs."""

from itertools import product

import numpy as np
import pytest

import shadersort as ss
from shadersort.lessons import Record, record
from shadersort.lessons.ladder import exercises, live, rates

DRAWN = record("ladder-nvidia-h200")
CHIP = record("chip-nvidia-h200")
DRAWING = ("blend", "fragment", "fused")


def time_of(records: Record, network: str, method: str) -> float:
    (row,) = records.where(network=network, method=method)
    return float(row["program_ms"])


def rate(stage: str, dtype: str) -> float:
    (row,) = CHIP.where(work="write", stage=stage, dtype=dtype)
    return float(row["gtexels_s"])


def test_the_two_rates_are_those_of_the_record() -> None:
    assert round(rate("fragment", "f4"), 2) == rates.WRITING
    assert round(rate("fragment, blended", "f4"), 2) == rates.BLENDING


@pytest.mark.parametrize("method", DRAWING)
@pytest.mark.parametrize("network", ss.NETWORKS)
def test_two_rates_predict_what_draws(network: str, method: str) -> None:
    """To within a quarter, as the lesson says."""
    program = rates.program_of(network, method, 1 << 23)
    predict = exercises.predicted_ms.specification
    predicted = predict(*rates.written(program), rates.WRITING, rates.BLENDING)
    assert 0.95 < time_of(DRAWN, network, method) / predicted < 1.26


def test_a_fragment_shader_has_one_part_in_33_of_the_chip() -> None:
    (drawn,) = CHIP.where(work="arithmetic", stage="fragment")
    (computed,) = CHIP.where(work="arithmetic", stage="compute")
    assert computed["tflops"] / drawn["tflops"] == pytest.approx(33, abs=1)
    assert rate("compute", "f4") / rate("fragment", "f4") == pytest.approx(58, abs=0.5)
    assert rate("fragment, blended", "f2") > 0.98 * rate("fragment", "f2")


def test_the_verdict_of_2005_is_reversed() -> None:
    paper = time_of(DRAWN, "pbsn", "blend")
    assert 3.5 < time_of(DRAWN, "bitonic", "blend") / time_of(DRAWN, "bitonic", "fragment") < 5
    assert round(paper / time_of(DRAWN, "pbsn", "compute")) == 145
    assert round(paper / time_of(DRAWN, "bitonic", "compute")) == 434


def test_partners_are_of_pairs() -> None:
    for name in ss.NETWORKS:
        for step in ss.network(name, 16).steps:
            partner = rates.partners_of(step, 16)
            assert np.array_equal(partner[partner], np.arange(16))


def test_a_step_by_partners_is_a_step_of_the_network() -> None:
    keys = np.random.default_rng(0).permutation(32)
    for step in ss.network("odd-even-merge", 32).steps:
        expected = ss.Network("one step", 32, (step,)).apply(keys)
        keys = exercises.after_one_step.specification(keys, rates.partners_of(step, 32))
        assert np.array_equal(keys, expected)
    assert np.array_equal(keys, np.arange(32))


def test_a_ladder_is_measured_where_it_runs() -> None:
    with ss.open_device("software") as device:
        rows = live.timed_here(device, 16, seconds=0)
    ways = [(row["network"], row["method"]) for row in rows]
    assert ways == [*product(("pbsn", "bitonic"), ss.METHODS), ("", "np.sort")]
    assert all(row["program_ms"] > 0 and row["keys"] == 16 for row in rows)


def test_the_button_measures_and_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = dict.fromkeys(live.SIZES_HERE, 64)
    monkeypatch.setattr(live, "SIZES_HERE", sizes)
    shown, button = live.Live(DRAWN).player().children
    before = shown.value
    button.click()
    assert bytes(shown.value).startswith(b"\x89PNG")
    assert shown.value != before
    assert (button.disabled, button.description) == (False, "Measure again")


def test_a_file_keeps_the_picture_of_the_record() -> None:
    data, _ = live.Live(DRAWN)._repr_mimebundle_()
    assert data["image/png"] == live.Live(DRAWN).still().png
    assert "NVIDIA H200, recorded" in data["text/plain"]
