"""The list of a `QuantileSummary`: its invariants after every step, and how few entries it has."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.streams import QuantileSummary
from shadersort.streams.quantiles.greenwald_khanna import (
    MANY,
    GKList,
    SortedBatch,
    bands,
    path_of,
    survivors,
)
from shadersort.streams.quantiles.merged_lists import list_budget
from tests.streams.adversaries import ADVERSARIES
from tests.streams.exact import assert_ranks_within


def _zig_zag_inwards(n: int) -> Keys:
    steps = np.arange(n)
    return np.where(steps % 2, n - steps, steps - n)


def _into_the_widest_gap(n: int) -> Keys:
    """Each value between two others that the list has, where it knows least (Cormode, Veselý)."""
    entries, made = GKList.empty(np.dtype(np.float64)), [np.linspace(0, 1, 64)]
    budget = list_budget(0.1)
    while sum(map(len, made)) < n:
        size = entries.size + len(made[-1])
        batch = SortedBatch(np.sort(made[-1]), len(made[-1]))
        entries = entries.with_batch(batch, budget.limit(entries.size, size, entries.limit))
        entries = entries.compress(entries.limit, budget.gap(size))
        widest = int(np.argmax(entries.before[1:] - entries.smallest[:-1]))
        low, high = entries.values[widest : widest + 2]
        made.append(np.linspace(low, high, 66)[1:-1])
    return np.concatenate(made)[:n]


def streams(n: int) -> Iterator[tuple[str, Keys]]:
    """Streams that are hard for a list, by their names."""
    for name, make in ADVERSARIES.items():
        yield name, make(np.random.default_rng(len(name)), n).astype(np.float64)
    yield "zig-zag inwards", _zig_zag_inwards(n).astype(np.float64)
    yield "into the widest gap", _into_the_widest_gap(n)
    yield "ten values", np.random.default_rng(10).integers(0, 10, n).astype(np.float64)


STREAMS = dict(streams(12_000))


def room_of(epsilon: float, n: int) -> float:
    """(2/ε) log₂(εn) + 2/ε; the first 8/ε values are all kept."""
    return max(8.0, 2 * float(np.log2(max(1, epsilon * n))) + 2) / epsilon


def without(stream: Keys, waiting: Keys) -> Keys:
    """The values of a stream that are in the list: all but those that wait, in order."""
    items, counts = np.unique(stream, return_counts=True)
    np.subtract.at(counts, np.searchsorted(items, waiting), 1)
    return np.repeat(items, counts)


def assert_invariants(entries: GKList, stream: Keys, allowed: int) -> None:
    ordered = np.sort(stream)
    at_most, below = (np.searchsorted(ordered, entries.values, s) for s in ("right", "left"))
    assert entries.size == len(stream)
    assert np.all(entries.smallest <= at_most)
    assert np.all(entries.before >= below)
    assert (entries.values[0], entries.values[-1]) == (ordered[0], ordered[-1])
    assert (entries.smallest[0], entries.before[-1]) == (1, len(stream) - 1)
    gaps = entries.before[1:] - entries.smallest[:-1]
    gaps[entries.values[1:] == entries.values[:-1]] = 0
    assert gaps.max(initial=0) <= entries.limit <= allowed


@pytest.mark.parametrize("name", STREAMS)
def test_invariants_hold_and_the_room_suffices_after_every_update(name: str) -> None:
    stream, random = STREAMS[name], np.random.default_rng(3)
    for epsilon in (0.2, 0.02):
        summary, end = QuantileSummary(epsilon), 0
        while end < len(stream):
            end += int(random.integers(1, 2 * summary.window + 9))
            summary.update(stream[summary.n : end])
            assert len(summary) <= room_of(epsilon, summary.n)
            if (own := summary._state.own) is not None:
                taken = without(stream[: summary.n], summary._waiting())
                assert_invariants(own, taken, list_budget(epsilon).gap(own.size))
        assert_ranks_within(summary, stream, epsilon * len(stream))


@pytest.mark.parametrize("name", STREAMS)
def test_the_last_resort_is_as_short_as_the_theorem_says(name: str) -> None:
    """Small windows, and deleting with the largest limit after each."""
    stream, budget = STREAMS[name], list_budget(0.05)
    entries = GKList.empty(stream.dtype)
    for part in np.split(stream, range(80, len(stream), 80)):
        size = entries.size + len(part)
        batch = SortedBatch(np.sort(part), len(part))
        entries = entries.with_batch(batch, budget.gap(size))
        assert_invariants(entries, stream[:size], budget.gap(size))
        entries = entries.compress(budget.gap(size), budget.gap(size))
        assert_invariants(entries, stream[:size], budget.gap(size))
        assert len(entries.values) <= 2 + proven(budget.gap(size)) / 0.05
        again = entries.compress(entries.limit, budget.gap(size))
        assert len(again.values) == len(entries.values)


def proven(allowed: int) -> float:
    """The sum over all bands in the proof, times ε; a few youngest bands are counted together."""
    older, found = 0.0, np.inf
    for band in range(allowed.bit_length() - 1, -1, -1):
        size, rest, less = 1 << band, allowed % (1 << band), allowed % (1 << band >> 1 or 1)
        found = min(found, older + (size + rest + 2) / 10)
        older += (size + rest + 2) / (size / 2 + less + 3) if band else 2
    return min(found, older)


def test_the_proven_sum_leaves_room_for_waiting_values() -> None:
    random = np.random.default_rng(5)
    patterns = [int((p * 40)[:40], 2) for p in ("01", "10", "001", "010", "011", "1", "0", "110")]
    for power in range(4, 41):
        some = [*random.integers(0, 1 << power, 200).tolist(), *patterns]
        for rest in some:
            half = ((1 << power) | (rest % (1 << power))) // 2
            room = list_budget(1 / 4).room(4 * half) / 4
            assert proven(2 * half) + 2 / 4 <= room - 4, half


@given(st.integers(0, 1 << 60), st.data())
def test_bands_are_those_of_the_definition(allowed: int, data: st.DataObject) -> None:
    near = st.integers(0, 60).flatmap(lambda b: st.integers((1 << b) - 2, (1 << b) + 2))
    less = st.one_of(st.integers(0, allowed), near.map(lambda each: min(max(each, 0), allowed)))
    widths = [allowed - each for each in data.draw(st.lists(less, min_size=1, max_size=9))]
    expected = [
        0 if width == allowed else 1 + next(b for b in range(61) if one_apart(allowed, width, b))
        for width in widths
    ]
    assert bands(np.array(widths), allowed).tolist() == expected


def one_apart(allowed: int, width: int, band: int) -> bool:
    return (allowed >> band) - (width >> band) <= 1


@given(st.integers(0, 1 << 40), st.data())
def test_bands_are_aligned(allowed: int, data: st.DataObject) -> None:
    """Entries of one band stay in one band, and none becomes younger than another."""
    widths = np.sort(data.draw(st.lists(st.integers(0, allowed), min_size=2, max_size=9)))
    later = allowed + data.draw(st.integers(0, 1 << data.draw(st.integers(0, 41))))
    before, after = bands(widths, allowed), bands(widths, later)
    assert np.all(np.diff(before) <= 0)
    assert np.all(np.diff(after) <= 0)
    assert np.all(after >= before)
    assert np.all(np.diff(after)[np.diff(before) == 0] == 0)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=60), st.integers(1, 9), st.integers(1, 3))
def test_no_survivor_is_superfluous(values: list[int], limit: int, slack: int) -> None:
    """Every entry that stays divides a gap, among those of its band, that would be too wide."""
    ordered = np.sort(values)
    place = np.arange(len(ordered))
    smallest = np.maximum.accumulate(place + 1 - place % (slack + 1) * (place > 0))
    before = np.maximum.accumulate(place + place % slack * (place < place[-1]))
    size, allowed = len(ordered), 2 * limit
    kept = survivors(ordered, smallest, before, limit, allowed)
    age = bands(before + 1 - smallest, allowed)
    age[[0, -1]] = 99
    assert kept[0] == 0
    assert kept[-1] == size - 1
    for place in kept[1:-1]:
        among = kept[age[kept] >= age[place]]
        left, right = among[among < place][-1], among[among > place][0]
        assert before[right] - smallest[left] > limit
        assert ordered[left] != ordered[right]


@pytest.mark.parametrize("points", [0, 1, MANY - 1, MANY, MANY + 1])
@pytest.mark.parametrize("span", [(-9, -5), (0, 1), (3, 5), (40, 60), (200, 201), (-50, 200)])
def test_a_batch_counts_what_is_below_points(points: int, span: tuple[int, int]) -> None:
    """Batches may lie on one side of all points, among a few, or equal some of them."""
    random = np.random.default_rng(points)
    asked = np.sort(random.integers(0, 100, points)).astype(np.float32)
    values = random.integers(*span, 1000).astype(np.float32)
    for batch in (values[:0], values[:1], values):
        expected = [int(np.count_nonzero(batch < point)) for point in asked]
        found = SortedBatch(np.sort(batch), len(batch)).starts(asked, [])
        assert found.tolist() == [0, *expected, len(batch)]
        weights = random.integers(1, 4, len(batch))
        expected = [int(weights[batch < point].sum()) for point in asked]
        found = SortedBatch.from_weights(batch, weights).starts(asked, [])
        assert found.tolist() == [0, *expected, weights.sum()]


def merged_of(parts: list[Any]) -> QuantileSummary:
    total = QuantileSummary(parts[0].epsilon)
    for part in parts:
        total.merge(part)
    return total


@pytest.mark.parametrize("name", ["uniform", "zig-zag inwards", "ten values", "sorted", "zipf"])
def test_merged_lists_stay_within_the_room(name: str) -> None:
    stream, epsilon = STREAMS[name], 0.05
    for count in (2, 3, 16, 40):
        parts = [QuantileSummary(epsilon).update(part) for part in np.array_split(stream, count)]
        pairs = parts
        while len(pairs) > 1:
            pairs = [merged_of(pairs[i : i + 2]) for i in range(0, len(pairs), 2)]
        for total in (merged_of(parts), pairs[0]):
            assert_ranks_within(total, stream, epsilon * len(stream))
            assert len(total) <= room_of(epsilon, total.n)
            assert QuantileSummary.from_bytes(total.to_bytes()) == total


@pytest.mark.parametrize("count", [1, 2, 3, 255, 256, 513, 40_001])
def test_a_path_is_that_of_single_steps(count: int) -> None:
    random = np.random.default_rng(count)
    for longest in (1, 2, 9, 3000):
        ahead = np.arange(count) + random.integers(1, longest + 1, count)
        steps = np.minimum(ahead, count - 1)
        expected = [0]
        while expected[-1] < count - 1:
            expected.append(int(steps[expected[-1]]))
        assert path_of(steps).tolist() == expected
