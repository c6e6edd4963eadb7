"""Lesson 16: its camera, its steps and its pictures do what the lesson says of them."""

from itertools import islice
from typing import Any

import numpy as np
import pytest

from shadersort.lessons import picture
from shadersort.lessons.shared.exercise import Answer, Exercise
from shadersort.lessons.sparse import camera, exercises, guesses, pictures, transition
from shadersort.lessons.sparse.wavelets import house, to_coefficients, to_pictures
from shadersort.sparse import normalised_iterative_hard_thresholding, threshold

STARS, PIXELS = 30, 1024
NIGHT = camera.sky(PIXELS, STARS, seed=5)
MIRRORS = camera.mirrors(200, PIXELS, seed=0)


def test_one_star_is_found_by_its_binary_digits() -> None:
    """As the first guess of the lesson says: eleven measurements for 1,024 pixels."""
    digits = np.arange(PIXELS) >> np.arange(10)[:, None] & 1
    directions = np.vstack([np.ones(PIXELS), digits])
    assert len(directions) == 11
    for place in (0, 1, 511, 640, 1023):
        one = np.zeros(PIXELS)
        one[place] = 0.5
        light, *seen = directions @ one
        assert light == 0.5
        assert sum(1 << digit for digit, each in enumerate(seen) if each) == place


def test_the_smallest_picture_fits_and_is_fog() -> None:
    smallest = np.linalg.pinv(MIRRORS) @ (MIRRORS @ NIGHT)
    assert np.allclose(MIRRORS @ smallest, MIRRORS @ NIGHT)
    assert camera.error(smallest, NIGHT) > 0.5
    assert np.count_nonzero(np.abs(smallest) > 1e-9) == PIXELS


def test_twenty_steps_find_the_sky() -> None:
    steps = camera.first_steps(MIRRORS @ NIGHT, MIRRORS, STARS, 20)
    assert len(steps) == 21
    assert not steps[0].any()
    assert max(map(np.count_nonzero, steps)) <= STARS
    assert np.array_equal(steps[-1] != 0, NIGHT != 0)
    assert camera.error(steps[-1], NIGHT) < 0.01
    assert camera.error(steps[3], NIGHT) > 0.1


def test_the_steps_are_those_that_students_write() -> None:
    """`one_step` with the length of `best_length`, both by their specifications."""
    y = MIRRORS @ NIGHT
    kept, x = threshold(MIRRORS.T @ y, STARS) != 0, np.zeros(PIXELS)
    for found in islice(camera.steps_towards(y, MIRRORS, STARS), 5):
        gradient = MIRRORS.T @ (y - MIRRORS @ x)
        length = exercises.best_length.specification(MIRRORS, gradient, kept)
        mine = exercises.one_step.specification(x, MIRRORS, y, STARS, length)
        assert np.allclose(mine, found, atol=1e-6)
        x, kept = found, found != 0


def keep_one_by_one(x: Any, k: int) -> Any:
    found, sizes = np.zeros_like(x), np.abs(x)
    for _ in range(k):
        place = int(np.argmax(sizes))  # the first of ties
        found[place], sizes[place] = x[place], -1
    return found


def step_pixel_by_pixel(x: Any, signs: Any, measured: Any, k: int, length: float) -> Any:
    errors = [m - sum(row * x) for row, m in zip(signs, measured, strict=True)]
    return threshold([x[i] + length * sum(signs[:, i] * errors) for i in range(len(x))], k)


def length_by_norms(signs: Any, gradient: Any, kept: Any) -> Any:
    return (
        np.linalg.norm(gradient[kept]) ** 2 / np.linalg.norm(signs[:, kept] @ gradient[kept]) ** 2
    )


def enough_from_the_end(numbers: Any, recovered: Any, share: float) -> Any:
    last = len(numbers)
    while last and sum(recovered[:, last - 1]) >= share * len(recovered):
        last -= 1
    return numbers[last]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (exercises.keep, keep_one_by_one),
        (exercises.one_step, step_pixel_by_pixel),
        (exercises.best_length, length_by_norms),
        (exercises.enough, enough_from_the_end),
    ],
)
def test_other_right_answers_are_accepted(exercise: Exercise, answer: Answer) -> None:
    """Sums may be added up in any order."""
    verdict = exercise.check(answer)
    assert verdict.passed, verdict


def test_a_finished_picture_stays() -> None:
    still = list(islice(camera.steps_towards(MIRRORS @ (0 * NIGHT), MIRRORS, STARS), 3))
    assert not np.any(still)


def test_errors_never_grow_in_the_package() -> None:
    for used in (60, 100, 200):
        signs = MIRRORS[:used]
        found = normalised_iterative_hard_thresholding(signs @ NIGHT, signs, STARS)
        assert max(np.diff(found.residuals)) < 1e-9
        assert found.residuals[0] < 1


def test_the_map_is_full_at_the_bottom_and_empty_at_the_top() -> None:
    """As its caption says."""
    rates = transition.success_rates()
    assert (rates[:2] == 1).all()
    assert (rates[-1] == 0).all()


