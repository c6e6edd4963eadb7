"""What the estimators refuse, and the memory that they take."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

from shadersort import errors
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor

X, Y = np.arange(6.0).reshape(3, 2), np.arange(3.0)
BAD: list[tuple[Any, Any, type[Exception]]] = [
    ([[np.nan, 1], [1, 2], [2, 3]], Y, errors.NotFinite),
    ([[np.inf, 1], [1, 2], [2, 3]], Y, errors.NotFinite),
    (Y, Y, errors.KeysNotFlat),
    (X[None], Y, errors.KeysNotFlat),
    (X[:0], Y[:0], errors.EmptyInput),
    (X[:, :0], Y, errors.EmptyInput),
    (X + 1j, Y, errors.BadSamples),
    ([["a", "b"]] * 3, Y, errors.BadSamples),
    ([[{}, 1]] * 3, Y, errors.UnsupportedKeys),
    (scipy.sparse.csr_array(X), Y, errors.UnsupportedKeys),
    (X, None, errors.BadSamples),
    (X, Y[:2], errors.ValuesMismatch),
    (X, [0.0, np.nan, 1.0], errors.NotFinite),
    (X, X[:, :, None], errors.KeysNotFlat),
]


@pytest.mark.parametrize(("samples", "targets", "error"), BAD)
@pytest.mark.parametrize("make", [KNeighborsRegressor, KNeighborsClassifier])
def test_bad_samples(make: Any, samples: Any, targets: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make(1).fit(samples, targets)


BAD_OPTIONS: list[tuple[dict[str, Any], type[Exception]]] = [
    ({"n_neighbors": 4}, errors.BadOption),
    ({"n_neighbors": 0}, errors.BadOption),
    ({"n_neighbors": 1.5}, errors.BadRank),
    ({"weights": "far"}, errors.BadOption),
]


@pytest.mark.parametrize(("options", "error"), BAD_OPTIONS)
def test_bad_parameters(options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        KNeighborsRegressor(**{"n_neighbors": 1, **options}).fit(X, Y)
    fitted = KNeighborsRegressor(1).fit(X, Y)
    with pytest.raises(error):
        fitted.set_params(**options).predict(X)


def test_bad_queries_and_classes() -> None:
    model = KNeighborsRegressor(1)
    with pytest.raises(NotFittedError, match="call fit"):
        model.predict(X)
    model.fit(X, Y)
    with pytest.raises(errors.ValuesMismatch, match="expecting 2 features"):
        model.predict(X[:, :1])
    with pytest.raises(errors.NotFinite):
        model.predict(X * np.nan)
    with pytest.raises(errors.BadSamples, match="KNeighborsRegressor"):
        KNeighborsClassifier(1).fit(X, Y / 2)


def test_memory_is_bounded() -> None:
    """Two clusters far apart: half of all samples are candidates, and the guess is no help."""
    rng = np.random.default_rng(1)
    samples = rng.standard_normal((30_000, 2)) + 1e9 * rng.integers(0, 2, (30_000, 1))
    model = KNeighborsRegressor(20).fit(samples, samples[:, 0])
    tracemalloc.start()
    try:
        found = model.predict(samples[:300])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 512 << 20
    np.testing.assert_allclose(found, samples[:300, 0], atol=2)
