"""The compact form of a summary: as few entries as its error allows, and nothing else changes."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, EmptyInput, SummariesDiffer
from shadersort.streams import CompactQuantiles, QuantileSummary
from tests.streams.adversaries import ADVERSARIES
from tests.streams.exact import assert_ranks_within
from tests.streams.test_small_summaries import STREAMS


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


def test_merged_ones_keep_the_bound() -> None:
    random = np.random.default_rng(1)
    parts = [ADVERSARIES[name](random, 9_000) * 1.0 for name in ("normal", "sorted", "zipf")]
    kept = [QuantileSummary(0.02).update(part).compact() for part in parts]
    total = kept[0] + kept[1] + kept[2]
    whole = np.concatenate(parts)
    assert total.n == whole.size
    assert len(kept[0] + kept[1]) == len(kept[0]) + len(kept[1])  # these are few
    assert_ranks_within(total, whole, 0.02 * whole.size)
    assert len(total) <= 3 * 50
    nothing = CompactQuantiles(0.02)
    assert nothing + kept[0] == kept[0] + nothing == kept[0]
    with pytest.raises(SummariesDiffer, match="alike"):
        kept[0].merge(QuantileSummary(0.02).update([1]).compact())
    with pytest.raises(SummariesDiffer):
        kept[0].merge(QuantileSummary(0.1).update([1.0]).compact())


def trees(parts: list[Any]) -> Iterator[Any]:
    """All of them merged one after the other, and in pairs."""
    yield sum(parts[1:], parts[0])
    while len(parts) > 1:
        parts = [a + b for a, b in zip(parts[::2], parts[1::2], strict=True)]
    yield parts[0]


@pytest.mark.parametrize("name", ["normal", "sorted", "zipf", "two values", "zig-zag"])
@pytest.mark.parametrize("epsilon", [0.3, 0.05, 1 / 49])
def test_a_larger_epsilon_makes_any_summary_short(name: str, epsilon: float) -> None:
    random, n = np.random.default_rng(3), 32 * 501
    stream = ADVERSARIES[name](random, n).astype(np.float32)
    lists = [QuantileSummary(epsilon).update(part) for part in np.split(stream, 32)]
    printed = QuantileSummary(epsilon, n, as_printed=True).update(stream)
    for summary in (*trees(lists), printed, *trees([each.compact() for each in lists])):
        assert_ranks_within(summary.compact(), stream, epsilon * n)
        for wide in (2 * epsilon, 3.1 * epsilon, 0.99):
            if wide < 1:
                kept = summary.compact(wide)
                assert len(kept) <= np.ceil(1 / wide) + 1
                assert kept.epsilon == wide
                assert_ranks_within(kept, stream, wide * n)
    added = sum((each.compact() for each in lists[1:]), lists[0].compact())
    entries = sum(len(each.compact()) for each in lists)
    assert len(added.compact()) <= len(added) <= max(3 * np.ceil(1 / epsilon), entries / 2)
    with pytest.raises(BadOption, match="cannot be sharper"):
        lists[0].compact(epsilon / 2)
    with pytest.raises(BadOption):
        added.compact(1.5)


def test_nothing_cannot_be_compact() -> None:
    with pytest.raises(EmptyInput):
        QuantileSummary(0.1).compact()
    with pytest.raises(EmptyInput):
        CompactQuantiles(0.1).median()
    assert CompactQuantiles(0.1).dtype is None
    assert CompactQuantiles.from_bytes(CompactQuantiles(0.1).to_bytes()) == CompactQuantiles(0.1)


def test_the_smallest_epsilon_is_no_division_by_zero() -> None:
    kept = QuantileSummary(5e-324).update([3.0, 1.0, 2.0]).compact()
    assert (kept + kept).n == 6
    assert (kept + kept).compact().median() == 2
