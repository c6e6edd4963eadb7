"""Lessons 10 to 13: rounds, adversaries and pictures do what the lessons say of them."""

import itertools
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.lessons import record
from shadersort.lessons.adversary import rounds
from shadersort.lessons.buckets import bins, staging
from shadersort.lessons.buckets.bins import bucket_rounds
from shadersort.lessons.hundred.pictures import edges_of, pivots_of
from shadersort.lessons.hundred.times import table_of_times, times
from shadersort.lessons.median import cuts
from shadersort.lessons.shared import selecting
from shadersort.lessons.shared.reproduced import variant_of
from shadersort.lessons.shared.tables import short
from shadersort.selection import select
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.web.pieces.street import HOUSES, USUAL, record_search


@pytest.mark.parametrize("seed", range(20))
def test_touching_lines_meet_at_the_mean_of_the_keys_inside(seed: int) -> None:
    keys = np.sort(np.random.default_rng(seed).choice(1000, 31, replace=False))
    for low, high in ((keys[0], keys[-1]), (keys[3] + 0.5, keys[-4]), (keys[0], keys[16])):
        inside = keys[(low < keys) & (keys < high)]
        low, f_low, g_low, high, f_high, g_high = cuts.touching(keys, low, high)
        met = (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)
        assert met == pytest.approx(inside.mean())


def test_the_first_cut_is_that_of_the_piece() -> None:
    title = cuts.show_first_cut(np.array([*HOUSES, USUAL])).axes[0].get_xlabel()
    cut = record_search(HOUSES, USUAL)["as printed"]["steps"][1]
    assert title == f"pivot; the lines meet at {cut[1]:.4g}"


def test_an_outlier_makes_bisection_long_and_not_the_cutting_plane() -> None:
    keys = np.random.default_rng(2).normal(size=1001)
    outliers = [1e3, 1e9, 1e20]
    few, some, many = cuts.iterations(keys, outliers, "bisection")
    assert few < some < many
    assert many > 60
    assert max(cuts.iterations(keys, outliers, "cutting-plane")) < 20


# lesson 11: rounds of buckets, throws, and keys that are staged


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


# lesson 12: the keys of an adversary


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
def test_hostile_orders_drop_two_keys_a_round(n: int, seed: int | None) -> None:
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
    rows = selecting.show_both(["radix"], data).rows
    ((_, *reads),) = [row for row in rows if "printed" in row[0]]
    assert len(set(reads)) == 1
    near_zero = {"near zero": datasets.make("near-zero", 5000, dtype="float64")}
    assert "no end" in repr(selecting.show_both(["bucket"], near_zero))


# lesson 13: its buckets divide keys, its pictures use measured shares, and it times a GPU


@pytest.mark.parametrize("intervals", [1, 2, 16])
def test_buckets_of_a_sample_cover_it_and_grow(intervals: int) -> None:
    sample = np.random.default_rng(0).standard_normal(1024)
    pivots = pivots_of(sample, intervals)
    edges = edges_of(pivots, 64)
    assert edges.size == 65
    assert (edges[0], edges[-1]) == (sample.min(), sample.max())
    assert (np.diff(edges) > 0).all()
    inside = np.histogram(sample, pivots)[0]
    assert np.ptp(inside) <= 2


def test_both_ways_are_timed_where_a_gpu_would_be() -> None:
    found = times(np, lambda: None, modern.multiselect, 5000, [5, 11], turns=1)
    assert set(found) == {"sort-choose", "bucket-multi"}
    assert all(set(some) == {5, 11} and min(some.values()) > 0 for some in found.values())


def test_times_are_those_of_one_problem_size() -> None:
    recorded = record("reproduce-nvidia-h200")
    shown = table_of_times(recorded)
    rows = recorded.where(table="blanchard-2015-5")
    assert {name.split(", ")[-1] for name, *_ in shown.rows} == {
        "in the paper",
        *map(variant_of, rows),
    }
    (one,) = [
        row
        for row in rows
        if row["of"].items()
        >= {"n": 1 << 28, "ranks": 101, "method": "bucket-multi", "distribution": "uniform"}.items()
        and row["of"]["dtype"] == "float32"
        and variant_of(row) == "improved"
    ]
    column = shown.head.index("101 ranks")
    told = {name: cells[column - 1] for name, *cells in shown.rows}
    assert told["bucketMultiSelect, in the paper"] == short(one["paper"])
    assert told["bucketMultiSelect, improved"] == short(one["measured"])
