"""Parts that hold copies: one read for a rank, with the NaNs counted, and the same answers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import median, quantile, select, select_many
from shadersort.selection.methods import neighbours
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.parts import KeptParts
from shadersort.selection.primitives.parts import kept as parts_module
from shadersort.selection.quantiles import nanmedian, nanquantile
from tests.selection.inputs import ANY_NUMBERS, TYPES, awkward, ranks, same

MOST_ROUNDS = 3
"""A sample, a bracket, candidates."""


def kept(keys: Keys, *cuts: int, **options: Any) -> KeptParts:
    """Cut keys at some places."""
    parts = KeptParts.of_arrays(np.split(keys, sorted(cuts)), **options)
    assert isinstance(parts, KeptParts)
    return parts


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow", "ignore:All-NaN")
@given(ANY_NUMBERS, st.data())
def test_any_keys_in_any_parts(keys: Keys, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, keys.size), max_size=6))
    k = data.draw(st.integers(-keys.size, keys.size - 1))
    q = data.draw(st.lists(st.floats(0, 1), max_size=4))
    whole, most = NumPyPrimitives(keys), data.draw(st.integers(0, 50))
    near = [k, k, min(k + 1, keys.size - 1)]

    def parts() -> KeptParts:
        return kept(keys, *cuts, most=most)

    assert same(select(parts(), k), select(whole, k))
    np.testing.assert_array_equal(select_many(parts(), near), select_many(whole, near))
    for one in (median, nanmedian):
        assert same(one(parts()), one(whole))
    for some in (quantile, nanquantile):
        np.testing.assert_array_equal(some(parts(), q), some(whole, q))


@pytest.mark.parametrize("n", [1, 2, 3, 255, 256, 257])
@pytest.mark.parametrize("dtype", TYPES)
def test_awkward_keys(dtype: str, n: int) -> None:
    for name, keys in awkward(n, dtype).items():
        parts = kept(keys, n // 3, n // 3, n - n // 7, most=40)
        for k in ranks(n):
            assert same(select(parts, k), np.sort(keys, kind="stable")[k]), name


@pytest.mark.parametrize("name", datasets.DATASETS)
@pytest.mark.parametrize("sides", [False, True])
def test_every_data_set_in_few_rounds(name: str, sides: bool) -> None:
    """Uneven and empty parts; and parts that lie all on one side of the answer."""
    keys = datasets.make(name, 100_000)
    if sides:
        keys = np.sort(keys)
    ordered = np.sort(keys)
    asks: list[tuple[Callable[[KeptParts], Any], Any]] = [
        (median, np.median(keys)),
        (nanmedian, np.nanmedian(keys)),
        (lambda parts: select(parts, 50_000), ordered[50_000]),
        (lambda parts: quantile(parts, 0.99), np.quantile(keys, 0.99)),
    ]
    for ask, expected in asks:
        parts = kept(keys, 0, 1, 1, 300, 30_000, 30_000, 99_999)
        assert ask(parts) == expected
        assert parts.rounds <= MOST_ROUNDS


def test_a_part_with_few_keys_has_none_in_a_sample() -> None:
    parts, asked = kept(np.arange(100_000), 1, 3), list[Any]()
    ask_all = parts.ask_all

    def noted(some: Any, asks: Any) -> list[Any]:
        asked.extend(asks)
        return ask_all(some, asks)

    parts.ask_all = noted
    assert parts.sample(1000, 0).size == 1000
    assert asked == [("sample", (1000, 0))]
    parts.ask_all = ask_all
    assert select(parts, 0) == 0


def test_one_read_finds_a_rank_and_counts_the_nans() -> None:
    keys = np.random.default_rng(1).normal(size=200_000).astype(np.float32)
    parts = kept(keys, 50_000, most=100)
    assert median(parts) == np.median(keys)
    assert parts.traffic.read < 1.4 * keys.size
    keys[7] = np.nan
    parts = kept(keys, 50_000, most=100)
    assert np.isnan(median(parts))
    assert parts.traffic.read < 1.4 * keys.size


def test_many_ranks_are_found_by_a_histogram_and_few_in_brackets() -> None:
    keys = np.random.default_rng(1).normal(size=100_000)
    parts = kept(keys, 50_000)
    ranks, ordered = list(range(10, 90_000, 9_000)), np.sort(keys)
    found, trace = select_many(parts, ranks, return_trace=True)
    np.testing.assert_array_equal(found, ordered[ranks])
    assert trace.method == "bucket"
    for some in ([10], [10, 90_000], [7, 8, 500, 501, 99_999]):
        found, trace = select_many(kept(keys, 50_000), some, return_trace=True)
        np.testing.assert_array_equal(found, ordered[some])
        assert trace.method == "randomized"


def test_a_bracket_that_misses_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "PROBABILITY", 1e-3)
    monkeypatch.setattr(parts_module, "SAMPLES", 64)
    keys = np.random.default_rng(1).integers(0, 50_000, 20_000)
    ordered, missed = np.sort(keys), 0
    for k in range(0, 20_000, 700):
        parts = kept(keys, 9_000, most=64)
        found, trace = select_many(parts, [k, k + 1], return_trace=True)
        np.testing.assert_array_equal(found, ordered[[k, k + 1]])
        missed += sum(step.name == "bracket" for step in trace.steps) > 1
    assert missed > 10
