"""The compact form of a summary: as few entries as its error allows, and nothing else changes."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, EmptyInput, SummariesDiffer
from shadersort.streams import CompactQuantiles, QuantileSummary
from tests.streams.exact import assert_ranks_within
from tests.streams.test_quantiles import STREAMS


def trees(parts: list[Any]) -> Iterator[Any]:
    """All of them merged one after the other, and in pairs."""
    yield sum(parts[1:], parts[0])
    while len(parts) > 1:
        pairs = [a + b for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    yield parts[0]


@pytest.mark.parametrize("name", STREAMS)
def test_it_answers_within_the_same_error(name: str) -> None:
    for epsilon in (0.3, 0.1, 0.01):
        for n in (1, 2, 3, 50, 1_023, 1_024, 1_025, 12_000):
            stream, summary = STREAMS[name][:n], QuantileSummary(epsilon)
            for part in np.array_split(stream, 1 + n // 700):
                summary.update(part)
            kept = summary.compact()
            assert len(kept) <= np.ceil(1 / epsilon) + 1
            assert (kept.n, kept.epsilon, kept.dtype) == (n, epsilon, stream.dtype)
            assert_ranks_within(kept, stream, epsilon * n)


def test_bytes_pickles_and_copies_are_the_same() -> None:
    summary = QuantileSummary(0.02).update(np.append(np.arange(30_000, dtype=np.float32), np.nan))
    kept = summary.compact()
    assert kept.nans == 1
    data = kept.to_bytes()
    assert len(data) < 1_200
    for other in (
        CompactQuantiles.from_bytes(data),
        pickle.loads(pickle.dumps(kept)),
        copy.copy(kept),
    ):
        assert other == kept
        assert other.median() == kept.median()
    assert "30,000 values in" in repr(kept)
    assert "median" in kept._repr_html_()


@pytest.mark.parametrize("name", ["normal", "sorted", "zipf", "two values", "zig-zag"])
@pytest.mark.parametrize("epsilon", [0.3, 0.05, 1 / 49])
def test_a_larger_epsilon_makes_any_summary_short(name: str, epsilon: float) -> None:
    stream = STREAMS[name]
    lists = [QuantileSummary(epsilon).update(part) for part in np.split(stream, 24)]
    kept = [each.compact() for each in lists]
    printed = QuantileSummary(epsilon, stream.size, as_printed=True).update(stream)
    for summary in (*trees(lists), printed, *trees(kept)):
        assert_ranks_within(summary.compact(), stream, epsilon * stream.size)
        for wide in (2 * epsilon, 3.1 * epsilon, 0.99):
            if wide < 1:
                short = summary.compact(wide)
                assert len(short) <= np.ceil(1 / wide) + 1
                assert short.epsilon == wide
                assert_ranks_within(short, stream, wide * stream.size)
    added = sum(kept[1:], kept[0])
    assert len(kept[0] + kept[1]) == len(kept[0]) + len(kept[1])  # these are few
    most = max(3 * np.ceil(1 / epsilon), sum(map(len, kept)) / 2)
    assert len(added.compact()) <= len(added) <= most
    with pytest.raises(BadOption, match="cannot be sharper"):
        lists[0].compact(epsilon / 2)
    with pytest.raises(BadOption):
        added.compact(1.5)


def test_empty_and_different_ones() -> None:
    with pytest.raises(EmptyInput):
        QuantileSummary(0.1).compact()
    nothing = CompactQuantiles(0.1)
    with pytest.raises(EmptyInput):
        nothing.median()
    assert nothing.dtype is None
    assert CompactQuantiles.from_bytes(nothing.to_bytes()) == nothing
    kept = QuantileSummary(0.1).update([3.0, 1.0, 2.0]).compact()
    assert nothing + kept == kept + nothing == kept
    with pytest.raises(SummariesDiffer, match="alike"):
        kept.merge(QuantileSummary(0.1).update([1]).compact())
    with pytest.raises(SummariesDiffer):
        kept.merge(QuantileSummary(0.2).update([1.0]).compact())


def test_the_smallest_epsilon_is_no_division_by_zero() -> None:
    kept = QuantileSummary(5e-324).update([3.0, 1.0, 2.0]).compact()
    assert (kept + kept).n == 6
    assert (kept + kept).compact().median() == 2
