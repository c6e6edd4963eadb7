"""What users of Python expect: updates in a chain, a + b, most_common, notebooks, plots."""

from collections import Counter
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest

from shadersort.errors import BadOption, NotMergeable, SummariesDiffer
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    Histogram,
    QuantileSummary,
    SlidingFrequencies,
)
from tests.streams.every import MAKERS, MERGING, made, stream_for


@pytest.mark.parametrize("name", MAKERS)
def test_update_returns_the_summary(name: str) -> None:
    summary, stream = MAKERS[name](), stream_for(name, 10)
    pairs = 1 + isinstance(summary, CorrelatedSum)
    assert summary.update(*[stream] * pairs) is summary
    assert summary.update(*[[]] * pairs).update(*[stream] * pairs) is summary


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


def test_sums_that_are_not() -> None:
    quantiles = QuantileSummary(0.1)
    with pytest.raises(SummariesDiffer):
        quantiles + FrequencySummary(0.1)  # type: ignore[operator]
    with pytest.raises(TypeError, match="unsupported operand"):
        quantiles + 1  # type: ignore[operator]
    with pytest.raises(NotMergeable):
        SlidingFrequencies(0.1, 10) + SlidingFrequencies(0.1, 10)


def test_most_common_is_that_of_a_counter() -> None:
    stream = np.random.default_rng(2).geometric(0.3, 900).tolist()
    exact = Counter(sorted(stream))
    summary: Any
    for summary in (FrequencySummary(0.01), SlidingFrequencies(0.01, 900)):
        assert summary.update(stream).most_common() == exact.most_common()
        for n in (0, 1, 3, np.int64(2), 10_000):
            assert summary.most_common(n) == exact.most_common(int(n))
        for bad in (-1, 2.5, "3", True):
            with pytest.raises(BadOption):
                summary.most_common(bad)
    assert summary.last(10).most_common(3) == Counter(sorted(stream[-10:])).most_common(3)


def test_most_common_leaves_out_what_comes_little_more() -> None:
    stream = np.random.default_rng(3).zipf(1.2, 100_000) % 50_021
    summary = FrequencySummary(0.001).update(stream)
    found = dict(summary.most_common(20))
    items, counts = np.unique(stream, return_counts=True)
    left_out = counts[~np.isin(items, list(found))]
    assert left_out.max() <= min(found.values()) + summary.count_error


@pytest.mark.parametrize("name", MAKERS)
def test_a_notebook_shows_a_table(name: str) -> None:
    for count in (0, 1, 20_000):
        summary = made(name, [stream_for(name, count)])
        shown = summary._repr_html_()
        title = type(summary).__name__ + ", as printed" * name.endswith("as printed")
        assert shown.startswith(f"<b>{title}</b><table>")
        assert f"<th>values</th><td>{summary.n:,}</td>" in shown
        assert 60 < len(shown) < 1_500
        assert len(repr(summary)) < 200
        assert "[(" not in repr(summary)


def test_a_notebook_shows_answers() -> None:
    assert "<th>median</th><td>5</td>" in QuantileSummary(0.1).update(range_of(10))._repr_html_()
    counted = FrequencySummary(0.1).update([7, 7, 7, 8])._repr_html_()
    assert "<th>item 7</th><td>3</td>" in counted
    prefixes = HierarchicalHeavyHitters(0.1).update([(10 << 24) + 1] * 8)._repr_html_()
    assert "<th>10.0.0.1/32</th><td>8</td>" in prefixes


def range_of(n: int) -> list[int]:
    """The numbers from 1 to n."""
    return list(range(1, n + 1))


def histogram(*values: float, bins: Any = 4) -> Histogram:
    return Histogram(QuantileSummary(0.05).update(np.array(values)), bins)
