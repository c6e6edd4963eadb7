"""FrequencySummary: counts by the definition, the guarantee, the space, and its questions."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.errors import BadOption, EmptyInput, NaNRefused, UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, HierarchicalHeavyHitters, SlidingFrequencies
from tests.streams.exact import assert_counts_within

SHAPES: dict[str, Callable[[], Any]] = {
    "items": lambda: FrequencySummary(0.01),
    "ipv4": lambda: HierarchicalHeavyHitters(0.01),
    "all bits": lambda: HierarchicalHeavyHitters(0.01, "bits", digits=64, step=24),
    "few bits": lambda: HierarchicalHeavyHitters(0.01, "bits", digits=5, step=2),
    "addresses": lambda: HierarchicalHeavyHitters(0.01, "ip", step=64),
}


def read_aloud(stream: Keys, bucket: int, window: int) -> list[tuple[Any, int, int]]:
    """Manku and Motwani's algorithm, an item at a time: items, and bounds of their counts."""
    held: dict[Any, tuple[int, int]] = {}
    buckets, whole = 0, stream.size // window * window
    for part in stream[:whole].reshape(-1, window):
        for item, count in Counter(part.tolist()).items():
            f, missed = held.get(item, (0, buckets))
            held[item] = f + count, missed
        buckets += window // bucket
        held = {item: pair for item, pair in held.items() if sum(pair) > buckets}
    error = min(buckets, bucket * buckets - sum(f for f, _ in held.values()))
    waiting = Counter(stream[whole:].tolist())
    every = {item: held.get(item, (0, error)) for item in sorted({*held, *waiting})}
    lower = {item: f + waiting[item] for item, (f, _) in every.items()}
    return [(item, lower[item], lower[item] + min(every[item][1], error)) for item in every]


def streams(window: int) -> list[Keys]:
    """Windows of few items, of many, of growing ones, and of some that are almost dropped."""
    random, size = np.random.default_rng(3), (8, window)
    few = random.integers(0, 1 << 62, 9)[np.minimum(random.zipf(1.3, size), 9) - 1]
    spread = random.integers(0, 1 << 62, size)
    drifting = np.arange(size[0] * window).reshape(size) // 33 * 3
    found = [few, spread, drifting, np.where(random.random(size) < 0.1, few[:, :1], spread)]
    found.append(spread.copy())  # one comes as often as is dropped, and then once more
    for row, values in enumerate(found[-1]):
        values[: window // 100 + (row > 2)] = 7
    return [each.ravel()[: -window // 3] for each in found]


@pytest.mark.parametrize("name", SHAPES)
def test_counts_are_those_of_the_definition_however_many_windows_come_at_once(name: str) -> None:
    for stream in streams(SHAPES[name]().window):
        summary, one_by_one = SHAPES[name](), SHAPES[name]()
        bits = getattr(summary.hierarchy, "digits", 64) if name != "items" else 64
        items = stream.astype(np.uint64) % np.uint64(1 << min(bits, 62))
        if name == "addresses":
            items = items.astype(">u8").view("V8").astype("V16")
        for part in np.split(items, [items.size // 4]):
            summary.update(part)
        for part in np.split(items, range(summary.window, items.size, summary.window)):
            one_by_one.update(part)
        assert summary == one_by_one
        found = [tuple(each) for each in summary]
        if name == "items":
            assert found == read_aloud(items, 100, summary.window)
        elif name != "addresses":
            for length in summary.hierarchy.lengths:
                prefixes = items >> np.uint64(bits - length) if length else np.zeros_like(items)
                expected = read_aloud(prefixes, 100, summary.window)
                assert [(p, low, high) for p, at, low, high in found if at == length] == expected


def test_merged_bounds_hold_for_an_item_that_both_parts_forgot() -> None:
    """It came 11 times in a window of 11 buckets, just too rarely, in each of two summaries."""
    one, other = FrequencySummary(0.01), FrequencySummary(0.01)
    for summary, count in ((one, 11), (one, 500), (other, 11)):
        summary.update(np.append(np.full(count, -7), np.arange(1_100 - count)))
    assert (one + other).bounds(-7) == (500, 522)


def just_enough(window: int, buckets: int, windows: int) -> Keys:
    """A stream that leaves as many items as possible: they come just too often to be let go.

    In the i-th window from the end, items come once more than i times the buckets of a window.
    """
    rows = []
    for i in range(windows, 0, -1):
        each = buckets * i + 1
        row = np.arange(window) // each
        rows.append(np.where(row < window // each, row + i * window, -1))
    return np.concatenate(rows)


def test_space_is_within_its_bound_after_every_window() -> None:
    for epsilon in (0.1, 0.01, 0.001, 0.0001):
        empty = FrequencySummary(epsilon)
        bucket, window = round(1 / epsilon), empty.window
        hard = just_enough(window, window // bucket, 20)
        for stream in (
            hard,
            np.random.default_rng(1).permutation(20 * window) // (window // bucket + 1),
            np.minimum(np.random.default_rng(2).zipf(1.2, 20 * window), 1 << 40),
        ):
            summary, most = FrequencySummary(epsilon), 0.0
            for i, part in enumerate(np.split(stream, 20), 1):
                summary.update(part)
                most = max(most, len(summary) / (bucket * (1 + np.log(i))))
            assert most <= 1
            assert_counts_within(summary, stream)
        assert len(empty.update(hard)) > bucket / 2


@given(
    arrays(
        st.sampled_from(["float16", "float32", "float64", "int8", "uint64"]),
        st.integers(1, 3_000),
        elements=None,
        fill=st.nothing(),
    ).map(np.sort)
    | arrays("int16", st.integers(1, 6_000), elements=st.integers(-3, 30)),
    st.sampled_from([0.6, 0.3, 0.1, 0.05, 0.01, 0.002]),
)
def test_any_stream(stream: Keys, epsilon: float) -> None:
    summary = FrequencySummary(epsilon).update(stream)
    numbers = stream[stream == stream]
    assert (summary.n, summary.nans) == (numbers.size, stream.size - numbers.size)
    if numbers.size:
        assert_counts_within(summary, numbers)


def test_how_often_is_told_for_scalars_and_arrays() -> None:
    summary = FrequencySummary(0.1).update(np.array([1, 2, 2, -0.0, 0.0, np.inf], "float32"))
    assert summary.estimate(2) == 2
    assert isinstance(summary.estimate(np.float32(2)), int)
    assert summary.estimate([2, -0.0, 5, np.inf]).tolist() == [2, 2, 0, 1]
    assert summary.estimate(np.array([], "float32")).tolist() == []
    assert summary.bounds(2) == (2, 2)
    assert [each.tolist() for each in summary.bounds([1, 3])] == [[1, 0], [1, 0]]
    with pytest.raises(NaNRefused):
        summary.estimate(np.nan)
    with pytest.raises(UnsupportedKeys):
        summary.estimate("two")


def test_questions_that_cannot_be_answered() -> None:
    empty = FrequencySummary(0.1)
    for ask in (empty.estimate, empty.bounds, empty.frequent_items):
        with pytest.raises(EmptyInput):
            ask(0.5)
    support: Any
    for support in (0, 0.09, 1.1, -1, np.nan, "0.5", None, True, 1j):
        with pytest.raises(BadOption):
            FrequencySummary(0.1).update([1, 2]).frequent_items(support)


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
