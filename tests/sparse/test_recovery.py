"""Thresholding and pursuits recover what is sparse; residuals never grow, except by CoSaMP."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.sparse import (
    compressive_sampling_matching_pursuit,
    hard_thresholding_pursuit,
    iterative_hard_thresholding,
    normalised_iterative_hard_thresholding,
    subspace_pursuit,
)

PURSUITS = [
    compressive_sampling_matching_pursuit,
    hard_thresholding_pursuit,
    subspace_pursuit,
]
METHODS = [iterative_hard_thresholding, normalised_iterative_hard_thresholding, *PURSUITS]


def problem(n: int, m: int, k: int, seed: int, dtype: str = "float64") -> tuple[Keys, Keys, Keys]:
    """A matrix with a norm below 1, an x, and its measurements."""
    rng = np.random.default_rng(seed)
    matrix, x = rng.standard_normal((m, n)), np.zeros(n)
    matrix /= 1.01 * np.linalg.norm(matrix, 2)
    x[rng.choice(n, k, replace=False)] = rng.choice([-1, 1], k) * (1 + rng.random(k))
    return matrix.astype(dtype), x.astype(dtype), (matrix @ x).astype(dtype)


@pytest.mark.parametrize("method", METHODS)
def test_sparse_arrays_are_recovered(method: Any) -> None:
    for seed in range(3):
        matrix, x, y = problem(200, 100, 5, seed)
        found = method(y, matrix, 5)
        assert found.converged
        assert found.residuals[-1] <= 1e-6
        np.testing.assert_allclose(found.x, x, atol=1e-4)
        np.testing.assert_array_equal(found.x != 0, x != 0)
        assert found.steps == len(found.residuals)


def test_only_the_plain_method_needs_a_norm_below_one_and_float32_stays() -> None:
    matrix, x, y = problem(200, 100, 10, 1)
    for scale, method in product((1e-3, 1e3), METHODS[1:]):
        found = method(scale * y, scale * matrix, 10)
        np.testing.assert_allclose(found.x, x, atol=1e-4)
    assert not iterative_hard_thresholding(1e3 * y, 1e3 * matrix, 10).converged
    matrix, x, y = problem(200, 100, 8, 3, "float32")
    for method in METHODS[1:]:
        found = method(y, matrix, 8, tolerance=1e-5)
        assert found.x.dtype == np.float32
        assert found.converged
        np.testing.assert_allclose(found.x, x, atol=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_residuals_never_grow(method: Any) -> None:
    """Even where nothing is recovered: there are too few measurements."""
    for seed in range(5):
        matrix, _, y = problem(100, 25, 12, seed)
        found = method(y, matrix, 12, steps=60)
        if method is not compressive_sampling_matching_pursuit:
            assert (np.diff([1.0, *found.residuals]) <= 1e-12).all()
        assert np.count_nonzero(found.x) <= 12
        rest = np.linalg.norm(y - matrix @ found.x) / np.linalg.norm(y)
        assert found.residuals[-1] == pytest.approx(rest)


def test_a_picture_and_functions() -> None:
    """The operator is a pair of functions, x a picture, y some of its Fourier transform."""
    rng = np.random.default_rng(5)
    x = np.zeros((16, 16))
    x.reshape(-1)[rng.choice(256, 9, replace=False)] = 3
    rows = rng.permutation(256)[:120]

    def forward(image: Keys) -> Keys:
        found = np.fft.fft2(image, norm="ortho").reshape(-1)[rows]
        return np.stack([found.real, found.imag])

    def transposed(rest: Keys) -> Keys:
        found = np.zeros(256, complex)
        found[rows] = rest[0] + 1j * rest[1]
        return np.fft.ifft2(found.reshape(16, 16), norm="ortho").real

    for method in METHODS[1:]:
        found = method(forward(x), (forward, transposed), 9)
        assert found.x.shape == (16, 16)
        np.testing.assert_allclose(found.x, x, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_ends(method: Any) -> None:
    matrix, _, y = problem(30, 20, 3, 1)
    nothing = method(0 * y, matrix, 3)
    assert (nothing.converged, nothing.steps, nothing.x.any()) == (True, 0, False)
    none_kept = method(y, matrix, 0)
    assert (none_kept.converged, none_kept.x.any()) == (False, False)
    assert method(y, matrix, 3, steps=0).steps == 0
    best = method([1, 2, 3, 4], np.eye(4), 2)
    np.testing.assert_allclose(best.x, [0, 0, 3, 4])
    assert not best.converged


MATRIX = np.eye(3)
BAD: list[tuple[Any, Any, dict[str, Any], type[Exception]]] = [
    ([1, np.nan, 2], MATRIX, {}, errors.NotFinite),
    ([1j, 2, 3], MATRIX, {}, errors.UnsupportedKeys),
    ([1, 2], MATRIX, {}, errors.ValuesMismatch),
    ([1, 2, 3], MATRIX[0], {}, errors.ValuesMismatch),
    ([1, 2, 3], MATRIX, {"k": 4}, errors.BadOption),
    ([1, 2, 3], MATRIX, {"k": 1.5}, errors.BadRank),
    ([1, 2, 3], MATRIX, {"tolerance": -1}, errors.BadOption),
    ([1, 2, 3], MATRIX, {"steps": -1}, errors.BadOption),
    ([1, 2, 3], (np.cumsum,), {}, errors.BadOption),
    ([1, 2, 3], (lambda x: x[:2], np.array), {}, errors.ValuesMismatch),
]


@pytest.mark.parametrize(("measured", "operator", "options", "error"), BAD)
def test_bad_input(measured: Any, operator: Any, options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        normalised_iterative_hard_thresholding(measured, operator, **{"k": 1, **options})
