"""Questions about numbers that the type of the stream cannot hold: they agree with updates."""

from typing import Any

import numpy as np
import pytest

from shadersort.errors import UnsupportedKeys
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    Histogram,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
)

FLOATS = ("float16", "float32", "float64")
RANKS: tuple[Any, ...] = (
    QuantileSummary,
    lambda *_, **options: SlidingQuantiles(0.1, 90, **options),
)
COUNTS: tuple[Any, ...] = (
    FrequencySummary,
    lambda *_, **options: SlidingFrequencies(0.1, 90, **options),
)


@pytest.mark.parametrize("dtype", FLOATS)
def test_what_was_taken_is_found_again(dtype: str) -> None:
    given = [0.1, 1 / 3, 2.7, 1e-30, -0.1, 60_000.1, -0.0]
    for make in RANKS:
        summary: Any = make(0.1, dtype=dtype).update(given).update(0.1)
        for value in given:
            at_most = sum(
                np.dtype(dtype).type(each) <= np.dtype(dtype).type(value) for each in given
            )
            assert summary.rank(value) == at_most + (value >= 0.1)
            assert summary.rank(value) > summary.rank(value, side="left")
        assert summary.rank(given).tolist() == [summary.rank(each) for each in given]
        assert Histogram(summary, [-1.0, 0.1, 70_000.0]).counts.tolist() == [
            summary.rank(0.1),
            8 - summary.rank(0.1),
        ]
    for make in COUNTS:
        counts: Any = make(0.1, dtype=dtype).update(given).update(0.1)
        assert counts.estimate(0.1) == 2
        assert counts.estimate(given).tolist() == [2, 1, 1, *counts.estimate(given[3:])]
    sums = CorrelatedSum(0.1, dtype=dtype).update(given, [1.0] * 7)
    assert sums.sum_up_to(0.1) == sums.sum_up_to(0.1001 if dtype != "float16" else 0.1)
    assert sums.sum_up_to(given).tolist() == sums.rank(given).tolist()


def test_numbers_that_say_their_type_are_compared_exactly_or_refused() -> None:
    tenth = np.float64(0.1)
    for make in RANKS:
        summary: Any = make(0.1, dtype="float32").update(0.1)
        assert [summary.rank(each) for each in (0.1, np.float32(0.1), tenth)] == [1, 1, 0]
        assert summary.rank(np.array([0.1])).tolist() == [0]
    for make in COUNTS:
        counts: Any = make(0.1, dtype="float32").update(0.1)
        assert [counts.estimate(each) for each in (0.1, np.float32(0.1), [0.1])] == [1, 1, [1]]
        for bad in (tenth, np.array([0.1])):
            with pytest.raises(UnsupportedKeys, match="convert them"):
                counts.estimate(bad)
            with pytest.raises(UnsupportedKeys, match="convert them"):
                counts.update(bad)
