"""QuantileSummary: every rank within the bound, the room that lists need, and the proof of it."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.streams import CompactQuantiles, QuantileSummary
from shadersort.streams.quantiles.greenwald_khanna import GKList, SortedBatch, bands
from shadersort.streams.quantiles.merged_lists import list_budget
from tests.expected import expected
from tests.streams.adversaries import ADVERSARIES
from tests.streams.exact import GRID, assert_ranks_within


def into_the_widest_gap(n: int) -> Keys:
    """Each value between two others that a list has, where it knows least (Cormode, Veselý)."""
    summary, made = QuantileSummary(0.1), [np.linspace(0, 1, 64)]
    while sum(map(len, made)) < n:
        values, smallest, largest = map(np.array, zip(*summary.update(made[-1]), strict=True))
        widest = int(np.argmax(largest[1:] - smallest[:-1]))
        made.append(np.linspace(values[widest], values[widest + 1], 66)[1:-1])
    return np.concatenate(made)[:n]


def streams(n: int) -> Iterator[tuple[str, Keys]]:
    """Streams that are hard for a list, by their names."""
    for name, make in ADVERSARIES.items():
        yield name, make(np.random.default_rng(len(name)), n).astype(np.float64)
    steps = np.arange(n)
    yield "zig-zag inwards", np.where(steps % 2, n - steps, steps - n).astype(np.float64)
    yield "into the widest gap", into_the_widest_gap(n)
    yield "ten values", np.random.default_rng(10).integers(0, 10, n).astype(np.float64)


STREAMS = dict(streams(12_000))


def room_of(epsilon: float, n: int) -> float:
    """(2/ε) log₂(εn) + 2/ε; the first 8/ε values are all kept."""
    return max(8.0, 2 * float(np.log2(max(1, epsilon * n))) + 2) / epsilon


def assert_entries_within(stream: Keys, values: Keys, smallest: Keys, before: Keys) -> None:
    """Bounds of entries are right, and those of the minimum and of the maximum exact."""
    ordered = np.sort(stream)
    at_most, below = (np.searchsorted(ordered, values, side) for side in ("right", "left"))
    assert np.all((smallest <= at_most) & (before >= below))
    assert (values[0], values[-1]) == (ordered[0], ordered[-1])
    assert (smallest[0], before[-1]) == (1, len(stream) - 1)


@pytest.mark.parametrize("name", STREAMS)
def test_bounds_hold_and_the_room_suffices_after_every_update(name: str) -> None:
    stream, random = STREAMS[name], np.random.default_rng(3)
    for epsilon in (0.2, 0.02):
        summary, end = QuantileSummary(epsilon), 0
        while end < len(stream):
            end += int(random.integers(1, 2 * summary.window + 9))
            summary.update(stream[summary.n : end])
            assert len(summary) <= room_of(epsilon, summary.n)
            assert summary.rank_error <= epsilon * summary.n
            values, smallest, largest = map(np.array, zip(*summary, strict=True))
            assert_entries_within(stream[: summary.n], values, smallest, largest - 1)
        assert_ranks_within(summary, stream, epsilon * len(stream))


def assert_invariants(entries: GKList, stream: Keys, allowed: int) -> None:
    assert_entries_within(stream, entries.values, entries.smallest, entries.before)
    gaps = entries.before[1:] - entries.smallest[:-1]
    gaps[entries.values[1:] == entries.values[:-1]] = 0
    assert gaps.max(initial=0) <= entries.limit <= allowed


@pytest.mark.parametrize("name", STREAMS)
def test_the_last_resort_is_as_short_as_the_theorem_says(name: str) -> None:
    """Small windows, and deleting with the largest limit after each."""
    stream, budget = STREAMS[name], list_budget(0.05)
    entries = GKList.empty(stream.dtype)
    for part in np.split(stream, range(80, len(stream), 80)):
        size = entries.size + len(part)
        allowed = budget.gap(size)
        entries = entries.with_batch(SortedBatch(np.sort(part), len(part)), allowed)
        assert_invariants(entries, stream[:size], allowed)
        entries = entries.compress(allowed, allowed)
        assert_invariants(entries, stream[:size], allowed)
        assert len(entries.values) <= 2 + proven(allowed) / 0.05
        assert len(entries.compress(allowed, allowed).values) == len(entries.values)


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
    for width in [allowed - each for each in data.draw(st.lists(less, min_size=1, max_size=9))]:
        apart = (b for b in range(61) if (allowed >> b) - (width >> b) <= 1)
        found = bands(np.array([width]), allowed).tolist()
        assert found == [0 if width == allowed else 1 + next(apart)]


def test_short_streams_are_exact() -> None:
    for dtype in ("float16", "float32", "float64", "int8", "uint16", "uint64"):
        for n in (1, 2, 3, 4, 7, 8, 9, 639, 640, 641):
            stream = np.random.default_rng(n).integers(0, 100, n).astype(dtype)
            summary = QuantileSummary(0.1).update(stream)
            if n < 80:
                assert summary.rank_error == 0
                exact = expected(np.quantile, np.sort(stream), GRID, method="inverted_cdf")
                np.testing.assert_array_equal(summary.quantile(GRID), exact)
                assert summary.quantile(0.25).dtype == dtype
            assert_ranks_within(summary, stream, 0.1 * n)


def test_answers_have_the_shape_of_the_question() -> None:
    summary = QuantileSummary(0.1).update(np.arange(10_000.0))
    assert summary.quantile(0.5) == summary.median()
    assert isinstance(summary.median(), np.float64)
    assert isinstance(summary.rank(3), np.int64)
    assert summary.quantile(np.full((2, 3), 0.1)).shape == (2, 3)
    assert summary.rank([[1], [2]]).shape == summary.cdf([[1], [2]]).shape == (2, 1)
    assert summary.rank([-1, 1e9]).tolist() == [0, 10_000]
    assert summary.cdf([-1, 1e9]).tolist() == [0, 1]


def test_questions_that_cannot_be_answered() -> None:
    empty, summary = QuantileSummary(0.1), QuantileSummary(0.1).update([1, 2, 3])
    for ask in (empty.median, lambda: empty.rank(1), lambda: empty.minimum):
        with pytest.raises(errors.EmptyInput, match="has seen no value"):
            ask()
    for q in (1.5, -1, np.nan):
        with pytest.raises(errors.QuantileOutOfRange):
            summary.quantile(q)
    with pytest.raises(errors.QuantileOutOfRange):
        summary.rank(np.nan)
    with pytest.raises(errors.UnsupportedKeys):
        summary.rank("three")
    with pytest.raises(errors.BadOption):
        summary.rank(1, side="middle")  # type: ignore[call-overload]
    for wrong in (0, -1, 1.5, "many", True, 1 << 62):
        with pytest.raises(errors.BadOption):
            QuantileSummary(0.1, wrong)  # type: ignore[arg-type]
    with pytest.raises(errors.BadOption, match="expected"):
        QuantileSummary(0.1, as_printed=True)


# the compact form: as few entries as the error allows, and nothing else changes


def trees(parts: list[Any]) -> Iterator[Any]:
    """All of them merged one after the other, and in pairs."""
    yield sum(parts[1:], parts[0])
    while len(parts) > 1:
        pairs = [a + b for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    yield parts[0]


def test_bytes_pickles_and_copies_of_a_compact_form_are_the_same() -> None:
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
    with pytest.raises(errors.BadOption, match="cannot be sharper"):
        lists[0].compact(epsilon / 2)
    with pytest.raises(errors.BadOption):
        added.compact(1.5)


def test_empty_and_different_compact_forms() -> None:
    with pytest.raises(errors.EmptyInput):
        QuantileSummary(0.1).compact()
    nothing = CompactQuantiles(0.1)
    with pytest.raises(errors.EmptyInput):
        nothing.median()
    assert nothing.dtype is None
    assert CompactQuantiles.from_bytes(nothing.to_bytes()) == nothing
    kept = QuantileSummary(0.1).update([3.0, 1.0, 2.0]).compact()
    assert nothing + kept == kept + nothing == kept
    with pytest.raises(errors.SummariesDiffer, match="alike"):
        kept.merge(QuantileSummary(0.1).update([1]).compact())
    with pytest.raises(errors.SummariesDiffer):
        kept.merge(QuantileSummary(0.2).update([1.0]).compact())


def test_the_smallest_epsilon_is_no_division_by_zero() -> None:
    kept = QuantileSummary(5e-324).update([3.0, 1.0, 2.0]).compact()
    assert (kept + kept).n == 6
    assert (kept + kept).compact().median() == 2
