"""Lesson 12: the keys of an adversary do what the lesson says of them."""

from typing import Any

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.lessons import picture, record
from shadersort.lessons.adversary import exercises, guesses, pictures, rounds
from shadersort.lessons.buckets.bins import bucket_rounds
from shadersort.lessons.shared import selecting
from shadersort.selection import select
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.sampling import places


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


@pytest.mark.parametrize("factor", [1.1, 2, 1000])
def test_any_far_enough_keys_are_accepted_below_a_crowd_too(factor: float) -> None:
    """The crowd is not at zero, the keys come in another order, and the far ones are below it."""

    def killer(n: int, count: int, far: int) -> Keys:
        distances = (1 + count * factor) ** np.arange(1.0, far + 1)
        return 1 - np.append(np.zeros(n - far), distances)[::-1]

    verdict = exercises.killer.check(killer)
    assert verdict.passed, verdict


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


def test_joined_sorted_lists_are_what_the_adversary_chooses() -> None:
    keys = rounds.hostile(400, rounds.three_places)
    assert (np.diff(keys) > 0).sum() == 398


def test_digits_as_printed_read_all_keys_of_one_type_equally_often() -> None:
    names = ("uniform", "bucket-killer", "ones-and-twos")
    data = {name: datasets.make(name, 5000) for name in names}
    ((_, *reads),) = [
        row for row in selecting.show_both(["radix"], data).rows if "printed" in row[0]
    ]
    assert len(set(reads)) == 1
    near_zero = {"near zero": datasets.make("near-zero", 5000, dtype="float64")}
    assert "no end" in repr(selecting.show_both(["bucket"], near_zero))


def test_hashed_places_resist_a_period() -> None:
    keys = (np.arange(24_000) % 24).astype(float)
    assert np.ptp(keys[::24]) == 0
    medians = [np.median(keys[places(len(keys), 1000, seed)]) for seed in range(50)]
    assert all(9 <= each <= 14 for each in medians)


def test_pictures_show_what_they_are_given() -> None:
    orders = {"sorted": np.arange(40), "chosen": rounds.hostile(40, rounds.three_places)}
    assert "rounds: 12" in pictures.show_orders(orders).axes[3].get_title()
    keys = rounds.hostile(500, rounds.drawn_places(0))
    every = [
        pictures.show_orders(orders),
        pictures.show_seeds(keys, 0, range(1, 20)),
        pictures.show_samples(np.sin(np.arange(960.0) / 4), 24, 0),
        pictures.show_left_beside(np.array([8, 6, 0]), np.array([8, 7, 6])),
        pictures.show_left({"bucket": [[9, 1]], "radix": [[9, 3, 1]]}, ["nine"]),
    ]
    assert len({picture(figure, "of an adversary").png for figure in every}) == len(every)


def test_adversaries_are_drawn_of_a_record_with_its_label() -> None:
    modern = record("modern-nvidia-h200")
    figure = pictures.show_adversaries(modern, {"uniform": "u", "ones": "1"}, ["radix", "bucket"])
    (ax,) = figure.axes
    assert modern.label in ax.get_title()
    assert [text.get_text() for text in ax.get_xticklabels()] == ["u", "1"]


def test_the_recorded_harm_is_named_by_what_ran() -> None:
    harm = record("adversaries-nvidia-h200")
    table = pictures.show_harm(harm, ["bucket"], {"uniform": "uniform", "ones": "all\nones"})
    assert harm.label in table.caption
    assert table.head == ("", "uniform", "all ones")
    assert [row[0] for row in table.rows] == ["bucket, as printed", "bucket, improved"]


def test_the_guess_about_dice_is_counted() -> None:
    below = str(guesses.dice(1000).below)
    assert "seed 0: 251 rounds" in below
    assert "About 20" in below
