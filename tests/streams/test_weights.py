"""Weighted values: each counts as so many equal ones; bad weights change nothing."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import BadWeights, TooManyKeys, UnsupportedKeys
from shadersort.streams import FrequencySummary, HierarchicalHeavyHitters, QuantileSummary

VALUES = np.array([3.0, -0.0, np.inf, 3.0, -np.inf, 5e-324, 0.0, 1.5])


@given(
    st.lists(st.tuples(st.sampled_from(VALUES.tolist()), st.integers(0, 70)), max_size=40),
    st.sampled_from([0.05, 0.3]),
)
def test_weights_are_repeats_to_the_byte(pairs: list[tuple[float, int]], epsilon: float) -> None:
    values = np.array([value for value, _ in pairs], np.float64)
    weights = np.array([weight for _, weight in pairs], np.uint8)
    one, other = QuantileSummary(epsilon), QuantileSummary(epsilon)
    for _ in range(3):
        one.update(values, weights)
        other.update(np.sort(np.repeat(values, weights)))
    assert one.n == other.n == 3 * int(weights.sum())
    assert one == other


def test_huge_weights_cost_nothing() -> None:
    summary = QuantileSummary(0.01).update([1.0, 2.0, 3.0], [1 << 50, 1, 1 << 51])
    assert summary.n == 3 * (1 << 50) + 1
    assert len(summary) < 400
    assert summary.quantile([0.3, 0.5]).tolist() == [1, 3]
    assert abs(summary.rank(2) - (1 << 50)) <= 0.01 * summary.n


REPEATED: dict[str, Callable[..., Any]] = {
    "frequencies": partial(FrequencySummary, 0.05),
    "frequencies, as printed": partial(FrequencySummary, 0.2, as_printed=True),
    "bits": partial(HierarchicalHeavyHitters, 0.1, "bits", digits=10, step=4),
    "words": partial(FrequencySummary, 0.05),
}
"""Summaries whose state after weights is that of repeated values, in any order."""
SMALL, LARGE = st.integers(0, 40), st.integers(900, 60_000)


def values_of(name: str, numbers: list[int]) -> Any:
    """Values that a summary takes, some of them missing, for numbers from 0 to 7."""
    if name == "words":
        words = ["/a", "/a/b", "/é", None, "/b/c/d", "/b", "/a/c", "/"]
        return [words[number] for number in numbers]
    if name == "bits":
        return np.array([120, 7, 123, 999, 0, 121, 450, 300], np.int64)[numbers]
    return VALUES_WITH_NAN[numbers]


VALUES_WITH_NAN = np.array([3.0, -0.0, np.inf, np.nan, -np.inf, 5e-324, 0.0, 1.5])


@pytest.mark.parametrize("name", REPEATED)
@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 7), SMALL | SMALL | LARGE), max_size=12))
def test_the_state_is_that_of_repeated_values(name: str, pairs: list[tuple[int, int]]) -> None:
    values = values_of(name, [number for number, _ in pairs])
    weights = np.array([weight for _, weight in pairs], np.int64)
    repeated = np.repeat(np.array(values, object if name == "words" else None), weights)
    one, other = REPEATED[name](), REPEATED[name]()
    for _ in range(3):
        one.update(values, weights.tolist())
        other.update(repeated)
    assert (one.n, one.nans) == (other.n, other.nans)
    assert one.n + one.nans == 3 * weights.sum()
    assert one == other


@pytest.mark.parametrize("name", REPEATED)
def test_weights_as_large_as_a_stream_can_be(name: str) -> None:
    values, weights = values_of(name, [1, 0, 4, 1]), [1 << 57, 3, 1 << 58, 5]
    summary = REPEATED[name]().update(values, weights)
    assert summary.n == (1 << 57) + (1 << 58) + 8
    low, high = summary.bounds(values[1:3], **({"length": 10} if name == "bits" else {}))
    assert low[0] <= 3 <= high[0]
    assert low[1] <= 1 << 58 <= high[1]
    assert low[1] >= (1 << 58) - summary.epsilon * summary.n
    with pytest.raises(TooManyKeys):
        summary.update(values, [1 << 59] * 4)
    assert summary.n == (1 << 57) + (1 << 58) + 8


@pytest.mark.parametrize("name", REPEATED)
def test_refused_weights_change_nothing(name: str) -> None:
    values = values_of(name, [1, 0, 4, 5])
    for summary in (REPEATED[name](), REPEATED[name]().update(values, [5_000, 3, 1, 9])):
        data = summary.to_bytes()
        for weights in ([1, 2, 3], [1, -1, 2, 3], [1, 2, 0.5, 3], [True] * 4, [[1, 2, 3, 4]]):
            with pytest.raises(BadWeights):
                summary.update(values, weights)
            assert summary.to_bytes() == data
        with pytest.raises(UnsupportedKeys, match="masked"):
            summary.update(values, np.ma.masked_array([1, 2, 3, 4], [False, True, False, False]))
        with pytest.raises((UnsupportedKeys, BadWeights)):
            summary.update(iter([values]), [1, 2, 3, 4])
        with pytest.raises(UnsupportedKeys):
            summary.update([b"\xff", 1j], [10_000, 1])
        assert summary.to_bytes() == data
        nothing = values_of(name, [])
        assert summary.update(nothing, []).update(values, [0] * 4).to_bytes() == data


@pytest.mark.gpu
def test_weights_on_a_gpu_are_repeats() -> None:
    import cupy

    from modern import Sorter

    random = np.random.default_rng(1)
    weights = random.integers(0, 40, 5_000)
    weights[::500] = 100_000
    for name in ("frequencies", "bits"):
        values = values_of(name, random.integers(0, 8, 5_000).tolist())
        expected = REPEATED[name]().update(np.repeat(values, weights))
        for xp in (np, cupy):
            found = REPEATED[name](sorter=Sorter()).update(xp.asarray(values[:9]))
            plain = REPEATED[name]().update(values[:9]).update(np.repeat(values, weights))
            assert found.update(xp.asarray(values), xp.asarray(weights)) == plain
        assert REPEATED[name](sorter=Sorter()).update(values, weights) == expected
