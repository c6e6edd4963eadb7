"""Lesson 12: the keys of an adversary do what the lesson says of them."""

from typing import Any

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.lessons.adversary import rounds
from shadersort.lessons.buckets.bins import bucket_rounds
from shadersort.lessons.shared import selecting
from shadersort.selection import select
from shadersort.selection.primitives import NumPyPrimitives


def test_the_killer_makes_seven_rounds_of_buckets_useless() -> None:
    killer = datasets.make("bucket-killer", 1 << 16)
    left = bucket_rounds(killer, 1 << 15)[1]
    assert left[7] >= len(killer) - 65
    uniform = datasets.make("uniform", 1 << 16)
    assert len(bucket_rounds(uniform, 1 << 15)[1]) <= 4


def test_no_round_of_buckets_drops_nothing() -> None:
    """The smallest key and the largest are in different buckets; so one key a round is the worst"""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        keys = rng.choice([0.0, 1e-300, 1.0, 2.0, 1e9, 1e300], size=30)
        left = bucket_rounds(keys, 15, int(rng.integers(2, 20)))[1]
        assert (np.diff(left) < 0).all()


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("name", ["uniform", "bucket-killer", "ones-and-twos", "near-zero"])
def test_digits_find_every_rank_in_a_bounded_number_of_rounds(bits: int, name: str) -> None:
    codes = encode(datasets.make(name, 500))
    for k in (0, 250, 499):
        found, left = rounds.digit_rounds(codes, k, bits)
        assert found == np.sort(codes)[k]
        assert len(left) == 1 + 32 // bits


def test_pivots_find_every_rank() -> None:
    keys = np.random.default_rng(0).integers(50, size=101)
    for rule in (rounds.three_places, rounds.drawn_places(3)):
        for k in range(0, 101, 10):
            found, left = rounds.pivot_rounds(keys, k, rule)
            assert found == np.sort(keys)[k]
            assert left[-1] == np.sum(keys == found)


@pytest.mark.parametrize("n", [1, 2, 3, 50, 1001])
@pytest.mark.parametrize("seed", [None, 0, 7])
def test_hostile_orders_are_permutations_and_drop_two_keys_a_round(
    n: int, seed: int | None
) -> None:
    rule = rounds.three_places if seed is None else rounds.drawn_places(seed)
    keys = rounds.hostile(n, rule)
    assert sorted(keys) == list(range(n))
    left = rounds.pivot_rounds(keys, n // 2, rule)[1]
    assert min(np.diff(left[: n // 4 + 1]), default=0) >= -2
    assert len(left) - 1 >= n // 4


def test_the_package_s_quickselect_looks_where_the_lesson_says() -> None:
    """So whoever knows the seed can prepare for the package itself."""
    keys = rounds.hostile(1000, rounds.drawn_places(5))
    for seed in (5, 6):
        options: Any = {"method": "quickselect", "seed": seed, "few": 1, "return_trace": True}
        found, trace = select(NumPyPrimitives(keys), 500, **options)
        answer, left = rounds.pivot_rounds(keys, 500, rounds.drawn_places(seed))
        pivots = [step for step in trace.iterations if step.name == "pivot"]
        assert found == answer == 500
        assert [step.candidates for step in pivots] == left[1 : len(pivots) + 1]
        assert len(left) - 1 - len(pivots) <= 1  # the package needs no pivot for one key
        assert (len(pivots) > 250) == (seed == 5)


def test_other_seeds_are_not_harmed() -> None:
    """As the caption of their picture says."""
    keys = rounds.hostile(10_000, rounds.drawn_places(0))
    found = [
        len(rounds.pivot_rounds(keys, 5000, rounds.drawn_places(seed))[1]) - 1
        for seed in range(301)
    ]
    assert found[0] > 2000
    assert max(found[1:]) < 30


def test_digits_as_printed_read_all_keys_of_one_type_equally_often() -> None:
    names = ("uniform", "bucket-killer", "ones-and-twos")
    data = {name: datasets.make(name, 5000) for name in names}
    ((_, *reads),) = [
        row for row in selecting.show_both(["radix"], data).rows if "printed" in row[0]
    ]
    assert len(set(reads)) == 1
    near_zero = {"near zero": datasets.make("near-zero", 5000, dtype="float64")}
    assert "no end" in repr(selecting.show_both(["bucket"], near_zero))
