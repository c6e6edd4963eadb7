"""Lessons 14, 16, 17: columns of source, lines, a camera and data do what the lessons say."""

from itertools import combinations, islice

import numpy as np
import pytest

from shadersort import Device
from shadersort.keys.types import Keys
from shadersort.lessons.line import data, lines
from shadersort.lessons.side_by_side.columns import columns, spellings
from shadersort.lessons.side_by_side.running import compute, draw
from shadersort.lessons.side_by_side.steps import QUESTIONS, measured
from shadersort.lessons.sparse import camera, exercises
from shadersort.lessons.sparse.wavelets import house, to_coefficients, to_pictures
from shadersort.robust import LeastTrimmedSquares
from shadersort.selection.primitives import Buckets, NumPyPrimitives
from shadersort.selection.primitives.textures import TexturePrimitives
from shadersort.sparse import normalised_iterative_hard_thresholding, threshold
from tests.right_kernels import SIDE_BY_SIDE


def test_letters_move_into_the_margin_of_columns() -> None:
    found = columns(SIDE_BY_SIDE["below_drawn"], SIDE_BY_SIDE["below"], "pivot")
    assert "atomicAdd(&result[0], total);" in repr(found)
    html = found._repr_html_()
    assert html.count("<pre") == 2
    assert html.count(">B</b> ") == html.count(">A</b> ") == 2
    assert "//" not in html
    assert "gl_WorkGroupID" in repr(spellings(SIDE_BY_SIDE["below"], "pivot"))


@pytest.fixture(params=[0, 1, 2])
def numbers(request: pytest.FixtureRequest) -> Keys:
    """A square of whole numbers from 0 to 999, with ties."""
    rng = np.random.default_rng(request.param)
    return rng.integers(0, 1000, size=(1 << (3 * request.param), 1 << (3 * request.param)))


def test_short_shaders_and_kernels_find_ranks(numbers: Keys) -> None:
    in_order, asked = np.sort(numbers, axis=None), numbers[:8, :8]
    expected = np.searchsorted(in_order, asked)
    textures = {"keys": in_order[np.newaxis], "numbers": asked}
    drawn, _ = draw(SIDE_BY_SIDE["ranks_drawn"], asked.shape, {"n": in_order.size}, **textures)
    assert np.array_equal(drawn, expected)
    computed = compute(SIDE_BY_SIDE["ranks"], in_order, asked.ravel(), count=asked.size)
    assert np.array_equal(computed, expected.ravel())


@pytest.mark.parametrize("pivot", [-1, 0, 1, 500, 999, 1000])
def test_short_shaders_and_kernels_count_as_the_package_does(numbers: Keys, pivot: int) -> None:
    expected = NumPyPrimitives(numbers.ravel()).counts(pivot).below
    drawn = draw(SIDE_BY_SIDE["below_drawn"], numbers.shape, {"pivot": pivot}, keys=numbers)[1]
    computed = compute(SIDE_BY_SIDE["below"], numbers.ravel(), np.zeros(1, int), pivot=pivot)
    assert drawn == computed == expected


def test_short_shaders_and_kernels_find_the_least_as_the_package_does(numbers: Keys) -> None:
    expected = NumPyPrimitives(numbers.ravel()).extent().low
    assert compute(SIDE_BY_SIDE["least"], numbers.ravel(), numbers[0, :1]) == expected
    while half := len(numbers) // 2:
        given = {"half_size": half}
        numbers, _ = draw(SIDE_BY_SIDE["least_drawn"], (half, half), given, keys=numbers)
    assert numbers == expected


def test_short_shaders_and_kernels_fill_buckets_as_the_package_does(numbers: Keys) -> None:
    keys = np.append(numbers, [0, 999]).reshape(1, -1).astype(np.float64)
    edges = Buckets(np.array([0.0, 1000.0]), 100)
    expected = NumPyPrimitives(keys.ravel()).bucket_histogram(edges)
    flat, counts = keys.astype(int).ravel(), np.zeros(100, int)
    computed = compute(SIDE_BY_SIDE["histogram"], flat, counts, least=0, width=10)
    assert np.array_equal(computed, expected)


def test_steps_are_measured_here(software: Device) -> None:
    keys = np.random.default_rng(0).random(256, np.float32)
    rows = list(measured(keys, software, NumPyPrimitives(keys)))
    assert [(row["step"], row["by"]) for row in rows] == [
        (step, by) for by in ("GLSL", "CUDA") for step in QUESTIONS
    ]
    assert all(row["ms"] > 0 and row["keys"] == 256 for row in rows)


def test_both_answer_alike(software: Device) -> None:
    keys = np.random.default_rng(1).random(1000, np.float32)
    with TexturePrimitives(keys, software) as texture:
        for step, ask in QUESTIONS.items():
            assert np.array_equal(ask(texture), ask(NumPyPrimitives(keys))), step


