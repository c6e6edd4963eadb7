"""Samples of runs: what they say is worth at least what it is taken for."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shadersort.selection.methods.neighbours import PROBABILITY, likely

from shadersort.keys.types import Keys
from shadersort.selection.primitives.sampling import independent, places
from tests.selection.inputs import ANY_NUMBERS

RUN, RUNS = 16, 1 << 10


def in_blocks(rng: np.random.Generator, size: int) -> Keys:
    """Runs of 256 keys that are alike."""
    return np.repeat(rng.random(size // 256), 256) + rng.random(size) / 100


ORDERS: dict[str, Callable[[np.random.Generator, int], Keys]] = {
    "any": lambda rng, size: rng.random(size),
    "in order": lambda rng, size: np.sort(rng.random(size)),
    "alternating": lambda rng, size: np.arange(size) % 2 + rng.random(size) / 100,
    "a walk": lambda rng, size: np.cumsum(rng.standard_normal(size)),
    "in blocks": in_blocks,
    "tied": lambda rng, size: rng.integers(0, 5, size).astype(float),
}


def runs_of(keys: Keys, seed: int) -> Keys:
    starts = np.minimum(places(keys.size, RUNS, seed), keys.size - RUN)
    return keys[starts[:, None] + np.arange(RUN)]


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("share", [0.002, 0.3, 0.5])
def test_a_bracket_holds_its_key_most_often(name: str, share: float) -> None:
    keys = ORDERS[name](np.random.default_rng(1), 1 << 16)
    wanted = np.sort(keys)[int(share * keys.size)]
    missed = 0
    for seed in range(50):
        runs = runs_of(keys, seed)
        sample = np.sort(runs, axis=None)
        lower, upper = likely(runs, sample, share)
        below = lower and sample[lower - 1] > wanted
        missed += bool(below or (upper < sample.size and sample[upper] < wanted))
    assert missed <= 50 * 10 * (1 - PROBABILITY)  # a normal distribution is an approximation


def test_neighbours_that_are_alike_count_once() -> None:
    rng = np.random.default_rng(1)
    found = {
        name: independent(runs_of(make(rng, 1 << 18), 0), np.float64(0.5))
        for name, make in ORDERS.items()
    }
    assert found["any"] == found["alternating"] == RUNS * RUN
    assert found["in order"] == RUNS
    assert found["in blocks"] <= 2 * RUNS


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow")
@settings(max_examples=40)
@given(ANY_NUMBERS, st.integers(0, 4), st.data())
def test_between_the_number_of_runs_and_of_keys(
    keys: Keys, times: int, data: st.DataObject
) -> None:
    runs = np.resize(keys, (40, 1 << times))
    found = independent(runs, data.draw(st.sampled_from(list(keys))))
    assert found in [40 << each for each in range(times + 1)]
