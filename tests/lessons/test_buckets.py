"""Lesson 11: rounds of buckets, throws, and what the lesson says of them."""

import itertools

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.lessons.buckets import bins, staging
from shadersort.selection.methods.randomized import bracket


@pytest.mark.parametrize("name", ["uniform", "normal", "half-normal", "bucket-killer", "ones"])
@pytest.mark.parametrize("count", [2, 16, 1024])
def test_rounds_of_buckets_find_every_rank(name: str, count: int) -> None:
    keys = datasets.make(name, 999, seed=1)
    for k in (0, 1, 499, 997, 998):
        answer, left = bins.bucket_rounds(keys, k, count)
        assert answer == np.partition(keys, k)[k]
        assert left[0] == len(keys)
        assert all(after < before for before, after in itertools.pairwise(left))


def test_a_bracket_misses_as_seldom_as_it_promises() -> None:
    keys = datasets.make("normal", 10_001, seed=3)
    throws = [staging.throw(keys, 64, 0.9, seed) for seed in range(400)]
    assert 0.9 <= np.mean([each.hit for each in throws]) <= 0.97
    first, last = bracket(64, 0.5, 0.9)
    for each in throws:
        assert each.hit == (first <= np.sum(each.sample < each.answer) <= last)


@pytest.mark.parametrize("name", ["uniform", "half-normal", "bucket-killer", "near-zero"])
def test_what_is_staged_is_what_lies_in_the_bracket_around_the_rank(name: str) -> None:
    keys = datasets.make(name, 50_000, seed=1)
    for k in (0, 25_000, 49_999):
        found = staging.stage(keys, k, samples=4000)
        assert len(found.sample) == 4000
        assert found.answer in found.staged
        assert len(found.staged) == np.sum((found.low <= keys) & (keys <= found.high))
        assert len(found.staged) < len(keys) / 5


def test_one_read_takes_the_reads_that_the_lesson_says() -> None:
    """The uniform keys of the lesson, ties, and keys that were chosen for the hash."""
    keys, ties = (datasets.make(name, 1 << 20) for name in ("uniform", "ones-and-twos"))
    chosen = staging.unlucky(keys, 16384)
    assert np.array_equal(np.sort(chosen), np.sort(keys))
    found = [staging.found_by(each, 1 << 19, 16384) for each in (keys, ties, chosen)]
    assert [each.readings for each in found] == [1, 1, 3]
    assert [each.attempts for each in found] == [1, 1, 2]
    assert found[1].inside == 0
    assert found[0].code == found[2].code
