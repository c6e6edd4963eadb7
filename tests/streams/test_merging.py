"""Merging: an empty part changes nothing, and leaves every summary readable."""

from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest

from shadersort.errors import NotMergeable, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, QuantileSummary, SlidingFrequencies
from shadersort.streams.summary import Summary
from tests.streams.every import MAKERS, MERGING, feed, made, stream_for

LARGE = (1 << 53) + 1
"""No float64: a summary that turns items into floats counts it for 2**53."""


def read_again(summary: Any) -> Any:
    """Return what the bytes of a summary hold."""
    return Summary.from_bytes(summary.to_bytes())


def integers_for(name: str, n: int) -> Keys:
    """A stream of integers that float64 does not have; addresses for prefixes."""
    kept = name.startswith("heavy") or name == "words"
    return stream_for(name, n) if kept else np.arange(n) % 7 + LARGE


@pytest.mark.parametrize("count", [0, 3, 100, 27_077])
@pytest.mark.parametrize("name", MERGING)
def test_an_empty_part_changes_nothing(name: str, count: int) -> None:
    if "halves" in name:
        return
    for stream in (stream_for(name, count), integers_for(name, count)):
        full = made(name, [stream])
        before = full.to_bytes()
        for merged in (
            made(name, [stream]).merge(MAKERS[name]()),
            MAKERS[name]().merge(made(name, [stream])),
            MAKERS[name]().merge(MAKERS[name]()).merge(full),
        ):
            assert merged == full
            assert merged.copy() == read_again(merged) == full
            assert getattr(merged, "dtype", None) == getattr(full, "dtype", None)
            feed(merged, stream[: count // 2])
            assert merged == made(name, [stream, stream[: count // 2]])
        assert full.to_bytes() == before


@pytest.mark.parametrize("name", MERGING)
def test_parts_that_hold_only_nans_are_counted(name: str) -> None:
    if name.startswith("heavy") or name == "words":
        return
    nans = np.full(3, np.nan, np.float16 if "halves" in name else np.float32)
    for parts in ((stream_for(name, 100), nans), (nans, stream_for(name, 100)), (nans, nans)):
        one, other = (made(name, [part]) for part in parts)
        assert one.copy().merge(other) == read_again(one.merge(other))
        spoilt = [part for part in parts if part.dtype.kind == "f"]
        assert one.nans == sum(int(np.isnan(part).sum()) for part in spoilt)


def test_only_summaries_with_the_same_parameters_merge() -> None:
    summary, other = (QuantileSummary(0.5).update(np.arange(n, dtype="f4")) for n in (1_001, 700))
    before, kept = summary.to_bytes(), other.to_bytes()
    assert summary.copy().merge(other).n == 1_701
    assert other.to_bytes() == kept
    bad: Any
    for bad in (
        *(QuantileSummary(0.2), QuantileSummary(0.5, dtype="float32"), QuantileSummary(0.5, 5)),
        *(QuantileSummary(0.5).update([1.0]), FrequencySummary(0.5)),
    ):
        with pytest.raises(SummariesDiffer):
            summary.merge(bad)
        with pytest.raises(SummariesDiffer):
            summary + bad
    with pytest.raises(TypeError, match="unsupported operand"):
        summary + 1  # type: ignore[operator]
    with pytest.raises(NotMergeable):
        SlidingFrequencies(0.1, 10) + SlidingFrequencies(0.1, 10)
    assert summary.to_bytes() == before
    assert summary != "a summary"
    with pytest.raises(TypeError):
        hash(summary)


@pytest.mark.parametrize("name", MERGING)
def test_a_sum_is_a_new_summary_of_both(name: str) -> None:
    parts = [made(name, [stream_for(name, 9_000, seed)]) for seed in range(3)]
    before = [each.to_bytes() for each in parts]
    total = parts[0] + parts[1] + parts[2]
    assert total == made(name, [stream_for(name, 9_000, 0)]).merge(parts[1]).merge(parts[2])
    assert total == reduce(add, parts)
    assert [each.to_bytes() for each in parts] == before
    parts[0] += parts[1]
    assert parts[0].to_bytes() != before[0]
    assert parts[1].to_bytes() == before[1]
