"""Summaries as printed in the paper of 2005: what holds, and what is printed but does not."""

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.errors import BadOption, CorruptSummary, NotMergeable
from shadersort.keys.types import Keys
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.quantiles.exponential_histogram import printed_budgets
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedLevels
from shadersort.streams.summary import Summary
from tests.streams.adversaries import ADVERSARIES, draws
from tests.streams.every import MAKERS, made, stream_for

PRINTED = [name for name in MAKERS if "as printed" in name]


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
        epsilon = random.choice([0.5, 0.3, 0.1, 0.05, 0.01])
        summary = ss.FrequencySummary(epsilon, as_printed=True).update(stream)
        waiting = stream.size % summary.window
        expected = plainly_counted(stream + 0, summary.window)
        for item in stream[stream.size - waiting :].tolist():
            expected[item] = expected.get(item, 0) + 1
        assert dict(summary.most_common()) == expected


Bucket = list[tuple[float, int, int]]
"""Values in order, with their smallest and largest ranks."""


def printed_merge(one: Bucket, other: Bucket) -> Bucket:
    """The rule of Greenwald and Khanna for values that all differ, an entry at a time."""
    rows = []
    for here, there in ((one, other), (other, one)):
        for value, smallest, largest in here:
            before = [entry for entry in there if entry[0] < value]
            after = [entry for entry in there if entry[0] > value]
            low = before[-1][1] if before else 0
            high = after[0][2] - 1 if after else before[-1][2]
            rows.append((value, smallest + low, largest + high))
    return sorted(rows)


def printed_prune(bucket: Bucket, size: int, count: int) -> list[float]:
    """Section 5.2 read aloud: the elements of rank 1, |S|/B, 2|S|/B, …, |S|, one at a time."""
    ranks = [max(1, ceil(Fraction(i * size, count))) for i in range(count + 1)]
    return [min(bucket, key=lambda row: max(rank - row[1], row[2] - rank))[0] for rank in ranks]


def test_buckets_are_pruned_to_the_elements_nearest_to_the_printed_ranks() -> None:
    plan = printed_budgets(0.25, 1 << 12)
    stream = np.random.default_rng(4).permutation(1 << 12)
    for level in range(1, 11):
        size = plan.size(level)
        whole = stream[:size]
        parts = (whole, *np.split(whole, 2))  # each has one bucket: its windows are a power of two
        made_of = [
            ss.QuantileSummary(0.25, 1 << 12, as_printed=True).update(each) for each in parts
        ]
        bucket, one, other = ([tuple(entry) for entry in each] for each in made_of)
        found = [value for value, _, _ in bucket]
        if plan.prunes(level):
            assert found == printed_prune(printed_merge(one, other), size, plan.pruned)
            assert len(found) == plan.pruned + 1 == 27
        else:
            assert found == sorted(whole.tolist())
    assert plan.prunes(3)


def test_space_of_quantiles_is_within_the_printed_bound() -> None:
    """As Greenwald and Khanna 2004: ⌈log n⌉ buckets of at most B + 1 elements, and a window."""
    for epsilon, n in ((0.1, 30_000), (0.01, 300_000)):
        plan = printed_budgets(epsilon, n)
        summary = ss.QuantileSummary(epsilon, n, as_printed=True)
        for part in np.array_split(np.random.default_rng(2).random(n), 53):
            summary.update(part)
            assert len(summary) <= plan.buckets * (plan.pruned + 1) + summary.window
            windows, waiting = divmod(summary.n, plan.window)
            levels = [level for level in range(40) if windows >> level & 1]
            assert len(summary) == waiting + sum(map(plan.entries, levels))
            assert summary.rank_error <= (sum(map(plan.gap, levels)) + 1) // 2 <= epsilon * n
    tiny = ss.QuantileSummary(1e-15, 100, as_printed=True).update([2.0, 1.0])
    assert ss.QuantileSummary.from_bytes(tiny.to_bytes()).median() == 1.0


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


def test_levels_and_errors_are_those_printed() -> None:
    for inverse in (4, 64, 1024):
        plan = PrintedLevels.chosen(1 / inverse, 1 << 20, 1 << 20)
        assert plan.top == np.log2(4 * inverse)
        assert plan.size(plan.top) == 1 << 20
        assert plan.error(0) == Fraction(1, plan.top + 1)  # as the paper says of ε_0
        for level in range(plan.count):
            assert plan.error(level) == Fraction(1 << (plan.top - level), inverse) / (
                4 * (plan.top + 1)
            )
            spent = plan.error(level) * plan.size(level)
            assert spent == Fraction(1 << 20, inverse) / (2 * (2 * plan.top + 2))


def test_sliding_windows_have_one_length() -> None:
    summary = ss.SlidingQuantiles(0.1, 100, as_printed=True, shortest=100)
    assert summary == ss.SlidingQuantiles(0.1, 100, as_printed=True)
    with pytest.raises(BadOption, match="windows of one length"):
        ss.SlidingFrequencies(0.1, 100, as_printed=True, shortest=50)
    with pytest.raises(NotMergeable):
        summary.merge(summary.copy())