def test_measurements_that_were_kept_secret_tell_whether_a_picture_is_right() -> None:
    y, secret = MIRRORS @ NIGHT, camera.mirrors(20, PIXELS, seed=9)
    errors = {}
    for used, k in ((200, 30), (200, 60), (200, 20), (100, 30)):
        x = normalised_iterative_hard_thresholding(y[:used], MIRRORS[:used], k).x
        errors[used, k] = camera.error(secret @ x, secret @ NIGHT)
    assert max(errors[200, 30], errors[200, 60]) < 1e-4
    assert 0.1 < errors[200, 20] < errors[100, 30]


def test_single_pixels_find_the_stars_that_they_see() -> None:
    chosen = np.random.default_rng(5).choice(PIXELS, 200, replace=False)
    single = np.eye(PIXELS)[chosen]
    x = normalised_iterative_hard_thresholding(single @ NIGHT, single, STARS).x
    assert np.array_equal(np.flatnonzero(x), np.sort(chosen[NIGHT[chosen] != 0]))


def test_the_fewest_measurements_are_enough_from_there_on() -> None:
    numbers = np.array([10, 20, 30, 40])
    lucky = np.array([[1, 0, 1, 1], [1, 1, 1, 1]], bool)
    assert camera.fewest((numbers, lucky)) == 30
    assert camera.fewest((numbers, lucky), share=0.5) == 10
    assert exercises.enough.specification(numbers, lucky, 0.9) == 30


def test_trials_are_the_same_each_time_and_more_measurements_help() -> None:
    numbers, recovered = camera.trials(256, 5, range(10, 101, 30), count=4)
    camera.trials.cache_clear()
    assert np.array_equal(camera.trials(256, 5, range(10, 101, 30), count=4)[1], recovered)
    assert not recovered[:, 0].any()
    assert recovered[:, -1].all()
    assert len(numbers) == recovered.shape[1]


def test_guesses_are_computed_and_fit_what_the_lesson_says() -> None:
    numbers = range(5, 50, 5)
    enough = camera.fewest(camera.trials(64, 2, numbers))
    below = str(guesses.measurements(64, 2, numbers).below)
    assert f"measurements: {enough} numbers" in below
    more = str(guesses.more_pixels(2, 64, 256, range(10, 70, 10)).below)
    assert "2 more binary digits" in more
    assert "256 pixels:" in more


@pytest.mark.parametrize("side", [1, 2, 4, 8, 32])
def test_coefficients_are_another_way_to_write_a_picture(side: int) -> None:
    some = np.random.default_rng(side).normal(size=(3, side, side))
    coefficients = to_coefficients(some)
    assert np.allclose(to_pictures(coefficients), some)
    assert np.allclose(coefficients[1], to_coefficients(some[1]))
    products = np.sum(coefficients[0] * coefficients[1]), np.sum(some[0] * some[1])
    assert products[0] == pytest.approx(products[1])


def test_a_constant_picture_has_one_coefficient_and_the_house_has_few() -> None:
    assert np.count_nonzero(to_coefficients(np.full((16, 16), 0.3)).round(12)) == 1
    coefficients = to_coefficients(house(64))
    assert np.count_nonzero(np.abs(coefficients) > 1e-9) < 64 * 64 / 16
    assert house(64).min() > 0


def test_random_signs_see_a_house_by_its_coefficients() -> None:
    home = house(32)
    k = int(np.count_nonzero(np.abs(to_coefficients(home)) > 1e-9))
    directions = camera.mirrors(560, home.size, seed=1)
    rows = to_coefficients(directions.reshape(-1, 32, 32)).reshape(directions.shape)
    assert np.allclose(rows @ to_coefficients(home).ravel(), directions @ home.ravel())
    x = camera.recovered(directions @ home.ravel(), rows, k, steps=100)
    assert camera.error(to_pictures(x.reshape(32, 32)), home) < 0.02


def test_pictures_show_what_they_are_given() -> None:
    steps = camera.first_steps(MIRRORS @ NIGHT, MIRRORS, STARS, 2)
    tried = camera.trials(64, 2, range(5, 50, 20), count=2)
    every = [
        pictures.show_skies({"one": NIGHT, "other": steps[1]}),
        pictures.show_camera(NIGHT, MIRRORS[:2]),
        pictures.show_level(np.array([3.0, -1.0, 2.0]), 2.0),
        pictures.show_sent_back(MIRRORS.T @ (MIRRORS @ NIGHT), NIGHT, STARS),
        pictures.show_step(steps, [100.0, 50.0, 40.0], 1),
        pictures.show_trials(tried, 25),
        transition.show_transition(np.eye(6)),
        pictures.show_coefficients(house(8), to_coefficients(house(8))),
        pictures.show_beside(np.array([1.0, 0.0]), np.array([0.0, 1.0])),
    ]
    assert len({picture(figure, "of a sky").png for figure in every}) == len(every)
    assert every[1].axes[1].get_title() == f"mirrors 1: −{-MIRRORS[0] @ NIGHT:.2f}"
    assert every[3].axes[1].get_title() == "kept: 16 stars, 14 others"
    assert every[4].axes[0].get_title() == "after 1 step"
