"""Many windows at once: the same counts as one window after the other."""

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.streams.frequencies.item_counts import counted_rows
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.frequencies.lossy_windows import (
    Counts,
    Walks,
    after_prefixes,
    after_windows,
    candidates,
    often,
    prefix_counts,
    span_counts,
    spans_of,
    suffixes,
)
from shadersort.streams.hierarchies.address_prefixes import named_hierarchy
from shadersort.streams.hierarchies.prefixes import Hierarchy

SHAPES = {
    "ipv4": named_hierarchy("ipv4"),
    "all bits": named_hierarchy("bits", 64, 24),
    "few bits": named_hierarchy("bits", 5, 2),
}
STEPS = 4
"""Buckets in a window."""


def untimed(operation: str) -> Any:
    return nullcontext()


def by_window(held: Counts, windows: Keys, shape: Hierarchy) -> Counts:
    """The definition: every window of its own, every level of its own."""
    for items, counts in counted_rows(np.sort(windows, axis=1)).by_window():
        found = shape.by_level(items, counts)
        held = [
            level.with_window(*each, STEPS, untimed)
            for level, each in zip(held, found, strict=True)
        ]
    return held


def at_once(held: Counts, windows: Keys, shape: Hierarchy) -> Counts:
    return prefix_counts(held, np.sort(windows, axis=1), shape, STEPS, untimed, map)


def by_suffixes(held: Counts, windows: Keys, shape: Hierarchy) -> Counts:
    """As on a GPU: candidates are what comes often at the end."""
    ends = ((windows[-count:].reshape(1, -1), above) for count, above in suffixes(len(windows), 4))
    found = [often(np.sort(end, axis=1), above, shape) for end, above in ends]
    items = candidates(held, zip(*found, strict=True))
    counts = span_counts(np.sort(windows, axis=1), *spans_of(items, shape))
    return after_prefixes(held, items, Walks.walk(counts, STEPS), len(windows), STEPS)


def assert_alike(found: Counts, expected: Counts) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one.bucket, one.buckets) == (other.bucket, other.buckets)
        for name in ("items", "counts", "missed"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
            assert getattr(one, name).dtype == getattr(other, name).dtype


def streams(shape: Hierarchy, seed: int) -> list[Keys]:
    """Windows of 40: of few items, of many, with one item at a time, and growing ones."""
    random = np.random.default_rng(seed)
    size, limit = (int(random.integers(1, 60)), 40), 1 << min(shape.digits, 62)
    few = random.integers(0, limit, 9)[np.minimum(random.zipf(1.3, size), 9) - 1]
    spread = random.integers(0, limit, size)
    drifting = np.arange(size[0] * 40).reshape(size) // 7 * 3 % limit
    found = [few, spread, drifting, np.where(random.random(size) < 0.3, few[:, :1], spread)]
    return [each.astype(shape.dtype) for each in found]


@pytest.mark.parametrize("name", SHAPES)
def test_windows_are_counted_as_one_after_the_other(name: str) -> None:
    shape = SHAPES[name]
    none = (LossyCounts.empty(10, shape.dtype),) * len(shape.lengths)
    for seed in range(6):
        for windows in streams(shape, seed):
            expected: Counts = none
            found: Counts = none
            for part in np.array_split(windows, 3):
                expected = by_window(expected, part, shape)
                if len(part):
                    assert_alike(by_suffixes(found, part, shape), expected)
                    found = at_once(found, part, shape)
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
    found = after_windows(held, np.array([7]), walks, len(counts), buckets)
    assert_alike([found], [expected])
