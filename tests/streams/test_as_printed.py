"""Summaries as printed in the paper of 2005: what holds, and what is printed but does not."""

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, QuantileSummary
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.quantiles.exponential_histogram import printed_budgets
from shadersort.streams.quantiles.gk_summaries import GKSummaries, bring_to_host
from shadersort.streams.summary import Summary
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.every import MAKERS, made, stream_for
from tests.streams.exact import assert_counts_within, assert_ranks_within, merged

EPSILONS = (0.5, 0.3, 0.1, 0.05, 0.01)
PRINTED = [name for name in MAKERS if "as printed" in name]


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_printed_counts_are_within_the_guarantee(name: str) -> None:
    for random, stream in draws(name, 10_000, count=STREAMS // 70):
        epsilon = random.choice(EPSILONS)
        summary = FrequencySummary(epsilon, as_printed=True).update(stream)
        assert_counts_within(summary, stream)
        assert len(summary) <= stream.size / 2 + summary.window


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_printed_ranks_are_within_the_guarantee(name: str) -> None:
    for random, stream in draws(name, 30_000, count=STREAMS // 30):
        epsilon = random.choice(EPSILONS)
        expected = stream.size * int(random.choice([1, 1, 10]))
        summary = QuantileSummary(epsilon, expected, as_printed=True).update(stream)
        assert_ranks_within(summary, stream, epsilon * stream.size)


@pytest.mark.parametrize("kind", ["ranks", "counts"])
@pytest.mark.parametrize("name", ["sorted", "zig-zag", "zipf", "two values"])
def test_merged_parts_are_within_the_guarantee(name: str, kind: str) -> None:
    """The paper merges histograms and buckets of equal ids; parts hold nothing else."""
    for random, stream in draws(name, 20_000, count=15):
        epsilon = random.choice(EPSILONS)
        cuts = np.sort(random.integers(0, stream.size + 1, random.integers(1, 20)))
        parts: list[Any] = [
            QuantileSummary(epsilon, stream.size, as_printed=True, dtype=stream.dtype)
            if kind == "ranks"
            else FrequencySummary(epsilon, as_printed=True, dtype=stream.dtype)
            for _ in range(len(cuts) + 1)
        ]
        for part, values in zip(parts, np.split(stream, cuts), strict=True):
            part.update(values)
        whole = merged(parts, random)
        if kind == "ranks":
            assert_ranks_within(whole, stream, epsilon * stream.size)
        else:
            assert_counts_within(whole, stream)


def plainly_counted(stream: Keys, window: int) -> dict[Any, int]:
    """Section 5.1 read aloud: insert or update, then delete what has a frequency of unity."""
    held: dict[Any, int] = {}
    for part in stream[: stream.size // window * window].reshape(-1, window):
        for item, count in zip(*np.unique(part, return_counts=True), strict=True):
            held[item.item()] = held.get(item.item(), 0) + int(count)
        held = {item: count for item, count in held.items() if count != 1}
    return held


@pytest.mark.parametrize("name", ADVERSARIES)
def test_counts_are_those_of_the_text_read_aloud(name: str) -> None:
    for random, stream in draws(name, 2_000, count=5):
        summary = FrequencySummary(random.choice(EPSILONS), as_printed=True).update(stream)
        waiting = stream.size % summary.window
        expected = plainly_counted(stream + 0, summary.window)
        for item in stream[stream.size - waiting :].tolist():
            expected[item] = expected.get(item, 0) + 1
        assert dict(summary.most_common()) == expected


def test_the_printed_query_returns_what_comes_often_enough_less_epsilon() -> None:
    stream = np.repeat([1, 2, 3], [70, 20, 10])
    summary = FrequencySummary(0.1, as_printed=True).update(stream)
    assert summary.frequent_items(0.3)["item"].tolist() == [1, 2]
    assert FrequencySummary(0.1).update(stream).frequent_items(0.3)["item"].tolist() == [1]
    assert summary.frequent_items(0.2)["item"].tolist() == [1, 2, 3]


def test_a_stream_of_pairs_has_no_bound_on_space() -> None:
    """What is printed is log(εN)/ε entries: 5,704 here, with the natural logarithm."""
    pairs = np.repeat(np.arange(150_000), 2)
    printed, ours = FrequencySummary(0.001, as_printed=True), FrequencySummary(0.001)
    assert len(printed.update(pairs)) == 150_000
    assert len(ours.update(pairs)) < np.log(0.001 * 300_000) / 0.001 < 5_704


def printed_prune(values: Keys, smallest: Keys, largest: Keys, size: int, count: int) -> Keys:
    """Section 5.2 read aloud: the elements of rank 1, |S|/B, 2|S|/B, …, |S|, one at a time."""
    kept = []
    for i in range(count + 1):
        rank = max(1, ceil(Fraction(i * size, count)))
        off = np.maximum(rank - smallest, largest - rank)
        kept.append(values[np.argmin(off)])
    return np.array(kept)


def bucket_of(stream: Keys, n: int) -> GKSummaries:
    """The one bucket of a stream whose windows are a power of two."""
    summary = QuantileSummary(0.25, n, as_printed=True).update(stream)
    (bucket,) = bring_to_host(summary._state.buckets).values()
    return bucket


def test_buckets_are_pruned_to_the_elements_nearest_to_the_printed_ranks() -> None:
    plan = printed_budgets(0.25, 1 << 12)
    stream = np.random.default_rng(4).permutation(1 << 12)
    for level in range(1, 11):
        size = plan.size(level)
        bucket = bucket_of(stream[:size], 1 << 12)
        one, other = (bucket_of(part, 1 << 12) for part in np.split(stream[:size], 2))
        both = other.prepend(one).merge_pairs()
        if plan.prunes(level):
            ranks = both.smallest[0], both.before[0] + 1
            expected = printed_prune(both.values[0], *ranks, size, plan.pruned)
            assert len(expected) == plan.pruned + 1 == 27
            np.testing.assert_array_equal(bucket.values[0], expected)
        else:
            np.testing.assert_array_equal(bucket.values[0], np.sort(stream[:size]))
    assert plan.prunes(3)


def test_a_tiny_epsilon_costs_nothing_before_its_values_come() -> None:
    summary = QuantileSummary(1e-15, 100, as_printed=True).update([2.0, 1.0])
    assert QuantileSummary.from_bytes(summary.to_bytes()).median() == 1.0


def test_the_printed_schedule_sums_to_almost_three_halves_and_is_not_spent() -> None:
    for epsilon, n in ((0.5, 1 << 12), (0.25, 10**6), (0.01, 10**8), (1e-4, 10**9)):
        plan = printed_budgets(epsilon, n)
        assert plan.error(plan.buckets) < Fraction(3, 2) * plan.epsilon
        assert plan.error(plan.buckets) > Fraction(5, 4) * plan.epsilon
        highest = (n // plan.window).bit_length() - 1
        gaps = [plan.gap(level) for level in range(highest + 1)]
        assert all(gap <= 2 * plan.epsilon * plan.size(i) for i, gap in enumerate(gaps))
        assert gaps[0] == 0


def test_gaps_are_within_the_bound_of_each_bucket() -> None:
    for epsilon in (0.5, 0.2, 0.03):
        plan = printed_budgets(epsilon, 20_000)
        for name in ("sorted", "zig-zag", "normal", "two values", "bit-reversed"):
            stream = ADVERSARIES[name](np.random.default_rng(1), 20_000)
            summary = QuantileSummary(epsilon, 20_000, as_printed=True).update(stream)
            held = bring_to_host(summary._state.buckets)
            for level, bucket in held.items():
                rows = np.cumsum(bucket.upper[0]) - np.cumsum(bucket.lower[0])
                assert rows.max() <= plan.gap(level)
            most = sum(plan.gap(level) for level in held)
            assert summary.rank_error <= (most + 1) // 2 <= epsilon * stream.size


def test_space_of_quantiles_is_within_the_printed_bound() -> None:
    """As Greenwald and Khanna 2004: ⌈log n⌉ buckets of at most B + 1 elements, and a window."""
    for epsilon, n in ((0.1, 30_000), (0.01, 300_000)):
        plan = printed_budgets(epsilon, n)
        summary = QuantileSummary(epsilon, n, as_printed=True)
        for part in np.array_split(np.random.default_rng(2).random(n), 53):
            summary.update(part)
            assert len(summary) <= plan.buckets * (plan.pruned + 1) + summary.window
            windows, waiting = divmod(summary.n, plan.window)
            levels = [level for level in range(40) if windows >> level & 1]
            assert len(summary) == waiting + sum(map(plan.entries, levels))


def test_a_stream_that_is_longer_than_expected_is_beyond_epsilon_and_tells_its_error() -> None:
    stream = np.random.default_rng(1).random(1 << 18)
    summary = QuantileSummary(0.25, 4, as_printed=True).update(stream)
    points = np.sort(stream)[::50]
    exact = np.arange(0, 1 << 18, 50) + 1
    assert np.abs(summary.rank(points) - exact).max() > 1.3 * 0.25 * stream.size
    assert_ranks_within(summary, stream, summary.rank_error)


@pytest.mark.parametrize("name", PRINTED)
def test_what_was_made_as_printed_stays_so(name: str) -> None:
    summary = made(name, [stream_for(name, 3_000)])
    assert summary.as_printed
    assert Summary.from_bytes(summary.to_bytes()) == summary.copy() == summary
    ours = made(name.removesuffix(", as printed"), [stream_for(name, 3_000)])
    assert ours != summary
    blob = unpack(summary.to_bytes())
    for other in (False, 1, "yes", None):
        parameters = {**blob.parameters, "as_printed": other}
        with pytest.raises(CorruptSummary):
            Summary.from_bytes(pack(Blob(blob.kind, parameters, blob.arrays)))
