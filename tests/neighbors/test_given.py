"""What the estimators refuse, and the memory that they take."""

import sys
import tracemalloc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

from shadersort import errors
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor

X, Y = np.arange(6.0).reshape(3, 2), np.arange(3.0)
BAD: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "NaN": ([[np.nan, 1], [1, 2], [2, 3]], Y, errors.NotFinite, "NaN"),
    "infinity": ([[np.inf, 1], [1, 2], [2, 3]], Y, errors.NotFinite, "infinity"),
    "flat": (Y, Y, errors.KeysNotFlat, "Reshape your data"),
    "deep": (X[None], Y, errors.KeysNotFlat, "got 3D"),
    "no samples": (X[:0], Y[:0], errors.EmptyInput, r"0 sample\(s\)"),
    "no features": (X[:, :0], Y, errors.EmptyInput, r"0 feature\(s\)"),
    "complex": (X + 1j, Y, errors.BadSamples, "Complex data"),
    "words": ([["a", "b"]] * 3, Y, errors.BadSamples, "no numbers"),
    "sparse": (scipy.sparse.csr_array(X), Y, errors.UnsupportedKeys, "toarray"),
    "no targets": (X, None, errors.BadSamples, "requires y"),
    "too few targets": (X, Y[:2], errors.ValuesMismatch, "3 samples, but y has 2"),
    "a target is NaN": (X, [0.0, np.nan, 1.0], errors.NotFinite, "y"),
    "too deep targets": (X, X[:, :, None], errors.KeysNotFlat, "y has 3"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("make", [KNeighborsRegressor, KNeighborsClassifier])
def test_bad_samples(make: Any, name: str) -> None:
    samples, targets, error, words = BAD[name]
    with pytest.raises(error, match=words):
        make(1).fit(samples, targets)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"n_neighbors": 4}, errors.BadCount, "n_neighbors=4, but X has 3 samples"),
        ({"n_neighbors": 0}, errors.BadCount, "from 1"),
        ({"n_neighbors": 1.5}, errors.BadRank, "integer"),
        ({"weights": "far"}, errors.BadOption, "'uniform' or 'distance'"),
        ({"memory": 0}, errors.BadMemory, "512MiB"),
        ({"memory": "much"}, errors.BadMemory, "much"),
    ],
)
def test_bad_parameters(options: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        KNeighborsRegressor(**{"n_neighbors": 1, **options}).fit(X, Y)
    fitted = KNeighborsRegressor(1).fit(X, Y)
    with pytest.raises(error, match=words):
        fitted.set_params(**options).predict(X)


def test_bad_queries() -> None:
    model = KNeighborsRegressor(1)
    with pytest.raises(NotFittedError, match="call fit"):
        model.predict(X)
    model.fit(X, Y)
    with pytest.raises(errors.ValuesMismatch, match="expecting 2 features"):
        model.predict(X[:, :1])
    with pytest.raises(errors.NotFinite, match="NaN"):
        model.predict(X * np.nan)


def test_continuous_classes_are_refused() -> None:
    with pytest.raises(errors.BadSamples, match="KNeighborsRegressor"):
        KNeighborsClassifier(1).fit(X, Y / 2)


def test_arrays_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere, array = SimpleNamespace(), SimpleNamespace()
    found = [lambda x: elsewhere if x is array else None]
    monkeypatch.setattr("shadersort.arrays._offered", lambda: found)
    with pytest.raises(errors.ArraysApart):
        KNeighborsRegressor(1).fit(X, array)
    with pytest.raises(errors.ArraysApart):
        KNeighborsRegressor(1).fit(X, Y).predict(array)


@pytest.mark.parametrize("memory", ["4MiB", "16MiB"])
def test_memory_is_bounded(memory: str) -> None:
    """Two clusters far apart: half of all samples are candidates, and the guess is no help."""
    rng = np.random.default_rng(1)
    n = 8000
    samples = rng.standard_normal((n, 2)) + 1e9 * rng.integers(0, 2, (n, 1))
    targets = rng.standard_normal(n)
    model = KNeighborsRegressor(20, memory=memory).fit(samples, targets)
    tracemalloc.start()
    try:
        found = model.predict(samples[:200])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < int(memory[:-3]) << 20
    np.testing.assert_array_equal(
        found, KNeighborsRegressor(20).fit(samples, targets).predict(samples[:200])
    )


def test_without_scikit_learn(tmp_path: Any) -> None:
    """In a process of its own, where scikit-learn cannot be imported."""
    import subprocess

    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor\n"
        "model = KNeighborsRegressor(1).fit([[0.0], [1.0]], [2.0, 3.0])\n"
        "print(model.predict([[0.2]]), model.score([[0.2], [0.9]], [2.0, 3.0]))\n"
        "model = KNeighborsClassifier(1).fit([[0.0], [1.0]], ['a', 'b'])\n"
        "print(model.predict([[0.2]]), model.score([[0.2], [0.9]], ['a', 'b']), model)\n"
        "try: KNeighborsRegressor().predict([[1.0]])\n"
        "except AttributeError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "[2.] 1.0",
        "['a'] 1.0 KNeighborsClassifier(n_neighbors=1)",
        "this KNeighborsRegressor is not fitted yet: call fit(X, y) first",
    ]
