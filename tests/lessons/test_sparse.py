"""Lesson 16: its camera, its steps and its pictures do what the lesson says of them."""

from itertools import islice

import numpy as np
import pytest

from shadersort.lessons.sparse import camera, exercises
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
