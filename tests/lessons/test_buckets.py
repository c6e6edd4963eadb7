"""Lesson 11: rounds of buckets, throws, and what the lesson says of them."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.lessons import picture
from shadersort.lessons.buckets import bins, exercises, pictures
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
    throws = [bins.throw(keys, 64, 0.9, seed) for seed in range(400)]
    assert 0.9 <= np.mean([each.hit for each in throws]) <= 0.97
    assert {(each.first, each.last) for each in throws} == {bracket(64, 0.5, 0.9)}
    for each in throws:
        fell = np.sum(each.sample < each.median)
        assert each.hit == (each.first <= fell <= each.last)


def test_one_of_the_throws_that_the_lesson_shows_misses() -> None:
    keys = datasets.make("half-normal", 10_001, seed=3)
    hits = [bins.throw(keys, 64, 0.9, seed).hit for seed in range(10, 18)]
    assert hits.count(False) == 1


def test_every_frame_can_be_drawn() -> None:
    keys = datasets.make("normal", 1001, seed=3)
    films = (
        pictures.show_rounds(keys, 500, 8, 3),
        pictures.show_digits(np.array([7, 112, 345, 340, 999]), 2, 3),
        pictures.show_throws(keys, 64, 0.9, range(2)),
    )
    for frames in films:
        drawn = {picture(frames.draw(at), "a frame").png for at in range(frames.count)}
        assert len(drawn) == frames.count


def test_the_package_s_codes_pass_the_exercise_that_asks_for_codes() -> None:
    allowed = replace(exercises.codes, forbidden=())
    assert allowed.check(lambda bits: encode(bits.view(np.float32))).passed
