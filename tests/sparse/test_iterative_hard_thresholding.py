"""Normalised iterative hard thresholding recovers what is sparse; residuals never grow."""

from typing import Any

import numpy as np
import pytest
from shadersort.pictures.recoveries import draw_phase_transition

from shadersort import errors
from shadersort.keys.types import Keys
from shadersort.sparse import iterative_hard_thresholding, phase_transition


def problem(n: int, m: int, k: int, seed: int, dtype: str = "float64") -> tuple[Keys, Keys, Keys]:
    rng = np.random.default_rng(seed)
    matrix, x = rng.standard_normal((m, n)), np.zeros(n)
    x[rng.choice(n, k, replace=False)] = rng.choice([-1, 1], k) * (1 + rng.random(k))
    return matrix.astype(dtype), x.astype(dtype), (matrix @ x).astype(dtype)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("seed", range(5))
def test_sparse_arrays_are_recovered(seed: int, scale: float) -> None:
    """However the matrix is scaled: plain iterative hard thresholding needs a norm below 1."""
    matrix, x, y = problem(200, 100, 10, seed)
    found = iterative_hard_thresholding(scale * y, scale * matrix, 10)
    assert found.converged
    assert found.residuals[-1] <= 1e-6
    np.testing.assert_allclose(found.x, x, atol=1e-4)
    np.testing.assert_array_equal(found.x != 0, x != 0)
    assert found.steps == len(found.residuals)


@pytest.mark.parametrize("seed", range(10))
def test_residuals_never_grow(seed: int) -> None:
    """Even where nothing is recovered: there are too few measurements."""
    matrix, _, y = problem(100, 25, 12, seed)
    found = iterative_hard_thresholding(y, matrix, 12, steps=60)
    assert (np.diff([1.0, *found.residuals]) <= 1e-12).all()
    assert np.count_nonzero(found.x) <= 12
    rest = np.linalg.norm(y - matrix @ found.x) / np.linalg.norm(y)
    assert found.residuals[-1] == pytest.approx(rest)


def test_float32_stays() -> None:
    matrix, x, y = problem(200, 100, 8, 3, "float32")
    found = iterative_hard_thresholding(y, matrix, 8, tolerance=1e-5)
    assert found.x.dtype == np.float32
    assert found.converged
    np.testing.assert_allclose(found.x, x, atol=1e-3)


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

    seen: list[tuple[int, float]] = []
    found = iterative_hard_thresholding(
        forward(x), (forward, transposed), 9, observe=lambda *each: seen.append(each)
    )
    assert found.x.shape == (16, 16)
    np.testing.assert_allclose(found.x, x, atol=1e-4)
    assert seen == list(enumerate(found.residuals, start=1))


def test_ends() -> None:
    matrix, _, y = problem(30, 20, 3, 1)
    nothing = iterative_hard_thresholding(0 * y, matrix, 3)
    assert nothing.converged
    assert nothing.steps == 0
    assert not nothing.x.any()
    none_kept = iterative_hard_thresholding(y, matrix, 0)
    assert not none_kept.converged
    assert not none_kept.x.any()
    assert iterative_hard_thresholding(y, matrix, 3, steps=0).steps == 0
    square = np.eye(4)
    assert iterative_hard_thresholding([1, 2, 3, 4], square, 4).x.tolist() == [1, 2, 3, 4]
    best = iterative_hard_thresholding([1, 2, 3, 4], square, 2)
    np.testing.assert_allclose(best.x, [0, 0, 3, 4])
    assert not best.converged


MATRIX = np.eye(3)
BAD: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
    ([1, np.nan, 2], MATRIX, {}, errors.NotFinite, "NaN"),
    ([1j, 2, 3], MATRIX, {}, errors.UnsupportedKeys, "real"),
    ([1, 2], MATRIX, {}, errors.ValuesMismatch, "2 measurements need as many rows"),
    ([1, 2, 3], MATRIX[0], {}, errors.ValuesMismatch, r"shape \(3,\)"),
    ([1, 2, 3], MATRIX, {"k": 4}, errors.BadCount, "of 3 keys"),
    ([1, 2, 3], MATRIX, {"k": 1.5}, errors.BadRank, "integer"),
    ([1, 2, 3], MATRIX, {"tolerance": -1}, errors.BadOption, "tolerance is .* not -1"),
    ([1, 2, 3], MATRIX, {"steps": -1}, errors.BadOption, "steps is .* not -1"),
    ([1, 2, 3], MATRIX, {"tolerance": "a"}, errors.BadOption, "tolerance is .* not 'a'"),
    ([1, 2, 3], MATRIX, {"steps": 1.5}, errors.BadOption, "steps is .* not 1.5"),
    ([1, 2, 3], (np.cumsum,), {}, errors.BadOption, "1 functions"),
    ([1, 2, 3], (np.cumsum, np.cumsum), {}, errors.BadOption, "not the transpose"),
    (
        [1, 2, 3],
        (lambda x: x[:2], np.array),
        {},
        errors.ValuesMismatch,
        r"A x has the shape \(2,\)",
    ),
]


@pytest.mark.parametrize(("measured", "operator", "options", "error", "words"), BAD)
def test_bad_input(
    measured: Any, operator: Any, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        iterative_hard_thresholding(measured, operator, **{"k": 1, **options})


def test_phase_transition() -> None:
    """More measurements recover more, and the same seed gives the same trials."""
    options: dict[str, Any] = {"shares": (0.2, 0.9), "loads": (0.05, 0.8), "trials": 3}
    found = phase_transition(60, **options)
    assert found.rates[0, 1] == 1
    assert found.rates[1, 0] == 0
    assert (np.diff(found.rates, axis=1) >= 0).all()
    np.testing.assert_array_equal(phase_transition(60, **options).rates, found.rates)
    ax: Any = draw_phase_transition(found)
    assert [each.get_text() for each in ax.texts][1] == "100%"
    assert draw_phase_transition(found, ax) is ax


@pytest.mark.parametrize(
    "options",
    [
        *({"shares": (0.0,)}, {"loads": (1.5,)}, {"trials": 0}, {"n": 0}, {"steps": -1}),
        *({"n": "a"}, {"trials": 1.5}, {"shares": "a"}, {"loads": 0.5}, {"shares": (np.nan,)}),
    ],
)
def test_impossible_trials(options: dict[str, Any]) -> None:
    with pytest.raises(errors.BadCount):
        phase_transition(**options)
    with pytest.raises(errors.BadOption, match="seed is None, an integer from 0"):
        phase_transition(seed="a")  # type: ignore[arg-type]
