"""Lesson 6: what it says of the records is in them, and it measures where it runs."""

from itertools import product

import numpy as np
import pytest

import shadersort as ss
from shadersort.lessons import Record, record
from shadersort.lessons.ladder import exercises, live, rates
from shadersort.lessons.shared.tables import short

DRAWN = record("ladder-nvidia-h200")


def time_of(records: Record, network: str, method: str) -> float:
    (row,) = records.where(network=network, method=method)
    return float(row["program_ms"])


def test_two_rates_predict_what_draws() -> None:
    for network, method in product(live.RECORDED, ("blend", "fragment", "fused")):
        ratio = time_of(DRAWN, network, method) / rates.predicted(network, method)
        assert 0.95 < ratio < 1.26


def test_two_of_66_blocks_draw_and_16_bits_blend_as_fast_as_they_are_written() -> None:
    tflops = {row["stage"]: row["tflops"] for row in rates.CHIP.where(work="arithmetic")}
    assert tflops["compute"] / tflops["fragment"] == pytest.approx(66 / 2, abs=1)
    written = rates.write_rate("fragment", "f2")
    assert rates.write_rate("fragment, blended", "f2") > 0.98 * written


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