# lesson 16: lines, steps and data

HALF = 21  # the h of forty points


def some_points(seed: int, n: int = 12) -> data.Points:
    rng = np.random.default_rng(seed)
    return rng.permutation(n).astype(float), rng.integers(-5, 6, n).astype(float)


@pytest.mark.parametrize("seed", range(20))
def test_lines_are_those_of_numpy(seed: int) -> None:
    x, y = some_points(seed)
    np.testing.assert_allclose(lines.least_squares(x, y), np.polyfit(x, y, 1), atol=1e-12)
    two = np.polyfit(x[[2, 7]], y[[2, 7]], 1)
    np.testing.assert_allclose(lines.through(x, y, 2, 7), two, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_points_are_the_first_ones_in_order(seed: int) -> None:
    """With ties: heights are small whole numbers, and the line is level."""
    x, y = some_points(seed)
    for h in range(1, len(x) + 1):
        kept = lines.nearest(x, y, (0.0, 0.0), h)
        assert set(np.flatnonzero(kept)) == set(np.argsort(np.abs(y), kind="stable")[:h])
        assert lines.objective(x, y, (0.0, 0.0), h) == np.sort(y**2)[:h].sum()


@pytest.mark.parametrize("seed", range(10))
def test_no_step_makes_the_sum_larger(seed: int) -> None:
    x, y = data.with_wrong_ones(seed=seed)
    for i, j in ((0, 1), (5, 30), (25, 39)):
        chain = lines.concentrations(x, y, lines.through(x, y, i, j), HALF)
        sums = [lines.objective(x, y, line, HALF) for line in chain]
        assert (np.diff(sums) <= 1e-12).all()
        assert lines.concentrated(x, y, chain[-1], HALF) == chain[-1]


def test_the_package_finds_what_all_pairs_find() -> None:
    x, y = data.with_wrong_ones()
    found = LeastTrimmedSquares().fit(x[:, None], y)
    ends = [
        lines.objective(x, y, lines.concentrations(x, y, lines.through(x, y, i, j), HALF)[-1], HALF)
        for i, j in combinations(range(40), 2)
    ]
    assert found.h_ == HALF == (40 + 3) // 2
    assert found.objective_ == pytest.approx(min(ends))
    assert len(set(np.round(ends, 6))) > 5  # valleys
    assert found.coef_[0] == pytest.approx(0.5, abs=0.05)


def test_two_good_points_are_nearly_always_a_good_start() -> None:
    x, y = data.with_wrong_ones()
    ends = [
        lines.concentrations(x, y, lines.through(x, y, i, j), HALF)[-1]
        for i, j in combinations(range(22), 2)
    ]
    assert np.mean([0.4 < slope < 0.6 for slope, _ in ends]) > 0.95
    sums = np.array([lines.objective(x, y, line, HALF) for line in ends])
    assert np.mean(sums < 1.0001 * sums.min()) > 0.5


def test_the_line_of_least_squares_is_a_bad_start() -> None:
    """As the caption of its film says; a pair of good points is a good one."""
    x, y = data.with_wrong_ones()
    bad = lines.concentrations(x, y, lines.least_squares(x, y), HALF)[-1]
    good = lines.concentrations(x, y, lines.through(x, y, 0, 1), HALF)[-1]
    assert bad[0] < 0 < 0.4 < good[0]
    crowd = slice(22, 34)
    assert lines.nearest(x, y, bad, HALF)[crowd].all()
    assert not lines.nearest(x, y, good, HALF)[crowd].any()


def test_a_fit_of_half_the_points_stands_nearly_half_of_wrong_ones() -> None:
    slopes = {
        wrong: LeastTrimmedSquares().fit(x[:, None], y).coef_[0]
        for wrong in (0, 10, 18, 22)
        for x, y in [data.with_wrong_ones(40 - wrong, wrong, 0)]
    }
    assert all(slopes[wrong] == pytest.approx(0.5, abs=0.05) for wrong in (0, 10, 18))
    assert slopes[22] < 0
    assert lines.least_squares(*data.with_wrong_ones(30, 10, 0))[0] < 0.1


def test_stars_give_the_published_fits() -> None:
    """Of least squares by Rousseeuw and Leroy, and of LTS by R's robustbase."""
    x, y = data.stars()
    assert len(x) == 47
    np.testing.assert_allclose(lines.least_squares(x, y), (-0.4133, 6.7935), atol=1e-4)
    found = LeastTrimmedSquares().fit(x[:, None], y)
    np.testing.assert_allclose((found.coef_[0], found.intercept_), (3.046, -8.500), atol=1e-3)
    giants = x < 3.5
    assert giants.sum() == 4
    assert found.outliers_[giants].all()
    assert (np.flatnonzero(found.outliers_) + 1).tolist() == [7, 9, 11, 18, 20, 30, 34]


# lesson 17: its camera, its steps and its pictures

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
