"""Many windows at once: the same counts as one window after the other."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.streams.frequencies.item_counts import count_rows
from shadersort.streams.frequencies.lossy_counting import LossyCounts, levels_with_windows
from shadersort.streams.frequencies.sorted_windows import SortedWindows, Walks
from shadersort.streams.hierarchies.prefixes import Addresses, Hierarchy, named_hierarchy

Counts = Sequence[LossyCounts]
SHAPES: dict[str, Hierarchy] = {
    "items": Hierarchy(),
    "ipv4": named_hierarchy("ipv4"),
    "all bits": named_hierarchy("bits", 64, 24),
    "few bits": named_hierarchy("bits", 5, 2),
    "addresses": named_hierarchy("ip"),
}
STEPS = 4
"""Buckets in a window."""


def untimed(operation: str) -> Any:
    return nullcontext()


def by_window(held: Counts, windows: Keys, shape: Hierarchy) -> Counts:
    """The definition: every window of its own, every level of its own."""
    for items, counts in count_rows(np.sort(windows, axis=1)).by_window():
        found = shape.by_level(items, counts)
        held = [
            level.with_window(*each, STEPS, untimed)
            for level, each in zip(held, found, strict=True)
        ]
    return held


def at_once(held: Counts, windows: Keys, shape: Hierarchy) -> Counts:
    ordered = SortedWindows(np.sort(windows, axis=1), map)
    return levels_with_windows(held, ordered, shape, STEPS, untimed)


def assert_alike(found: Counts, expected: Counts) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one.bucket, one.buckets) == (other.bucket, other.buckets)
        for name in ("items", "counts", "missed"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
            assert getattr(one, name).dtype == getattr(other, name).dtype


def streams(shape: Hierarchy, seed: int) -> list[Keys]:
    """Windows of 400: of few items, of many, with one item at a time, and growing ones."""
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 60)), 400
    few = random.integers(0, 1 << 62, 9)[np.minimum(random.zipf(1.3, size), 9) - 1]
    spread = random.integers(0, 1 << 62, size)
    drifting = np.arange(size[0] * size[1]).reshape(size) // 7 * 3
    found = [few, spread, drifting, np.where(random.random(size) < 0.3, few[:, :1], spread)]
    if not shape.digits:
        return found
    if isinstance(shape, Addresses):
        return [each.astype(">u8").view("S8").astype(shape.dtype) for each in found]
    return [(each % (1 << min(shape.digits, 62))).astype(shape.dtype) for each in found]


@pytest.mark.parametrize("name", SHAPES)
def test_windows_are_counted_as_one_after_the_other(name: str) -> None:
    shape = SHAPES[name]
    for seed in range(6):
        for windows in streams(shape, seed):
            none = (LossyCounts.empty(100, windows.dtype),) * len(shape.lengths)
            expected: Counts = none
            found: Counts = none
            for part in np.array_split(windows, 3):
                expected = by_window(expected, part, shape)
                found = at_once(found, part, shape) if len(part) else found
            assert_alike(found, expected)


@settings(max_examples=100)
@given(
    counts=st.lists(st.integers(0, 9), min_size=1, max_size=30),
    start=st.integers(0, 20),
    buckets=st.integers(1, 5),
)
def test_a_walk_tells_how_lossy_counting_ends(counts: list[int], start: int, buckets: int) -> None:
    """By the definition of lossy counting of one item, for any counts."""
    held = LossyCounts.empty(100, np.dtype(np.int64))
    if start:
        held = LossyCounts(100, 3, *(np.array([each]) for each in (7, start, 3)))
    expected = held
    for count in counts:
        items, found_there = np.array([[7, count], [8, 1]][count == 0 :]).T
        expected = expected.with_window(items, found_there, buckets, untimed)
    walks = Walks.walk(np.array(counts)[:, None], buckets)
    found = held.add_walks(np.array([7]), walks, len(counts), buckets)
    assert_alike([found], [expected])
